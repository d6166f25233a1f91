import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import { DeployedFolders } from '#main/server/deployed-folders.ts';
import { FlowService } from '#main/server/flow-service.ts';
import { RunService } from '#main/server/run-service.ts';
import { ServedFolders } from '#main/server/served-folders.ts';
import { memoryStore } from '#main/store/memory/memory-store.ts';
import { mcpServer } from './mcp-server.ts';

/** Offers the flows of folders as tools of MCP on standard input and output, until the client closes them. Throws `NotFound` for a folder that is missing. */
export async function serveMcp(paths: readonly string[], named: readonly string[]): Promise<void> {
  const store = memoryStore();
  // No one can deploy to it.
  const deployed = new DeployedFolders({ store: store.flows, folder: '', trusted: false });
  const folders = await ServedFolders.open(paths, { runs: store.runs, deployed });
  try {
    const runs = new RunService({ folders, store, server: uuidV7(), newId: uuidV7 });
    const server = mcpServer({ flows: new FlowService(folders, store.flows, Date.now), runs, named });
    const closed = new Promise<void>((done) => {
      server.onclose = done;
      process.stdin.once('end', done);
      process.once('SIGTERM', done).once('SIGINT', done);
    });
    await server.connect(new StdioServerTransport());
    await closed;
    await server.close();
  } finally {
    await folders.close();
  }
}
