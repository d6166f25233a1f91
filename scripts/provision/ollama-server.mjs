// A real Ollama server to test with, built from source where Go and a C++ compiler are at hand. Never shipped.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findOnPath } from './system-packages.mjs';
import { runToEnd, testCache } from './test-cache.mjs';

/** Later versions lack headers when they are built as a module. */
const MODULE = 'github.com/ollama/ollama@v0.6.8';
const NAME = 'ollama-0.6.8';

/** Path of the server when it has been provisioned, or null. */
export function findOllamaServer() {
  const path = join(testCache(), NAME);
  return existsSync(path) ? path : null;
}

/**
 * Builds the server where it is missing: four minutes of one core, so it is done on demand only. Without debug information and with few
 * optimisations it takes half the time that it would with Go's own settings, and is fast enough for a model of 135 million weights.
 * @returns {{ path: string } | { reason: string }}
 */
export function provisionOllamaServer() {
  const found = findOllamaServer();
  if (found) return { path: found };
  for (const program of ['go', 'g++']) if (!findOnPath(program)) return { reason: `building it needs ${program}` };
  mkdirSync(testCache(), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'pravah-ollama-'));
  try {
    console.error('Building an Ollama server to test with (2 to 4 minutes, once) …');
    const env = { ...process.env, GOBIN: folder, GOFLAGS: '-trimpath', CGO_CFLAGS: '-O2 -g0', CGO_CXXFLAGS: '-O1 -g0' };
    runToEnd('go', ['install', '-ldflags=-s -w', MODULE], folder, { minutes: 30, env });
    // Copied under another name first: nobody finds half a program.
    const path = join(testCache(), NAME);
    runToEnd('cp', [join(folder, 'ollama'), `${path}.part`], folder);
    renameSync(`${path}.part`, path);
    return { path };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
