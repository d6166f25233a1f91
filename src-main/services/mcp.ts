import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { studio } from './implementer.ts';

/** The MCP servers of the open folder: state, tools and the user's approvals. */
export function mcpRouter(current: CurrentFolder) {
  const servers = async () => (await current.required()).mcp;
  return {
    list: studio.mcp.list.handler(async () => (await servers()).list()),
    connect: studio.mcp.connect.handler(async ({ input }) => (await servers()).connect(input.name)),
    stop: studio.mcp.stop.handler(async ({ input }) => (await servers()).stop(input.name)),
    approve: studio.mcp.approve.handler(async ({ input }) => (await servers()).approve(input.name, input.tools)),
    watch: studio.mcp.watch.handler(async ({ signal }) => (await servers()).watch(signal)),
  };
}
