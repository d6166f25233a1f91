// npm test [-- [--stress] PART…]: installs what is missing, then runs the tests on Node 24. Runs on Node 20.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findNode24 } from './setup/node24.mjs';
import { installPackages } from './setup/packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  await installPackages(root);
  const runner = fileURLToPath(new URL('test/run-parts.ts', import.meta.url));
  const child = spawn(findNode24(root), [runner, ...process.argv.slice(2)], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal));
  child.on('close', (code, signal) => {
    // It prints the summary itself, unless it was killed.
    if (signal) console.log('0 passed, 1 failed');
    process.exitCode = code ?? 1;
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.log('0 passed, 1 failed');
  process.exitCode = 1;
}
