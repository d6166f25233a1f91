import type { McpServerInfo } from '#shared/contract/mcp.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import { type ToolSubject, toolFacts } from '#shared/flow/tools/built-in-tools.ts';
import { texts } from './texts.ts';

/** Tools that belong together, under a heading. */
export interface ToolGroup {
  readonly heading: string;
  /** The MCP server of the tools. */
  readonly server: McpServerInfo | null;
  readonly tools: readonly ToolInfo[];
}

/** The headings, in display order. */
const headings: Readonly<Record<ToolSubject, string>> = {
  files: texts.groups.files,
  programs: texts.groups.programs,
  web: texts.groups.web,
  data: texts.groups.data,
  people: texts.groups.people,
  memory: texts.groups.memory,
};

/** The tools that match the query, by subject; those of the folder and of each MCP server last. A server also matches by its name. */
export function toolGroups(tools: readonly ToolInfo[], servers: readonly McpServerInfo[], query: string): readonly ToolGroup[] {
  const words = query.toLowerCase().split(/\s+/);
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = tools.filter(({ name, description }) => fits(`${name} ${description}`));
  const group = (heading: string, own: readonly ToolInfo[]): ToolGroup => ({ heading, server: null, tools: own });
  const groups = [
    ...Object.entries(headings).map(([subject, heading]) =>
      group(
        heading,
        found.filter(({ name }) => toolFacts(name)?.subject === subject),
      ),
    ),
    group(
      texts.groups.folder,
      found.filter(({ name }) => name.startsWith('./')),
    ),
    group(
      texts.groups.more,
      found.filter(({ name, server }) => server === null && !toolFacts(name) && !name.startsWith('./')),
    ),
  ].filter((each) => each.tools.length > 0);
  const ofServers = servers.map((server) => ({
    heading: server.name,
    server,
    tools: found.filter((tool) => tool.server === server.name),
  }));
  return [...groups, ...ofServers.filter((each) => each.tools.length > 0 || fits(`${each.heading} mcp`))];
}

/** The number of a server's tools that the user has not approved yet. */
export function waitingForApproval({ tools }: McpServerInfo): number {
  return tools.filter(({ standing }) => standing === 'new' || standing === 'changed').length;
}
