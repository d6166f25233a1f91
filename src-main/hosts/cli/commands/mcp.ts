import { trustOf } from '#main/hosts/cli/options/consent.ts';
import { UsageError } from '#main/hosts/cli/options/exit-codes.ts';
import { printLine, printNote, styled } from '#main/hosts/cli/output/terminal.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { approveShown, overviewOf } from '#main/mcp/server-overview.ts';
import { McpServers } from '#main/mcp/servers.ts';
import { readDotEnv } from '#main/workspace/secrets.ts';
import { loadSettings, type McpServerSettings } from '#main/workspace/settings.ts';
import type { McpServerInfo } from '#shared/contract/mcp.ts';
import { toTransferable } from '#shared/run/error.ts';

export interface McpOptions {
  readonly folder?: string;
  readonly json?: boolean;
  readonly trust?: boolean;
}

/** `pravah mcp list`: starts the folder's servers and lists their tools. Exit code 1 if one can't be reached. */
export async function list(options: McpOptions): Promise<number> {
  return withServers(options, async (folder, settings, servers) => {
    const infos = await Promise.all(
      Object.entries(settings).map(async ([name, own]) => {
        await servers?.offer(name).catch(() => undefined);
        return overviewOf({ folder, name, settings: own }, servers);
      }),
    );
    if (infos.length === 0 && !options.json) printNote('No MCP servers in pravah.json. Add one under "mcp_servers".');
    for (const info of infos) print(info, options);
    return infos.some(({ state }) => state === 'failed') ? 1 : 0;
  });
}

/** `pravah mcp approve SERVER [TOOL…]`: approves the named tools as the server lists them now, or all of them. */
export async function approve(name: string, tools: readonly string[], options: McpOptions): Promise<number> {
  return withServers(options, async (folder, settings, servers) => {
    const usable = usableServer(name, settings, servers);
    const server = { folder, name, settings: settings[name] as McpServerSettings };
    await usable.offer(name);
    const offered = (await overviewOf(server, usable)).tools.filter(({ standing }) => standing !== 'gone');
    const unknown = tools.find((tool) => !offered.some((listed) => listed.name === tool));
    if (unknown !== undefined)
      throw new UsageError(
        `${name} has no tool "${unknown}". ${listOf(
          'Its tools',
          offered.map((tool) => tool.name),
        )}`,
      );
    const chosen = offered.filter((tool) => tools.length === 0 || tools.includes(tool.name) || tool.standing === 'approved');
    await approveShown(server, usable, chosen);
    print(await overviewOf(server, usable), options);
    return 0;
  });
}

/** `pravah mcp resources SERVER`: starts the server and lists what it offers to read. */
export async function resources(name: string, options: McpOptions): Promise<number> {
  return withServer(name, options, async (servers) => {
    const listed = await servers.resources(name);
    if (options.json) printLine(JSON.stringify(listed ?? { resources: [], templates: [] }));
    else if (listed === null) printNote(`MCP server ${name} has no resources.`);
    else {
      for (const each of listed.resources) printOffered(`mcp:${name}/${each.uri}`, each);
      for (const each of listed.templates) printOffered(`mcp:${name}/${each.uri_template}`, each);
    }
    return 0;
  });
}

/** `pravah mcp prompts SERVER`: starts the server and lists its prompts with their arguments. */
export async function prompts(name: string, options: McpOptions): Promise<number> {
  return withServer(name, options, async (servers) => {
    const listed = await servers.prompts(name);
    if (options.json) printLine(JSON.stringify(listed ?? []));
    else if (listed === null) printNote(`MCP server ${name} has no prompts.`);
    for (const each of options.json ? [] : (listed ?? [])) {
      printOffered(each.name, each);
      for (const { name: argument, required, description = '' } of each.arguments)
        printLine(`      ${argument}${required ? ' (required)' : ''}  ${description}`.trimEnd());
    }
    return 0;
  });
}

function printOffered(name: string, { description, media_type }: { readonly description?: string; readonly media_type?: string }): void {
  printLine(`${styled('bold', name)}${media_type ? `  ${media_type}` : ''}`);
  for (const line of description ? description.split('\n') : []) printLine(`    ${line}`);
}

/** A server of a trusted folder. */
function withServer(name: string, options: McpOptions, act: (servers: McpServers) => Promise<number>): Promise<number> {
  return withServers(options, async (_folder, settings, servers) => act(usableServer(name, settings, servers)));
}

/** Throws `UsageError` for a server that does not exist or may not be started. */
function usableServer(name: string, settings: Settings, servers: McpServers | null): McpServers {
  if (!Object.hasOwn(settings, name))
    throw new UsageError(`Unknown MCP server "${name}". ${listOf('Servers in pravah.json', Object.keys(settings))}`);
  if (!servers) throw new UsageError('MCP servers run only in trusted folders. Add --trust to trust this folder permanently.');
  return servers;
}

type Settings = Readonly<Record<string, McpServerSettings>>;

/** `servers` is null if the folder is not trusted. */
async function withServers(
  options: McpOptions,
  act: (folder: string, settings: Settings, servers: McpServers | null) => Promise<number>,
): Promise<number> {
  const folder = await chooseWorkspace(options.folder);
  const { mcp_servers: settings } = await loadSettings(folder);
  const trusted = await trustOf(folder, options);
  const servers = trusted ? new McpServers({ folder, servers: settings, readSecrets: () => readDotEnv(folder) }) : null;
  try {
    return await act(folder, settings, servers);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    printNote(toTransferable(error).message);
    return 1;
  } finally {
    await servers?.close();
  }
}

function print(info: McpServerInfo, { json }: McpOptions): void {
  if (json) {
    printLine(JSON.stringify(info));
    return;
  }
  const state = info.state === 'blocked' ? 'blocked: the folder is not trusted' : info.state;
  printLine(`${styled('bold', info.name)}  ${state}  ${info.target}`);
  if (info.last_error) printLine(`  ${styled('red', info.last_error)}`);
  for (const { name, standing, read_only, description, input_schema, changes } of info.tools) {
    const mark = standing === 'approved' ? styled('green', standing) : styled('yellow', standing);
    printLine(`  mcp:${info.name}/${name}  ${mark}${read_only ? '  read-only' : ''}`);
    // Show everything before approval: models receive the whole schema with its descriptions.
    const details = [...description.split('\n'), ...JSON.stringify(input_schema, null, 2).split('\n'), ...changes];
    const lines = standing === 'approved' ? description.split('\n', 1) : details;
    for (const line of lines) printLine(`      ${line}`);
  }
  for (const fault of info.faults) printLine(`  ${styled('yellow', 'unusable')}  ${fault}`);
}

function listOf(what: string, names: readonly string[]): string {
  return `${what}: ${names.length === 0 ? 'none' : names.join(', ')}.`;
}
