import type { Context } from '#main/engine/ports/context.ts';
import { openMcpTools } from '#main/mcp/mcp-tools.ts';
import type { SharedServers } from '#main/mcp/shared-servers.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { readPrices } from '#main/models/settings/prices.ts';
import { keysAsSecrets, readUserModels } from '#main/models/settings/user-models.ts';
import { pythonToolsOf } from '#main/python/python-tools.ts';
import { type ContextOptions, createContext } from '#main/workspace/create-context.ts';
import { openApiToolsOf } from '#main/workspace/openapi-tools.ts';
import { loadSettings, type WorkspaceSettings } from '#main/workspace/settings.ts';
import { isTrusted } from '#main/workspace/trust.ts';
import { WorkspaceTools } from '#main/workspace-code/workspace-tools.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { ExecutorOptions } from './run-executor.ts';

export interface RunEnvironmentOptions
  extends Pick<ContextOptions, 'folder' | 'consented' | 'trusted' | 'settings' | 'allow_commands' | 'allow_hosts'> {
  /** MCP servers owned by another thread. Default: servers are started here on first use. */
  readonly sharedServers?: SharedServers | undefined;
}

/** Everything that a run of a folder uses. Dispose of it to stop the MCP servers and the processes of the folder's code. */
export interface RunEnvironment extends AsyncDisposable {
  readonly settings: WorkspaceSettings;
  readonly trusted: boolean;
  readonly context: Context;
  /** The options of an executor that depend on the folder: the context, and the folder's own tools if it is trusted. */
  readonly executorOptions: Pick<ExecutorOptions, 'context' | 'toolsOf' | 'pricesOf' | 'keepConversationDays'>;
}

/**
 * Assembles a run's environment from the folder's settings and trust, the user's models and keys, the approved MCP tools and the folder's
 * own tools. Throws `FlowError` `BuildError` for an invalid `pravah.json`.
 */
export async function createRunEnvironment({ sharedServers, ...options }: RunEnvironmentOptions): Promise<RunEnvironment> {
  const { folder } = options;
  const settings = options.settings ?? (await loadSettings(folder));
  const trusted = options.trusted ?? (await isTrusted(folder));
  const user = await readUserModels();
  const mcp = await openMcpTools({ folder, settings, trusted, shared: sharedServers });
  const context = await createContext({
    ...options,
    settings,
    trusted,
    models: createModelClients({ folder, settings, trusted, user }),
    stored_secrets: keysAsSecrets(user.keys),
    prices: () => readPrices(folder, settings),
    tools: mcp.tools,
  });
  const tools = new WorkspaceTools(folder);
  const { python } = context;
  const ofFolder = async (graph: FlowGraph) => [...(await tools.toolsOf(graph)), ...(python ? await pythonToolsOf(python, graph) : [])];
  const toolsOf = async (graph: FlowGraph) => [
    ...openApiToolsOf({ folder: context.working_dir, settings }, graph),
    ...(trusted ? await ofFolder(graph) : []),
  ];
  return {
    settings,
    trusted,
    context,
    executorOptions: {
      context,
      toolsOf,
      pricesOf: () => readPrices(folder, settings),
      ...(settings.conversations.keep_days !== undefined && { keepConversationDays: settings.conversations.keep_days }),
    },
    [Symbol.asyncDispose]: async () => {
      tools.close();
      python?.close();
      await mcp.close();
    },
  };
}
