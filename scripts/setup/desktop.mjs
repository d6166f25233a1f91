// Starts the studio's window in Electron. Runs on Node 20.
import { spawn } from 'node:child_process';

const EARLY_END_MS = 5000;

/**
 * Runs Electron until its window is closed. Answers null then, or why it ended at once, so that another host can take over.
 * @param {string} electron
 * @param {string} root
 * @param {string | undefined} folder the workspace to open
 * @returns {Promise<string | null>}
 */
export function runElectron(electron, root, folder) {
  const started = Date.now();
  const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const named = folder === undefined ? [] : ['--folder', folder];
  const child = spawn(electron, [...asRoot, root, ...named], { stdio: ['ignore', 'inherit', 'pipe'] });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    messages = `${messages}${text}`.slice(-4000);
    process.stderr.write(text);
  });
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(`it could not be started: ${error.message}`));
    child.on('close', (code) => {
      if (code === 0 || Date.now() - started > EARLY_END_MS) {
        process.exitCode = code ?? 1;
        resolve(null);
      } else resolve(`it ended at once: ${messages.trim().split('\n').at(-1) || `exit code ${code}`}`);
    });
  });
}
