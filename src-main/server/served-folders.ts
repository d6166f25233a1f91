import { basename } from 'node:path';
import type { RunStoreChannel } from '#main/journal/run-store-calls.ts';
import { removeWorkingCopy } from '#main/journal/workspace-journals.ts';
import type { RunTelemetry } from '#main/runner/posted-telemetry.ts';
import { RunThreads } from '#main/runner/run-threads.ts';
import type { RunningOptions } from '#main/services/runs/run-registry.ts';
import { FolderSession } from '#main/services/workspace/folder-session.ts';
import { realFolder } from '#main/services/workspace/real-folder.ts';
import type { DeployedVersionRow, ServedRunStore } from '#main/store/server-store.ts';
import { confirm } from '#main/workspace/capabilities/consent.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import { capabilityKey } from '#shared/flow/capabilities/capability.ts';
import { FlowError } from '#shared/run/error.ts';
import { type DeployedFolders, deployedKey, deployedVersion, nameAndVersion } from './deployed-folders.ts';

/** A folder that a server offers, or a version of a deployed flow. */
export interface ServedFolder {
  readonly session: FolderSession;
  /** What the store calls it: its real path, or `flow:NAME@VERSION`. */
  readonly key: string;
  /** What callers call a flow of the folder, by its path. */
  readonly nameOf: (path: string) => string;
}

/** A folder whose flows are offered under their paths. */
export interface OfferedFolder extends ServedFolder {
  /** What the names of its flows begin with: empty if it is the only folder, else `NAME/`. */
  readonly prefix: string;
}

/** A flow that a run can be started of. */
export interface FoundFlow {
  readonly folder: ServedFolder;
  readonly path: string;
}

export interface ServedFolderOptions {
  readonly runs: ServedRunStore;
  readonly deployed: DeployedFolders;
  /** How many runs are driven at once in a folder. */
  readonly runSlots?: number;
  readonly telemetry?: RunTelemetry;
  /** Opens a channel to the store that has the runs of deployed flows. Default: they are in journals on this machine. */
  readonly runStore?: RunStoreChannel | undefined;
}

/** The folders of a server, each with its runs; those of deployed flows are opened when they are needed. */
export class ServedFolders {
  /** The folders that the server was started with. */
  readonly offered: readonly OfferedFolder[];
  readonly deployed: DeployedFolders;
  readonly #runs: ServedRunStore;
  readonly #running: Pick<RunningOptions, 'slots' | 'telemetry' | 'threads'>;
  readonly #threads = new RunThreads();
  readonly #runStore: RunStoreChannel | undefined;
  readonly #opened = new Map<string, Promise<ServedFolder>>();
  readonly #changed = new Set<(summary: RunSummary) => void>();
  readonly #onOpened = new Set<(folder: ServedFolder) => void>();
  readonly #listener = {
    onFilesChanged: () => undefined,
    onRunChange: (summary: RunSummary) => {
      for (const listener of this.#changed) listener(summary);
    },
  };

  private constructor(paths: readonly string[], { runs, deployed, runSlots, telemetry, runStore }: ServedFolderOptions) {
    this.#runs = runs;
    this.#runStore = runStore;
    this.deployed = deployed;
    this.#running = { threads: this.#threads, ...(runSlots !== undefined && { slots: runSlots }), ...(telemetry && { telemetry }) };
    this.offered = paths.map((path) => {
      const prefix = paths.length === 1 ? '' : `${basename(path)}/`;
      const session = new FolderSession(path, this.#listener, this.#running);
      return { session, key: session.folder, prefix, nameOf: (flow) => prefix + flow };
    });
  }

  /** Opens folders. Throws `NotFound` for one that is missing, and `Conflict` for two of one name. */
  static async open(folders: readonly string[], options: ServedFolderOptions): Promise<ServedFolders> {
    const paths = [...new Set(await Promise.all(folders.map(realFolder)))];
    const twice = paths.find((path, index) => paths.findIndex((other) => basename(other) === basename(path)) !== index);
    if (twice !== undefined)
      throw new FlowError('Conflict', `Two folders are called “${basename(twice)}”, so their flows would have the same names. Rename one.`);
    return new ServedFolders(paths, options);
  }

  /** Folders that are open now. */
  async opened(): Promise<ServedFolder[]> {
    return [...this.offered, ...(await Promise.all(this.#opened.values()))];
  }

  /** Finds a flow by its name: deployed ones by `NAME` (the active version) or `NAME@VERSION`. Throws `NotFound`. */
  async ofFlow(name: string): Promise<FoundFlow> {
    const row = await this.deployed.find(name);
    if (row) return { folder: await this.ofVersion(row), path: row.flow };
    const folder = this.offered.find(({ prefix }) => name.startsWith(prefix));
    // Without a dot it is no path of a flow.
    if (!folder || nameAndVersion(name))
      throw new FlowError('NotFound', `There is no flow ${name}. List the flows with GET /v1/flows.`, { details: { name } });
    return { folder, path: name.slice(folder.prefix.length) };
  }

  /** Opens the folder of a deployed version. */
  ofVersion(row: DeployedVersionRow): Promise<ServedFolder> {
    const key = deployedKey(row);
    const known = this.#opened.get(key);
    if (known) return known;
    const opening = this.#openVersion(key, row);
    this.#opened.set(key, opening);
    opening.catch(() => this.#opened.delete(key));
    return opening;
  }

  /** Opens the folder that the store calls so; null if the server has none. */
  async ofKey(key: string): Promise<ServedFolder | null> {
    const version = deployedVersion(key);
    if (!version) return this.offered.find((folder) => folder.key === key) ?? null;
    const row = await this.deployed.version(version.name, version.version);
    return row && this.ofVersion(row);
  }

  /** Finds the folder whose journal has a run. Throws `NotFound`. */
  async ofRun(runId: string): Promise<ServedFolder> {
    const known = await this.#runs.get(runId);
    const folder = known && (await this.ofKey(known.folder));
    if (folder) return folder;
    for (const candidate of this.offered) {
      const found = await candidate.session.background.call('summary', { run_id: runId }).catch((error: unknown) => {
        if (error instanceof FlowError && error.variant === 'NotFound') return null;
        throw error;
      });
      if (found) return candidate;
    }
    throw new FlowError('NotFound', `There is no run ${runId}.`, { details: { run_id: runId } });
  }

  /** Calls `listener` with each run that changes while this process drives it. */
  onChange(listener: (summary: RunSummary) => void): void {
    this.#changed.add(listener);
  }

  /** Calls `listener` with each folder that is opened from now on. Returns what ends it. */
  onOpened(listener: (folder: ServedFolder) => void): () => void {
    this.#onOpened.add(listener);
    return () => this.#onOpened.delete(listener);
  }

  async close(): Promise<void> {
    await Promise.all((await this.opened()).map(({ session }) => session.close()));
    await this.#threads.close();
  }

  async #openVersion(key: string, row: DeployedVersionRow): Promise<ServedFolder> {
    const path = await this.deployed.unpack(row);
    if (this.#runStore) removeWorkingCopy(path);
    const session = new FolderSession(path, this.#listener, {
      ...this.#running,
      runStore: this.#runStore,
      folderOf: (runId) => this.deployed.folderOfRun(runId, path),
    });
    const flow = await session.background.call('servedFlow', { path: row.flow, trusted: this.deployed.trusted });
    // Who deployed it has agreed to what it may do.
    await confirm(path, row.flow, flow.capabilities.map(capabilityKey));
    const name = `${row.name}@${row.version}`;
    const folder = { session, key, nameOf: () => name };
    for (const listener of this.#onOpened) listener(folder);
    return folder;
  }
}
