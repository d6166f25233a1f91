// Serves the studio on loopback and shows it in a browser. Runs on Node 20.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { hasDisplay, openBrowser } from './browser.mjs';

/**
 * Runs the web host until it is stopped, and opens its first address.
 * @param {{ root: string, node24: string, folder: string | undefined, open: boolean, notice: string }} options
 */
export function runWebHost({ root, node24, folder, open, notice }) {
  const named = folder === undefined ? [] : ['--folder', folder];
  const args = [join(root, 'out', 'web', 'main.js'), '--json', '--no-open', '--notice', notice, ...named];
  const child = spawn(node24, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.on('error', (error) => {
    console.error(`The studio could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (code) => process.exit(code ?? 0));
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => child.kill(signal));

  let opened = false;
  createInterface({ input: child.stdout }).on('line', async (line) => {
    const { url, file_url } = JSON.parse(line);
    const shown = !opened && open && hasDisplay() && file_url ? await openBrowser(file_url) : null;
    opened = true;
    if (shown) console.log(`The studio is open in ${shown}. Press Enter for another link, Ctrl+C to stop.`);
    else console.log(`Open ${url} within a minute (it works once). Press Enter for another link, Ctrl+C to stop.`);
  });
  process.stdin.on('data', () => child.stdin.write('\n'));
  process.stdin.unref?.();
}
