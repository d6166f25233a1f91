// Finds Electron's binary, which the npm package downloads at first use. Runs on Node 20.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withProgress } from './progress.mjs';

const DAY_MS = 24 * 60 * 60 * 1000;
const DOWNLOAD_LIMIT_MS = 5 * 60 * 1000;

/**
 * Returns Electron's executable, downloaded if it is missing, or why it is not available (the rest of a sentence). A download that failed
 * is tried again a day later, or at once with `PRAVAH_RETRY_ELECTRON=1`.
 * @param {string} root
 * @param {string} node24 the installer needs a newer Node than 20
 * @returns {Promise<{ path: string } | { reason: string }>}
 */
export async function findElectron(root, node24) {
  const folder = join(root, 'node_modules', 'electron');
  const version = readOr(join(folder, 'package.json'), (text) => JSON.parse(text).version);
  if (!version) return { reason: 'its npm package is not installed' };
  const found = installedElectron(folder, version);
  if (found) return { path: found };

  const memory = join(root, 'node_modules', '.cache', 'electron-download.json');
  const failure = readOr(memory, JSON.parse);
  const isRecent = failure?.version === version && Date.now() - failure.at < DAY_MS;
  if (isRecent && !process.env.PRAVAH_RETRY_ELECTRON) return { reason: `its binary could not be downloaded (${failure.reason})` };
  try {
    await withProgress(`Downloading Electron ${version}, once (about 110 MB)`, () => download(folder, node24));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    mkdirSync(dirname(memory), { recursive: true });
    writeFileSync(memory, JSON.stringify({ version, at: Date.now(), reason }));
    return { reason: `its binary could not be downloaded (${reason})` };
  }
  const path = installedElectron(folder, version);
  return path ? { path } : { reason: 'its download brought no binary' };
}

/**
 * @param {string} folder
 * @param {string} version
 */
function installedElectron(folder, version) {
  const name = readOr(join(folder, 'path.txt'), (text) => text);
  // Electron's own variable for a binary from elsewhere.
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return existing(join(override, name ?? 'electron'));
  const installed = readOr(join(folder, 'dist', 'version'), (text) => text.trim().replace(/^v/, ''));
  return name && installed === version ? existing(join(folder, 'dist', name)) : null;
}

/** @param {string} path */
const existing = (path) => (existsSync(path) ? path : null);

/**
 * @param {string} folder
 * @param {string} node24
 */
function download(folder, node24) {
  const child = spawn(node24, [join(folder, 'install.js')], { stdio: ['ignore', 'ignore', 'pipe'], timeout: DOWNLOAD_LIMIT_MS });
  let messages = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    messages += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      if (code === 0) resolve(undefined);
      else if (signal) reject(new Error(`it took more than ${DOWNLOAD_LIMIT_MS / 60_000} minutes`));
      else reject(new Error(shortReason(messages) || `exit code ${code}`));
    });
  });
}

/** The installer's first line in a person's words. @param {string} messages */
function shortReason(messages) {
  const line =
    messages
      .trim()
      .split('\n')[0]
      ?.replace(/^\w*Error: /, '') ?? '';
  return line === 'fetch failed' ? 'its server cannot be reached' : line;
}

/**
 * @param {string} file
 * @param {(text: string) => any} parse
 */
function readOr(file, parse) {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch {
    return null; // not there, or not whole
  }
}
