import type { IncomingMessage } from 'node:http';
import { RequestProblem } from './problems.ts';

/** Bytes of a body of JSON. */
const bodyLimit = 1024 * 1024;
/** How deep JSON may be nested. */
const depthLimit = 100;

/** Reads the text of a body. Throws `RequestProblem` if it is too large, or no JSON by its media type. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const tooLarge = () =>
    new RequestProblem(413, 'REQUEST_TOO_LARGE', `A body may have ${bodyLimit} bytes.`, { headers: { connection: 'close' } });
  if (Number(request.headers['content-length'] ?? 0) > bodyLimit) throw tooLarge();
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit) throw tooLarge();
    chunks.push(chunk);
  }
  if (size === 0) return '';
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new RequestProblem(415, 'UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json.');
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses a body; undefined for an empty one. Throws `RequestProblem` for what is not JSON, or is nested too deeply. */
export function parseBody(text: string): unknown {
  if (text === '') return undefined;
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
