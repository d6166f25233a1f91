// npm run bench [-- --quick] [--rounds N] [--only CASE] [--harness DIR] [--write]: our engine and others, interleaved in one run.
// npm run bench -- canvas [--rounds N] [--sizes 1000] [--write]: our canvas and bare React Flow.
// npm run bench -- package [--rounds N] [--write]: the packed library beside XState and LangGraph.js.
// npm run bench -- server [--part readers|throughput|step] [--seconds N] [--rounds N]: pravah serve under load, beside other servers.
// npm run bench -- streams [--rounds N]: reading the events of a run, beside other libraries.
// npm run bench -- parallel [--rounds N]: model calls that overlap, beside other libraries.
// npm run bench -- coming-from: the blocks of docs/coming-from.md that are written with other libraries, and their lines.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findNode24 } from '#scripts/setup/node24.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = (/** @type {string[]} */ ...args) => spawnSync(findNode24(root), args, { cwd: root, stdio: 'inherit' }).status ?? 1;
const args = process.argv.slice(2);
const bench = (/** @type {string} */ script, /** @type {string[]} */ given) =>
  run('--disable-warning=ExperimentalWarning', script, ...given);
process.exitCode =
  args[0] === 'canvas'
    ? run('scripts/build.mjs', 'main', 'renderer') || bench('bench/canvas/run-canvas.ts', args.slice(1))
    : args[0] === 'coming-from' || args[0] === 'parallel'
      ? bench(`bench/${args[0]}.ts`, args.slice(1))
      : args[0] === 'server'
        ? run('scripts/build.mjs', 'cli') || bench('bench/server.ts', args.slice(1))
        : args[0] === 'package' || args[0] === 'streams'
          ? run('scripts/build.mjs', 'runtime') || bench(`bench/${args[0]}.ts`, args.slice(1))
          : run('scripts/build.mjs', 'runtime') || bench('bench/run-bench.ts', args);
