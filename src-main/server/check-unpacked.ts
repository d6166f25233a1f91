import { Background } from '#main/services/query-worker/background.ts';
import type { ServedFlowDetail } from '#shared/contract/server/flows.ts';

/** Checks the flow of an unpacked bundle, in a thread of its own. Its own code is loaded only if it is `trusted`. */
export async function checkUnpacked(folder: string, path: string, trusted: boolean): Promise<ServedFlowDetail> {
  const background = new Background(folder);
  try {
    return await background.call('servedFlow', { path, trusted });
  } finally {
    await background.close();
  }
}
