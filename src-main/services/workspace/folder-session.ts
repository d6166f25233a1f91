import { basename } from 'node:path';
import { FolderBreakpoints } from '#main/services/debug/folder-breakpoints.ts';
import { FlowDocuments } from '#main/services/flows/flow-documents.ts';
import { FolderServers } from '#main/services/mcp/folder-servers.ts';
import { Background } from '#main/services/query-worker/background.ts';
import { MatrixRuns } from '#main/services/runs/matrix-runs.ts';
import { type RunningOptions, RunRegistry } from '#main/services/runs/run-registry.ts';
import { isExample } from '#main/workspace/examples.ts';
import { FlowWatch } from '#main/workspace/flow-folder.ts';
import { gitStatus } from '#main/workspace/git-status.ts';
import { loadSettings, type WorkspaceSettings } from '#main/workspace/settings.ts';
import { isTrusted, setTrusted } from '#main/workspace/trust.ts';
import { type FoundTool, WorkspaceTools } from '#main/workspace-code/workspace-tools.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { Workspace } from '#shared/contract/workspace.ts';
import { isReadOnlyFlow } from '#shared/flow/flow-file.ts';

/** Timeout of git status in milliseconds: a slow repository must not block the folder. */
const gitPatience = 1500;

export interface FolderListener {
  readonly onFilesChanged: (flows: readonly string[]) => void;
  readonly onRunChange: (summary: RunSummary) => void;
}

/** An open folder with its threads, runs and file watcher. */
export class FolderSession {
  /** Real path. */
  readonly folder: string;
  readonly background: Background;
  readonly flows: FlowDocuments;
  readonly runs: RunRegistry;
  readonly debug: FolderBreakpoints;
  readonly matrices: MatrixRuns;
  readonly mcp: FolderServers;
  readonly #watch: FlowWatch;
  readonly #tools: WorkspaceTools;
  #listing: Promise<FoundTool[]> | undefined;

  constructor(folder: string, listener: FolderListener, running: RunningOptions = {}) {
    this.folder = folder;
    this.background = new Background(folder, running.runStore);
    this.flows = new FlowDocuments(folder, () => listener.onFilesChanged([]));
    this.mcp = new FolderServers({
      folder,
      trusted: () => this.trusted(),
      settings: () => this.settings(),
      onApproved: () => this.runs.renew(),
    });
    this.debug = new FolderBreakpoints({
      folder,
      read: (path) => this.#textOf(path),
      onChange: (debug) => this.runs.setDebug(debug),
      check: async (supplied, texts) => this.background.call('checkSupplied', { supplied, texts, trusted: await this.trusted() }),
    });
    const onRunChange = (summary: RunSummary) => {
      if (summary.stop) void this.debug.stopped(summary.stop).catch(() => undefined);
      listener.onRunChange(summary);
    };
    this.runs = new RunRegistry(folder, this.background, this.mcp, onRunChange, () => this.debug.active(), running);
    this.matrices = new MatrixRuns(this.background, this.runs, async () => (await this.debug.active()).supplied);
    this.#tools = new WorkspaceTools(folder);
    this.#watch = new FlowWatch(folder, (flows) => {
      // A node may have been renamed.
      void this.debug.refresh().catch(() => undefined);
      listener.onFilesChanged(flows);
    });
    // Questions may have been answered without a studio. A draft that remains is removed at the next check.
    this.background.call('sweepAnswerDrafts').catch(() => undefined);
  }

  trusted(): Promise<boolean> {
    return isTrusted(this.folder);
  }

  settings(): Promise<WorkspaceSettings> {
    return loadSettings(this.folder);
  }

  async setTrusted(trusted: boolean): Promise<void> {
    await setTrusted(this.folder, trusted);
    if (trusted) await this.runs.renew();
    else await this.onPermissionsRevoked();
  }

  /** Handles a revoked permission: runs continue without it, and an untrusted folder's servers are stopped. */
  async onPermissionsRevoked(): Promise<void> {
    await this.runs.revoke();
    await this.mcp.refresh();
  }

  /** Returns the folder's own tools. Loading them runs its code, so only for a trusted folder. */
  ownTools(): Promise<FoundTool[]> {
    this.#listing ??= this.#tools.list().finally(() => {
      this.#listing = undefined;
      this.#tools.close();
    });
    return this.#listing;
  }

  /** Returns the folder's current state for display. */
  async describe(): Promise<Workspace> {
    const trusted = await this.trusted();
    const [flows, git, notice] = await Promise.all([
      this.background.call('flows'),
      gitStatus(this.folder, { trusted, signal: AbortSignal.timeout(gitPatience) }),
      this.background.call('journalNotice'),
    ]);
    return {
      folder: this.folder,
      name: basename(this.folder) || this.folder,
      trusted,
      flows,
      git: git && { ...git },
      example: isExample(this.folder),
      journal_notice: notice,
    };
  }

  /** Returns the current text of a flow, saved or not; null if it can't be read. */
  async #textOf(path: string): Promise<string | null> {
    try {
      if (isReadOnlyFlow(path)) return (await this.background.call('readCode', { path, trusted: await this.trusted() })).text;
      const { text, draft } = await this.flows.at(path).read();
      return draft?.text ?? text;
    } catch {
      return null;
    }
  }

  async close(): Promise<void> {
    this.#watch.close();
    this.debug.close();
    this.flows.close();
    this.#tools.close();
    await this.runs.close();
    await this.mcp.close();
    await this.background.close();
  }
}
