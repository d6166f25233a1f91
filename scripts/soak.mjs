// npm run soak [-- FILTER…]: the long suites, of which `npm test` runs a sample (PRAVAH_SOAK asks for all), and those that it leaves out (*.soak.test.ts).
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findNode24 } from './setup/node24.mjs';

const suites = [
  // Every built-in operation, repeated without end, with a short limit and with the real one in a thread.
  'src-main/sandbox/native-operations.test.ts',
  'src-main/runner/native-operations.soak.test.ts',
  // Sixty commands at once in one folder.
  'src-main/hosts/cli/many-commands.test.ts',
  // Two hundred kills of a server on each database.
  'src-main/hosts/cli/serve.test.ts',
  // All conformance cases and traces of the reference in process, on SQLite and on PostgreSQL.
  'tests/server/equal-records.test.ts',
  // Two hundred kills of two processes that talk in one conversation.
  'src-main/sdk/killed-talkers.test.ts',
  // Whether memory adds up over many runs.
  'src-main/services/run-memory.soak.test.ts',
  // Random Python expressions against CPython 3.13, and generated workflows against what PyFlow did with them.
  'tests/python/cpython.soak.test.ts',
  'tests/pyflow/generated-workflows.test.ts',
];

const root = fileURLToPath(new URL('..', import.meta.url));
const filters = process.argv.slice(2);
const chosen = filters.length === 0 ? suites : suites.filter((suite) => filters.some((filter) => suite.includes(filter)));
const program = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const { status } = spawnSync(findNode24(root), [program, 'run', ...chosen], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PRAVAH_SOAK: '1' },
});
process.exitCode = status ?? 1;
