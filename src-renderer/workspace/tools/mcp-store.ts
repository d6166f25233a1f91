import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { follow } from '#renderer/api/follow.ts';
import { studio } from '#renderer/api/studio.ts';
import { reloadTools } from '#renderer/workspace/folder/workspace.ts';
import type { McpServerInfo } from '#shared/contract/mcp.ts';
import type { TransferableError } from '#shared/run/error.ts';

interface McpState {
  readonly servers: readonly McpServerInfo[];
  /** The server with an action in progress. */
  readonly busy: string | null;
  /** The last failure, and its server. */
  readonly failure: { readonly server: string; readonly error: TransferableError } | null;
}

/** The folder's MCP servers, up to date while they are watched. */
export const mcpStore = createStore<McpState>()(() => ({ servers: [], busy: null, failure: null }));

/** Keeps the servers up to date. Returns the function that stops this. */
export function watchMcpServers(): () => void {
  return follow({
    subscribe: (signal) => studio.mcp.watch(undefined, { signal }),
    onItem: (servers) => mcpStore.setState({ servers }),
  });
}

export const startServer = (name: string) => change(name, () => studio.mcp.connect({ name }));
export const stopServer = (name: string) => change(name, () => studio.mcp.stop({ name }));

/** Ends the server and starts it again. */
export const restartServer = (name: string) =>
  change(name, async () => {
    await studio.mcp.stop({ name });
    return studio.mcp.connect({ name });
  });

/** Approves these tools as they were shown, instead of those approved before. */
export const approveTools = (name: string, tools: readonly { readonly name: string; readonly fingerprint: string }[]) =>
  change(name, async () => {
    const server = await studio.mcp.approve({ name, tools: tools.map(({ name: tool, fingerprint }) => ({ name: tool, fingerprint })) });
    await reloadTools();
    return server;
  });

async function change(server: string, act: () => Promise<McpServerInfo>): Promise<void> {
  if (mcpStore.getState().busy !== null) return;
  mcpStore.setState({ busy: server, failure: null });
  try {
    const changed = await act();
    mcpStore.setState(({ servers }) => ({ servers: servers.map((each) => (each.name === server ? changed : each)) }));
  } catch (thrown) {
    mcpStore.setState({ failure: { server, error: failureOf(thrown) } });
  } finally {
    mcpStore.setState({ busy: null });
  }
}
