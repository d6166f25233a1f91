import type { McpServerInfo } from '#shared/contract/mcp.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import { texts } from './texts.ts';

/** Tools that belong together, under a heading. */
export interface ToolGroup {
  readonly heading: string;
  /** The MCP server of the tools. */
  readonly server: McpServerInfo | null;
  readonly tools: readonly ToolInfo[];
}

const subjects: readonly (readonly [heading: string, tools: readonly string[]])[] = [
  [texts.groups.files, ['read_file', 'write_file', 'edit_file', 'list_files', 'search_files', 'storage']],
  [texts.groups.programs, ['run_command']],
  [texts.groups.web, ['http_request', 'scrape_url', 'alert', 'ynab']],
  [texts.groups.data, ['transform', 'condition', 'exit_loop']],
  [texts.groups.people, ['ask_user']],
  [texts.groups.memory, ['load_memory', 'preload_memory', 'save_memory', 'load_artifacts', 'save_artifact']],
];

/** The tools that match the query, by subject; those of the folder and of each MCP server last. A server also matches by its name. */
export function toolGroups(tools: readonly ToolInfo[], servers: readonly McpServerInfo[], query: string): readonly ToolGroup[] {
  const words = query.toLowerCase().split(/\s+/);
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = tools.filter(({ name, description }) => fits(`${name} ${description}`));
  const listed = new Set(subjects.flatMap(([, names]) => names));
  const group = (heading: string, own: readonly ToolInfo[]): ToolGroup => ({ heading, server: null, tools: own });
  const groups = [
    ...subjects.map(([heading, names]) => group(heading, pick(found, names))),
    group(
      texts.groups.folder,
      found.filter(({ name }) => name.startsWith('./')),
    ),
    group(
      texts.groups.more,
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

/** The number of a server's tools that the user has not approved yet. */
export function waitingForApproval({ tools }: McpServerInfo): number {
  return tools.filter(({ standing }) => standing === 'new' || standing === 'changed').length;
}
