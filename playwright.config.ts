import { defineConfig } from '@playwright/test';
import { chromium, pathOf } from './scripts/test-parts.mjs';

// Two projects run the same stories: `web` in Chromium over the loopback host, `electron` in a real window. On Linux without a
// display the second one runs under `xvfb-run`; `npm test` sees to that and to the builds that both need.
const browser = pathOf(chromium());
const isCi = Boolean(process.env.CI);

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'test-results',
  forbidOnly: isCi,
  fullyParallel: false,
  // A test that passes at the second try would hide a race: none is tried twice.
  retries: 0,
  workers: 1,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    actionTimeout: 15_000,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(browser ? { executablePath: browser } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  // What only one host has stands in files of its own.
  projects: [
    { name: 'web', testIgnore: '**/*.electron.spec.ts' },
    { name: 'electron', testIgnore: '**/*.web.spec.ts' },
  ],
});
