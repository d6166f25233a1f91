import type { FindRequest } from '#main/debug/find.ts';
import type { Background } from '#main/services/query-worker/background.ts';
import type { Found } from '#shared/contract/debug.ts';

/** Searches a run in parts, so that other readers are served in between and the search can be cancelled. */
export async function* searchRun(
  background: Background,
  { from, ...request }: Omit<FindRequest, 'begun'> & { readonly run_id: string },
  signal: AbortSignal | undefined,
): AsyncGenerator<Found> {
  let evaluated = false;
  let at = from;
  for (let begun = false; !signal?.aborted; begun = true) {
    const part = await background.call('find', { ...request, from: at, begun });
    evaluated ||= part.evaluated;
    if (part.seq !== null || part.next === null) {
      yield { type: 'end', seq: part.seq, fault: evaluated ? null : part.fault };
      return;
    }
    at = part.next;
    yield { type: 'progress', seq: at };
  }
}
