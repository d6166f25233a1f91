import { open, realpath, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ModelAdvice } from '#main/models/model-advice.ts';
import { unavailable } from '#main/models/model-failure.ts';

/** The local model files that may be loaded. */
export interface LlamaFiles {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly trusted: boolean;
  /** Real paths of files that the user chose, in any folder. */
  readonly chosen: readonly string[];
  readonly advice: ModelAdvice;
}

/** The weights stay in memory completely; this much memory is reserved for everything else. */
const largestShare = 0.9;

/**
 * Returns the real path of the file of `llama://PATH` (relative to the workspace, or absolute). The user must choose files in an untrusted
 * folder or outside the workspace, because native code parses the weights. Throws `AgentError`.
 */
export async function llamaFile(path: string, { folder, trusted, chosen, advice }: LlamaFiles): Promise<string> {
  const url = `llama://${path}`;
  const named = resolve(folder, path);
  const real = await realpath(named).catch((error: NodeJS.ErrnoException) => {
    throw unavailable(error.code === 'ENOENT' ? `${url}: the file ${named} does not exist.` : `${url} cannot be read: ${error.message}.`);
  });
  if (!chosen.includes(real)) {
    if (!isInside(folder, real)) {
      throw unavailable(`${url} is outside the workspace. ${advice.outsideFile(real)}`);
    }
    if (!trusted) throw unavailable(`${url} is in an untrusted folder. ${advice.untrustedFile(real)}`);
  }
  await assertModelFile(url, real);
  return real;
}

/** Rejects files that are not GGUF or do not fit into memory, before native code reads them. */
export async function assertModelFile(name: string, path: string): Promise<void> {
  let beginning: string;
  let size: number;
  try {
    const info = await stat(path);
    if (!info.isFile()) throw unavailable(`${name} is not a file.`);
    size = info.size;
    const handle = await open(path, 'r');
    try {
      beginning = (await handle.read(Buffer.alloc(4), 0, 4, 0)).buffer.toString('latin1');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('E')) {
      throw unavailable(`${name} cannot be read: ${error.message}.`);
    }
    throw error;
  }
  if (beginning !== 'GGUF') throw unavailable(`${name} is not a model file: GGUF files start with “GGUF”.`);
  if (size > totalmem() * largestShare) {
    throw unavailable(`${name} needs ${gigabytes(size)} of memory, but this machine has ${gigabytes(totalmem())}. Use a smaller model.`);
  }
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
