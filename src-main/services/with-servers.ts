import { os, type Router } from '@orpc/server';
import type { AttachedServers } from '#main/services/servers/attached-servers.ts';
import { forwardCall } from '#main/services/servers/forward-calls.ts';
import { merged } from '#main/services/servers/merged-streams.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import { asFailed, type CallContext, relay } from './implementer.ts';

/** The calls of a router; those about runs of servers are performed there, and lists of runs include them. */
// biome-ignore lint/suspicious/noExplicitAny: a router of any contract, as the library types it.
export function withServers<Calls extends Router<any, CallContext>>(calls: Calls, servers: AttachedServers) {
  return os
    .$context<CallContext>()
    .use(async ({ next, path, signal, context }, input, output) => {
      try {
        const forwarded = await forwardCall(servers, path, input, signal);
        if (forwarded) return output(isStream(forwarded.output) ? relay(forwarded.output, context) : forwarded.output);
        const result = await next();
        if (path.join('.') === 'runs.list') return output(await withRemoteRuns(result.output as RunSummary[], servers, input as ListInput));
        if (path.join('.') === 'runs.watch' && signal)
          return output(relay(merged(result.output as AsyncGenerator<RunSummary>, servers.changes(signal)), context));
        return result;
      } catch (thrown) {
        throw asFailed(thrown);
      }
    })
    .router(calls);
}

type ListInput = { readonly flow_path?: string; readonly limit?: number };

async function withRemoteRuns(
  own: readonly RunSummary[],
  servers: AttachedServers,
  { flow_path, limit = 100 }: ListInput,
): Promise<RunSummary[]> {
  const remote = await servers.list({ flow_path, limit });
  if (remote.length === 0) return [...own];
  return [...own, ...remote].sort((one, other) => other.created_at - one.created_at).slice(0, limit);
}

function isStream(value: unknown): value is AsyncGenerator<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
