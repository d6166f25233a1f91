import type { IncomingMessage } from 'node:http';
import { mostPacked } from '#main/workspace/bundle/bundle.ts';
import { RequestProblem } from './problems.ts';

/** Bytes of a body of JSON. */
const bodyLimit = 1024 * 1024;
/** How deep JSON may be nested. */
const depthLimit = 100;

/** Reads a body: the text of JSON, or the bytes of a bundle where a route takes one. Throws `RequestProblem` if it is too large or of another media type. */
export async function readBody(request: IncomingMessage, isBundle: boolean): Promise<string | Uint8Array> {
  const limit = isBundle ? mostPacked : bodyLimit;
  const tooLarge = () =>
    new RequestProblem(413, 'REQUEST_TOO_LARGE', `A body may have ${limit} bytes here.`, { headers: { connection: 'close' } });
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw tooLarge();
    chunks.push(chunk);
  }
  if (size === 0) return '';
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  const wanted = isBundle ? 'application/zip' : 'application/json';
  if (type !== wanted) throw new RequestProblem(415, 'UNSUPPORTED_MEDIA_TYPE', `Send the body as ${wanted}.`);
  const bytes = Buffer.concat(chunks);
  return isBundle ? bytes : bytes.toString('utf8');
}

/** Parses a body; undefined for an empty one. Throws `RequestProblem` for what is not JSON, or is nested too deeply. */
export function parseBody(text: string | Uint8Array): unknown {
  if (text === '') return undefined;
  if (typeof text !== 'string') return new File([new Uint8Array(text)], 'flow.pravahflow', { type: 'application/zip' });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RequestProblem(
      400,
      'REQUEST_NOT_JSON',
      `The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  assertShallow(value);
  return value;
}

function assertShallow(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthLimit) throw new RequestProblem(422, 'REQUEST_TOO_DEEP', `JSON may be nested ${depthLimit} levels deep.`);
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
}
