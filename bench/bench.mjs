// npm run bench [-- --quick] [--rounds N] [--only CASE] [--harness DIR] [--write]: our engine and others, interleaved in one run.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findNode24 } from '#scripts/setup/node24.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (/** @type {string[]} */ ...args) => spawnSync(findNode24(root), args, { cwd: root, stdio: 'inherit' }).status ?? 1;
process.exitCode =
  run('scripts/build.mjs', 'runtime') || run('--disable-warning=ExperimentalWarning', 'bench/run-bench.ts', ...process.argv.slice(2));
