// The programs that end-to-end tests drive. Each function returns an executable's path, or why it is not available here:
//   node scripts/test-parts.mjs [NAME…]   provisions all of them, or those, and prints where they are
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { provisionElectronVehicle } from './offline/electron-vehicle/provision.mjs';
import { provisionLocalModel } from './offline/local-model.mjs';
import { provisionMcpInspector } from './offline/mcp-inspector.mjs';
import { provisionOllamaServer } from './offline/ollama-server.mjs';
import { provisionPostgres } from './offline/postgres.mjs';
import { provisionSchemathesis } from './offline/schemathesis.mjs';
import { provisionWorkerd } from './offline/workerd.mjs';
import { canInstallSystemPackages, findOnPath, installSystemPackages } from './provision/system-packages.mjs';

/** @typedef {{ path: string } | { reason: string }} Part */

const NOT_ROOT = 'system packages are installed by the tests only as root on Debian';

/** What Electron's binary is linked against; without X it is driven under a virtual display. */
const ELECTRON_LIBRARIES = ['libgtk-3-0', 'libnss3', 'libasound2', 'libgbm1'];

const CHROMIUMS = ['chromium', 'chromium-browser', 'google-chrome'];

/**
 * A Chromium for the web host: `PRAVAH_CHROMIUM`, the system's, or Debian's package.
 * @returns {Part}
 */
export function chromium() {
  const named = process.env.PRAVAH_CHROMIUM;
  if (named) return existsSync(named) ? { path: named } : { reason: `PRAVAH_CHROMIUM names ${named}, which is not there` };
  return systemProgram(CHROMIUMS, ['chromium']);
}

/** The path of the Chromium that is there, or null. Installs nothing. */
export const findChromium = () => process.env.PRAVAH_CHROMIUM ?? CHROMIUMS.map(findOnPath).find((path) => path !== null) ?? null;

/**
 * A virtual display (`xvfb-run`), needed for Electron where there is no screen.
 * @returns {Part}
 */
export function virtualDisplay() {
  return systemProgram(['xvfb-run'], ['xvfb', 'xauth']);
}

/**
 * Electron 22 to test in, with the libraries it needs.
 * @returns {Part}
 */
export function electronVehicle() {
  const missing = ELECTRON_LIBRARIES.filter((name) => !isInstalled(name));
  if (missing.length > 0 && canInstallSystemPackages() && !installSystemPackages(missing)) {
    return { reason: `Debian's ${missing.join(', ')} could not be installed` };
  }
  return provisionElectronVehicle();
}

/**
 * GNOME's keyring, which is a Secret Service for the desktop application to keep keys in, with the bus that it is reached by.
 * @returns {Part}
 */
export function secretService() {
  const bus = systemProgram(['dbus-daemon'], ['dbus-daemon']);
  return 'path' in bus ? systemProgram(['gnome-keyring-daemon'], ['gnome-keyring', 'libsecret-1-0']) : bus;
}

/**
 * A small language model, as a file.
 * @returns {Part}
 */
export function localModel() {
  return provisionLocalModel();
}

/**
 * An Ollama server: the system's, or one that is built from source once. `PRAVAH_TEST_OLLAMA=no` does without.
 * @returns {Part}
 */
export function ollamaServer() {
  return process.env.PRAVAH_TEST_OLLAMA === 'no' ? { reason: 'PRAVAH_TEST_OLLAMA=no leaves it out' } : provisionOllamaServer();
}

/**
 * Schemathesis, which tests the server's API by its description.
 * @returns {Part}
 */
export function schemathesis() {
  return provisionSchemathesis();
}

/**
 * The MCP inspector, which calls the server as MCP clients do.
 * @returns {Part}
 */
export function mcpInspector() {
  return provisionMcpInspector();
}

/**
 * workerd, the runtime of Cloudflare Workers, to run the engine in.
 * @returns {Part}
 */
export function workerd() {
  return provisionWorkerd();
}

/**
 * The programs of a PostgreSQL server, as a folder. `PRAVAH_TEST_POSTGRES=no` does without.
 * @returns {Part}
 */
export function postgres() {
  return process.env.PRAVAH_TEST_POSTGRES === 'no' ? { reason: 'PRAVAH_TEST_POSTGRES=no leaves it out' } : provisionPostgres();
}

/**
 * Git, which the example workspaces and their tests use.
 * @returns {Part}
 */
export function git() {
  return systemProgram(['git'], ['git']);
}

/**
 * The path of an executable that a part has, or null. For callers that only skip.
 * @param {Part} part
 */
export const pathOf = (part) => ('path' in part ? part.path : null);

/**
 * @param {readonly string[]} names
 * @param {readonly string[]} packages
 * @returns {Part}
 */
function systemProgram(names, packages) {
  const find = () => names.map(findOnPath).find((path) => path !== null);
  const found = find();
  if (found) return { path: found };
  if (!canInstallSystemPackages()) return { reason: `${names[0]} is not installed, and ${NOT_ROOT}` };
  installSystemPackages(packages);
  const installed = find();
  return installed ? { path: installed } : { reason: `${names[0]} could not be installed` };
}

/** @param {string} library a Debian package */
function isInstalled(library) {
  return existsSync(`/var/lib/dpkg/info/${library}.list`) || existsSync(`/var/lib/dpkg/info/${library}:amd64.list`);
}

/** Every part by the name that it is asked for on the command line. */
const PARTS = {
  git,
  chromium,
  virtualDisplay,
  electronVehicle,
  secretService,
  localModel,
  ollamaServer,
  postgres,
  schemathesis,
  mcpInspector,
  workerd,
};

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const named = process.argv.slice(2);
  for (const [name, find] of Object.entries(PARTS)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const part = find();
    console.log(`${name}: ${'path' in part ? part.path : `not here: ${part.reason}`}`);
  }
}
