import { FlowError } from '#shared/run/error.ts';
import { type AttachedServers, remoteFailure } from './attached-servers.ts';
import { serverOfCall, withServer } from './run-ids.ts';

type Call = (input: unknown, options: { readonly signal?: AbortSignal }) => Promise<unknown>;

/**
 * Performs a call about a run of a server there. Returns null for one about the open folder.
 * Throws `Invalid` for one about runs of two servers, and for what a server does not offer.
 */
export async function forwardCall(
  servers: AttachedServers,
  path: readonly string[],
  input: unknown,
  signal: AbortSignal | undefined,
): Promise<{ readonly output: unknown } | null> {
  const found = serverOfCall(input);
  if (!found) return null;
  const { server } = found;
  if (server === '') throw new FlowError('Invalid', 'These runs are in different places. Only runs of one place can be taken together.');
  const client = await servers.client(server);
  const call = path.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], client) as Call;
  try {
    const output = await call(found.input, signal ? { signal } : {});
    return { output: isStream(output) ? relayed(server, output) : withServer(server, output) };
  } catch (thrown) {
    throw remoteFailure(server, thrown);
  }
}

async function* relayed(server: string, stream: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    for await (const item of stream) yield withServer(server, item);
  } catch (thrown) {
    throw remoteFailure(server, thrown);
  }
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
