import { defineConfig } from '@playwright/test';
import { chromium, pathOf } from './scripts/test-parts.mjs';
import { slowness } from './src-main/testing/slowness.ts';

// Two projects: `web` runs all stories in Chromium over the loopback host, `electron` in a real window those in which the desktop could differ: how
// it starts and ends, what it keeps, and the way from the first start to an answered approval. Its page is the very same. On Linux without a
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
  // Each story has a host, a folder and a page of its own.
  workers: 2,
  timeout: 60_000 * slowness,
  expect: { timeout: 15_000 * slowness },
  reporter: [['list']],
  use: {
    viewport: { width: 1280, height: 800 },
    actionTimeout: 15_000 * slowness,
    // It costs a fifth of a story's time.
    trace: process.env.PRAVAH_TRACE ? 'retain-on-failure' : 'off',
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
    // Windows share the display, and with it the focus.
    { name: 'electron', testIgnore: '**/*.web.spec.ts', workers: 1 },
  ],
});
