// A real Ollama server to test with, built from source where Go and a C++ compiler are at hand. Never shipped.
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findOnPath } from '#scripts/provision/system-packages.mjs';
import { runToEnd, testCache } from '#scripts/provision/test-cache.mjs';

/** Later versions lack headers when they are built as a module. */
const MODULE = 'github.com/ollama/ollama@v0.6.8';
const NAME = 'ollama-0.6.8';

/** Path of the server: the one that was built before, or the system's; null where there is neither. */
export function findOllamaServer() {
  const built = join(testCache(), NAME);
  return existsSync(built) ? built : findOnPath('ollama');
}

/**
 * Builds the server where it is missing, once. What compilers do for a program's speed costs most of their time and is left out: the
 * kernels that a model's arithmetic runs in are C with an `-O3` of their own, so that a small model answers as fast as without this.
 * Sources and objects stay in the cache until the server is built, so that an interrupted build can resume.
 * @returns {{ path: string } | { reason: string }}
 */
export function provisionOllamaServer() {
  const found = findOllamaServer();
  if (found) return { path: found };
  for (const program of ['go', 'g++']) if (!findOnPath(program)) return { reason: `building it needs ${program}` };
  const folder = join(testCache(), `${NAME}-build`);
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  try {
    console.error('Building an Ollama server to test with (2 to 4 minutes of one core, once) …');
    const go = {
      GOPATH: folder,
      GOBIN: folder,
      GOMODCACHE: join(folder, 'modules'),
      GOCACHE: join(folder, 'objects'),
      GOTMPDIR: temporary,
    };
    const compilers = { GOFLAGS: '-trimpath -modcacherw', CGO_ENABLED: '1', CGO_CFLAGS: '-O1 -g0', CGO_CXXFLAGS: '-O0 -g0' };
    const options = ['-ldflags=-s -w', '-gcflags=all=-N -l -dwarf=false'];
    runToEnd('go', ['install', ...options, MODULE], folder, { minutes: 30, env: { ...process.env, ...go, ...compilers } });
    renameSync(join(folder, 'ollama'), join(testCache(), NAME));
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    // Where another test command was quicker, its server is there.
    if (!existsSync(join(testCache(), NAME))) return { reason: error instanceof Error ? error.message : String(error) };
  }
  return { path: join(testCache(), NAME) };
}
