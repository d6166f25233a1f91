// Shows the studio's page in a window of its own where a Chromium is installed, else in the default browser. Runs on Node 20.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const MAC_BROWSERS = ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const LINUX_BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge', 'brave-browser'];
const WINDOWS_BROWSERS = ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'];

/** Whether a window can be shown: on Linux there must be an X or Wayland display. */
export function hasDisplay() {
  return process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * Opens an address and answers what shows it, or null when nothing could be started. Every user of the machine can read the address in the
 * list of processes, so it must hold no secret.
 * @param {string} url
 * @returns {Promise<string | null>}
 */
export async function openBrowser(url) {
  const chromium = findChromium();
  if (chromium && (await starts(chromium, [`--app=${url}`, ...asRoot()]))) return 'an app window of Chromium';
  for (const [command, ...args] of defaultBrowsers(url)) {
    if (command && (await starts(command, args))) return 'the default browser';
  }
  return null;
}

/** Chromium's own sandbox refuses to run as root. */
const asRoot = () => (process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : []);

/**
 * Programs that show an address, with their arguments, the preferred one first. On WSL that is a browser of Windows.
 * @param {string} url
 */
function defaultBrowsers(url) {
  if (process.platform === 'darwin') return [['open', url]];
  if (process.platform === 'win32') return [['rundll32', 'url.dll,FileProtocolHandler', url]];
  return process.env.WSL_DISTRO_NAME
    ? [
        ['wslview', url],
        ['xdg-open', url],
      ]
    : [['xdg-open', url]];
}

function findChromium() {
  if (process.platform === 'darwin') return MAC_BROWSERS.find((path) => existsSync(path));
  if (process.platform === 'win32') {
    const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA']
      .map((name) => process.env[name])
      .filter((folder) => folder !== undefined);
    return folders.flatMap((folder) => WINDOWS_BROWSERS.map((path) => join(folder, path))).find((path) => existsSync(path));
  }
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return LINUX_BROWSERS.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/**
 * Starts a program that outlives this one. Answers whether it could be started.
 * @param {string} command
 * @param {readonly string[]} args
 * @returns {Promise<boolean>}
 */
function starts(command, args) {
  const child = spawn(command, args, { stdio: 'ignore', detached: true });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}
