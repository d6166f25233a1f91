import { dirname } from 'node:path';
import { KnownServers } from '#main/connections/known-servers.ts';
import { fileCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore } from '#main/models/keys/key-store.ts';
import type { HostCapabilities } from '#main/services/host/host-capabilities.ts';
import { AttachedServers } from '#main/services/servers/attached-servers.ts';
import { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { relativeInside } from '#main/services/workspace/relative-inside.ts';
import { findWorkspace } from '#main/workspace/find-workspace.ts';
import { appRouter } from './app.ts';
import { consentRouter } from './consent.ts';
import { conversationsRouter } from './conversations.ts';
import { debugRouter } from './debug.ts';
import { flowsRouter } from './flows.ts';
import { mcpRouter } from './mcp.ts';
import { modelsRouter } from './models.ts';
import { runsRouter } from './runs.ts';
import { secretsRouter } from './secrets.ts';
import { serversRouter } from './servers.ts';
import { toolsRouter } from './tools.ts';
import { withServers } from './with-servers.ts';
import { workspaceRouter } from './workspace.ts';

/** The studio's services as one router, with operations for their host. */
export interface Services {
  readonly router: StudioRouter;
  /** Opens a folder for all windows and tabs. Throws `NotFound`. */
  openFolder(folder: string): Promise<void>;
  /** Opens the workspace of a flow file and returns the file's path in it. Throws `NotFound`. */
  openFlowFile(file: string): Promise<string>;
  /** Ends watchers and abandons transitions in progress; runs stay in their journals. */
  close(): Promise<void>;
}

export type StudioRouter = ReturnType<typeof createRouter>;

function createRouter(host: HostCapabilities, current: CurrentFolder) {
  const keys = new KeyStore(host.keyCipher ?? fileCipher);
  const servers = new AttachedServers(new KnownServers(keys));
  return {
    app: appRouter(host),
    workspace: workspaceRouter(current, host),
    flows: flowsRouter(current),
    consent: consentRouter(current),
    runs: withServers(runsRouter(current), servers),
    debug: withServers(debugRouter(current), servers),
    models: modelsRouter(current, keys),
    secrets: secretsRouter(current, keys),
    tools: toolsRouter(current),
    mcp: mcpRouter(current),
    servers: serversRouter(servers, current),
    conversations: conversationsRouter(current),
  };
}

export interface ServicesOptions {
  /** The folder to open first. Default: the last open one, or an example at the first start. */
  readonly folder?: string;
  /** How many runs may be driven at once. Default: two more than there are cores. */
  readonly runSlots?: number;
}

/** Creates the services of one studio process, shared by all its windows and tabs. */
export function createServices(host: HostCapabilities, { folder, runSlots }: ServicesOptions = {}): Services {
  const current = new CurrentFolder(host, folder, runSlots);
  return {
    router: createRouter(host, current),
    async openFolder(path) {
      await current.open(path);
    },
    async openFlowFile(file) {
      const { folder: workspace } = await findWorkspace(dirname(file));
      await current.open(workspace);
      return relativeInside(workspace, file);
    },
    close: () => current.close(),
  };
}
