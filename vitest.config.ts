import { configDefaults, defineConfig } from 'vitest/config';
import { findLocalModel } from './scripts/offline/local-model.mjs';
import { findMcpInspector } from './scripts/offline/mcp-inspector.mjs';
import { findOllamaServer } from './scripts/offline/ollama-server.mjs';
import { findPostgres } from './scripts/offline/postgres.mjs';
import { findSchemathesis } from './scripts/offline/schemathesis.mjs';
import { findWorkerd } from './scripts/offline/workerd.mjs';
import { findChromium } from './scripts/test-parts.mjs';
import { slowness } from './src-main/testing/slowness.ts';

export default defineConfig({
  test: {
    include: ['src-*/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts', 'tests/**/*.test.ts', 'editors/**/*.test.ts'],
    // Suites that take many minutes: `npm run soak`.
    exclude: [...configDefaults.exclude, ...(process.env.PRAVAH_SOAK ? [] : ['**/*.soak.test.ts'])],
    // They end what hangs. None is there to find what is slow: machines are busy.
    testTimeout: 60_000 * slowness,
    hookTimeout: 60_000 * slowness,
    expect: { poll: { timeout: 30_000 * slowness } },
    maxWorkers: 2,
    // What some tests use where it has been provisioned; empty where not.
    env: {
      PRAVAH_TEST_CHROMIUM: findChromium() ?? '',
      PRAVAH_TEST_LOCAL_MODEL: findLocalModel() ?? '',
      PRAVAH_TEST_MCP_INSPECTOR: findMcpInspector() ?? '',
      PRAVAH_TEST_WORKERD: findWorkerd() ?? '',
      PRAVAH_TEST_OLLAMA_SERVER: findOllamaServer() ?? '',
      PRAVAH_TEST_POSTGRES: findPostgres() ?? '',
      PRAVAH_TEST_SCHEMATHESIS: findSchemathesis() ?? '',
    },
  },
});
