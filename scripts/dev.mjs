// npm run dev [-- FOLDER]: the studio in a browser, from the sources. Changes of the page are hot-reloaded; changes of the
// services restart the host and reload the page. Runs on Node 20.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findNode24 } from './setup/node24.mjs';
import { installPackages } from './setup/packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  await installPackages(root);
  const server = fileURLToPath(new URL('dev/dev-server.ts', import.meta.url));
  const child = spawn(findNode24(root), [server, ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl+C reaches the child too; this process waits for it.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
