import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { uuidV7 } from '#main/platform/uuid-v7.ts';
import { lockDataFolder, serverIdOf } from '#main/server/data-folder.ts';
import { DeployedFolders } from '#main/server/deployed-folders.ts';
import { FlowService } from '#main/server/flow-service.ts';
import { openStore, type StoreLocation, startRunStore } from '#main/server/open-store.ts';
import { RunService } from '#main/server/run-service.ts';
import { ServedFolders } from '#main/server/served-folders.ts';
import { TokenService } from '#main/server/token-service.ts';
import type { TelemetryExporter } from '#main/telemetry/exporter.ts';
import { type ServerHostOptions, startServerHost } from './server-host.ts';

export interface ServeOptions
  extends StoreLocation,
    Pick<ServerHostOptions, 'host' | 'port' | 'allowOrigins' | 'publicUrl' | 'rate' | 'log'> {
  readonly folders: readonly string[];
  /** How many runs are driven at once in a folder. Default: two more than there are cores. */
  readonly threads?: number;
  /** Runs that are driven or queued at once. Default: 1,000. */
  readonly runLimit?: number;
  /** Whether deployed flows may run their own code, programs and servers. */
  readonly trustDeployments?: boolean;
  /** Exports traces and metrics to where the standard variables of the environment say; null: nothing is exported. */
  readonly telemetry?: { readonly content: boolean } | null;
  /** How long steps in progress may take when the server stops, in seconds. */
  readonly grace: number;
  /** How long another server with the same database may be silent before its runs are taken over, in seconds. Default: 15. */
  readonly silence?: number;
}

const longestSilence = 15;

export interface RunningServer {
  readonly url: string;
  readonly tokens: TokenService;
  /** Whether no token exists yet. */
  readonly needsToken: boolean;
  /** Number of runs that an earlier server left, and that are driven on. */
  readonly takenUp: number;
  /** Ends streams, lets steps in progress finish, and closes everything. Runs that are driven stay marked for the next server. */
  stop(): Promise<void>;
}

/** Loads OpenTelemetry's SDK, which nothing else does. */
async function startExporter(content: boolean): Promise<TelemetryExporter> {
  const { TelemetryExporter: Exporter } = await import('#main/telemetry/exporter.ts');
  return new Exporter({ content, service: 'pravah' });
}

/** Starts a server. Throws `FlowError` if a folder is missing, or another server has the data folder. */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { data, folders: paths, threads, grace, runLimit, trustDeployments = false, silence = longestSilence } = options;
  const store = await openStore(options);
  const closers: (() => unknown)[] = [() => store.close()];
  const close = async () => {
    for (const each of closers.reverse()) await each();
  };
  try {
    if (data !== null) closers.push(lockDataFolder(data));
    const unpacked = data ?? (await mkdtemp(join(tmpdir(), 'pravah-deployed-')));
    if (data === null) closers.push(() => rm(unpacked, { recursive: true, force: true }));
    const runStore = await startRunStore(options);
    closers.push(() => runStore?.close());
    const deployed = new DeployedFolders({ store: store.flows, folder: unpacked, trusted: trustDeployments });
    const telemetry = options.telemetry ? await startExporter(options.telemetry.content) : undefined;
    if (telemetry) closers.push(() => telemetry.close());
    const running = { ...(threads !== undefined && { runSlots: threads }), ...(telemetry && { telemetry }) };
    const folders = await ServedFolders.open(paths, { runs: store.runs, deployed, runStore: runStore?.connect, ...running });
    closers.push(() => folders.close());
    const server = data === null ? uuidV7() : serverIdOf(data);
    const runs = new RunService({ folders, store, server, newId: uuidV7, ...(runLimit !== undefined && { runLimit }) });
    const tokens = new TokenService(store.tokens, Date.now);
    const host = await startServerHost({
      ...options,
      services: { folders, runs, tokens, flows: new FlowService(folders, store.flows, Date.now) },
      store,
      telemetry,
      now: Date.now,
    });
    closers.push(() => host.close());
    const takenUp = await runs.takeUp();
    if (runStore) await runs.lookAfter(silence);
    return {
      url: host.url,
      tokens,
      needsToken: (await tokens.list(1, null)).length === 0,
      takenUp,
      async stop() {
        await Promise.all([host.drain(), runs.stop(grace)]);
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
