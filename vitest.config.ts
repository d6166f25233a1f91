import { defineConfig } from 'vitest/config';
import { findLocalModel } from './scripts/provision/local-model.mjs';
import { findOllamaServer } from './scripts/provision/ollama-server.mjs';

export default defineConfig({
  test: {
    include: ['src-*/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    testTimeout: 20_000,
    maxWorkers: 2,
    // What tests with real models use where it has been provisioned; empty where not.
    env: { PRAVAH_TEST_LOCAL_MODEL: findLocalModel() ?? '', PRAVAH_TEST_OLLAMA_SERVER: findOllamaServer() ?? '' },
  },
});
