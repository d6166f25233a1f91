import { open, realpath, stat } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { ModelAdvice } from '#main/models/model-advice.ts';
import { unavailable } from '#main/models/model-failure.ts';

/** Which local model files may be loaded. */
export interface LlamaFiles {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly trusted: boolean;
  /** Real paths of files that the user chose, wherever they lie. */
  readonly chosen: readonly string[];
  readonly advice: ModelAdvice;
}

/** The weights are kept in memory whole; this much of it is left for all else. */
const largestShare = 0.9;

/**
 * Real path of the file that `llama://PATH` names (relative to the workspace, or absolute). A file of a folder that is not trusted, and one
 * outside of the workspace, must be chosen by the user: reading weights is the work of native code. Throws `AgentError`.
 */
export async function llamaFile(path: string, { folder, trusted, chosen, advice }: LlamaFiles): Promise<string> {
  const url = `llama://${path}`;
  const named = resolve(folder, path);
  const real = await realpath(named).catch((error: NodeJS.ErrnoException) => {
    throw unavailable(error.code === 'ENOENT' ? `${url}: there is no file ${named}.` : `${url} cannot be read: ${error.message}.`);
  });
  if (!chosen.includes(real)) {
    if (!isInside(folder, real)) {
      throw unavailable(`${url} lies outside of the workspace. ${advice.outsideFile(real)}`);
    }
    if (!trusted) throw unavailable(`${url} is a file of a folder that is not trusted. ${advice.untrustedFile(real)}`);
  }
  await assertModelFile(url, real);
  return real;
}

/** Refuses what is no complete GGUF file, and what does not fit into memory, before native code sees it. */
export async function assertModelFile(name: string, path: string): Promise<void> {
  let beginning: string;
  let size: number;
  try {
    const info = await stat(path);
    if (!info.isFile()) throw unavailable(`${name} is no file.`);
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
  if (beginning !== 'GGUF') throw unavailable(`${name} is no model file: a GGUF file begins with “GGUF”, and this one does not.`);
  if (size > totalmem() * largestShare) {
    throw unavailable(`${name} needs ${gigabytes(size)} of memory, and this machine has ${gigabytes(totalmem())}. Use a smaller model.`);
  }
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
