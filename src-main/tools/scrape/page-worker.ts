import { parentPort, workerData } from 'node:worker_threads';
import { pageText } from './page-text.ts';
import type { PageAnswer, PageRequest } from './read-page.ts';

function answer({ html, address }: PageRequest): PageAnswer {
  try {
    return { page: pageText(html, new URL(address)) };
  } catch (error) {
    return { error: error instanceof RangeError ? 'it is nested too deeply' : (error as Error).message };
  }
}

parentPort?.postMessage(answer(workerData as PageRequest));
