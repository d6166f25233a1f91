import { Worker } from 'node:worker_threads';
import { missingPackage } from '#main/platform/optional-package.ts';
import { checkPageBounds } from './page-bounds.ts';
import type { PageText } from './page-text.ts';

/** Input of the thread that reads a page. */
export interface PageRequest {
  readonly html: string;
  readonly address: string;
}

export type PageAnswer = { readonly page: PageText } | { readonly error: string };

/** Memory limit for reading a page, in MiB. */
const memoryMiB = 256;

/** What the thread imports that a program may lack. */
const packages = ['parse5', '@mozilla/readability'];

/**
 * Reads a page in its own thread, which is terminated by `signal` or after `milliseconds`. Rejects with an `Error` that says why the page
 * cannot be read.
 */
export async function readPage(html: string, address: URL, milliseconds: number, signal: AbortSignal): Promise<PageText> {
  checkPageBounds(html);
  const worker = new Worker(new URL('./page-worker.ts', import.meta.url), {
    workerData: { html, address: address.href } satisfies PageRequest,
    resourceLimits: { maxOldGenerationSizeMb: memoryMiB, maxYoungGenerationSizeMb: 32 },
    execArgv: [],
    env: {},
  });
  let late: NodeJS.Timeout | undefined;
  let cancel = () => {};
  try {
    return await new Promise((resolve, reject) => {
      cancel = () => reject(new Error('reading it was cancelled'));
      late = setTimeout(() => reject(new Error('reading it took too long')), Math.max(0, milliseconds));
      signal.addEventListener('abort', cancel, { once: true });
      worker.on('message', (answer: PageAnswer) => ('page' in answer ? resolve(answer.page) : reject(new Error(answer.error))));
      worker.on('error', (error) => reject(understandable(error)));
      worker.on('exit', () => reject(new Error('reading it ended without a result')));
      if (signal.aborted) cancel();
    });
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', cancel);
    await worker.terminate();
  }
}

function understandable(error: unknown): unknown {
  if (isOutOfMemory(error)) return new Error(`reading it takes more than ${memoryMiB} MiB`);
  const missing = packages.map((name) => missingPackage(error, name, 'the tool scrape_url')).find((each) => each !== null);
  return missing ?? error;
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
