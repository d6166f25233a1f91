import { createHash } from 'node:crypto';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';

/** Error code of a page token that is not one, or of another list. */
export const pageTokenInvalid = 'REQUEST_PAGE_TOKEN_INVALID';

/** Writes where a list continues. It counts only for the list with the same `filter`. */
export function writePageToken(filter: Json, place: Json): string {
  return Buffer.from(JSON.stringify([markOf(filter), place])).toString('base64url');
}

/** Reads where a list continues; null for its beginning. Throws `DeserializeError` for a token of another list. */
export function readPageToken(filter: Json, token: string | undefined): Json | null {
  if (token === undefined) return null;
  try {
    const [mark, place] = JSON.parse(Buffer.from(token, 'base64url').toString()) as [string, Json];
    if (mark === markOf(filter)) return place;
  } catch {
    // Refused below.
  }
  throw new FlowError(
    'DeserializeError',
    'This page_token is not of this list. Use the next_page_token of a list with the same parameters.',
    { code: pageTokenInvalid },
  );
}

function markOf(filter: Json): string {
  return createHash('sha256').update(JSON.stringify(filter)).digest('base64url').slice(0, 12);
}
