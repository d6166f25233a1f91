import { parseToolReference, type ToolReference } from '#shared/flow/tool-use.ts';
import type { JsonObject } from '#shared/json.ts';
import { toolFacts } from './built-in-tools.ts';
import type { CapabilityScope, McpServer } from './call-reach.ts';
import type { Reach } from './reach.ts';

/**
 * What one use of a tool can reach. `input` is what the author wrote for the call (templates unfilled); null where an agent or code makes
 * the calls, and so decides the input.
 */
export function toolReach(name: string, input: JsonObject | null, scope: CapabilityScope): Reach[] {
  const tool = parseToolReference(name);
  return tool.type === 'built_in' ? builtInReach(name, input, scope) : foreignReach(name, tool, scope);
}

function foreignReach(
  name: string,
  tool: Exclude<ToolReference, { type: 'built_in' }>,
  { mcp_servers, openApi }: CapabilityScope,
): Reach[] {
  switch (tool.type) {
    // What its nodes can is listed as that flow's own.
    case 'flow':
      return [];
    case 'file':
      return [{ kind: 'code', name: tool.path, note: ordinaryCode, harmless: false }];
    case 'python':
      return [{ kind: 'code', name, note: ordinaryCode, harmless: false }];
    case 'openapi': {
      const api = openApi?.(tool.api);
      const called: Reach = { kind: 'tool', name, ...(tool.operation === '*' && { note: 'all operations of this API' }), harmless: false };
      if (!api) return [called];
      const secret: Reach[] =
        api.secret === null ? [] : [{ kind: 'secret', name: api.secret, note: `sent only to ${api.host}`, harmless: false }];
      return [called, { kind: 'host', name: api.host, harmless: false }, ...secret];
    }
    case 'mcp': {
      const server = Object.hasOwn(mcp_servers, tool.server) ? mcp_servers[tool.server] : undefined;
      const what = tool.tool === '*' ? 'all tools of this server' : undefined;
      return [
        { kind: 'mcp', name: `${tool.server}/${tool.tool}`, ...(what && { note: what }), harmless: false },
        ...(server ? [mcpServerReach(tool.server, server)] : []),
      ];
    }
  }
}

/** Note for code outside the sandbox. */
export const ordinaryCode = 'ordinary code of this folder: it can do whatever you can';

function mcpServerReach(name: string, server: McpServer): Reach {
  if ('url' in server) return { kind: 'mcp', name: `${name} at ${server.url}`, note: 'a server elsewhere', harmless: false };
  const line = [server.command, ...server.args].join(' ');
  return { kind: 'mcp', name: `${name} = ${line}`, note: 'a program that is started: it can do whatever you can', harmless: false };
}

function builtInReach(name: string, input: JsonObject | null, scope: CapabilityScope): Reach[] {
  const reach = toolFacts(name)?.reach;
  const tool: Reach = { kind: 'tool', name, harmless: reach === 'nothing' };
  return typeof reach === 'function' ? [tool, ...reach(input, scope)] : [tool];
}
