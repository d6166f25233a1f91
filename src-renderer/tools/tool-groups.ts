import type { McpServerInfo } from '#shared/contract/mcp.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';

/** Tools that belong together, under a heading. */
export interface ToolGroup {
  readonly heading: string;
  /** The MCP server that they come from. */
  readonly server: McpServerInfo | null;
  readonly tools: readonly ToolInfo[];
}

const subjects: readonly (readonly [heading: string, tools: readonly string[]])[] = [
  ['Files', ['read_file', 'write_file', 'edit_file', 'list_files', 'search_files', 'storage']],
  ['Programs', ['run_command']],
  ['The web', ['http_request', 'scrape_url', 'alert', 'ynab']],
  ['Data and control', ['transform', 'condition', 'exit_loop']],
  ['People', ['ask_user']],
  ['Memory and artifacts', ['load_memory', 'preload_memory', 'save_memory', 'load_artifacts', 'save_artifact']],
];

/** All tools by subject, those of the folder's own and of each MCP server last; only what matches the query, and servers by their name too. */
export function toolGroups(tools: readonly ToolInfo[], servers: readonly McpServerInfo[], query: string): readonly ToolGroup[] {
  const words = query.toLowerCase().split(/\s+/);
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = tools.filter(({ name, description }) => fits(`${name} ${description}`));
  const listed = new Set(subjects.flatMap(([, names]) => names));
  const group = (heading: string, own: readonly ToolInfo[]): ToolGroup => ({ heading, server: null, tools: own });
  const groups = [
    ...subjects.map(([heading, names]) => group(heading, pick(found, names))),
    group(
      'This folder',
      found.filter(({ name }) => name.startsWith('./')),
    ),
    group(
      'More',
      found.filter(({ name, server }) => server === null && !listed.has(name) && !name.startsWith('./')),
    ),
  ].filter((each) => each.tools.length > 0);
  const ofServers = servers.map((server) => ({
    heading: server.name,
    server,
    tools: found.filter((tool) => tool.server === server.name),
  }));
  return [...groups, ...ofServers.filter((each) => each.tools.length > 0 || fits(`${each.heading} mcp`))];
}

function pick(tools: readonly ToolInfo[], names: readonly string[]): ToolInfo[] {
  return names.flatMap((name) => tools.find((tool) => tool.name === name) ?? []);
}

/** How many of a server's tools wait for the user to look at them. */
export function waitingForApproval({ tools }: McpServerInfo): number {
  return tools.filter(({ standing }) => standing === 'new' || standing === 'changed').length;
}
