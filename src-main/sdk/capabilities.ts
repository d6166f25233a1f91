import type { Context } from '#main/engine/ports/context.ts';
import { readHost } from '#main/workspace/capabilities/read-host.ts';
import type { Capability } from '#shared/flow/capabilities/capability.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';

/**
 * What a flow can do in runs with a context, as `pravah capabilities` lists it for a folder: files, commands, hosts, models and secrets, by kind and name, with the
 * nodes that can. It errs towards more: what a model or a template decides counts as all that it could be.
 */
export async function capabilities(
  flow: FlowGraph,
  { commands, writable, allow_private, endpoints }: Context,
): Promise<readonly Capability[]> {
  // Loaded lazily: it needs zod.
  const { capabilitiesOf } = await import('#shared/flow/capabilities/capabilities-of.ts');
  const scope = { commands, writable, http: { allow_private }, providers: {}, mcp_servers: {}, ...(endpoints && { endpoints }), readHost };
  return capabilitiesOf(flow, scope);
}
