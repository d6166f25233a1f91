import { basename } from 'node:path';
import { FolderSession } from '#main/services/workspace/folder-session.ts';
import { realFolder } from '#main/services/workspace/real-folder.ts';
import type { ServedRunStore } from '#main/store/server-store.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import { FlowError } from '#shared/run/error.ts';

/** A folder that a server offers. */
export interface ServedFolder {
  readonly session: FolderSession;
  /** What the names of its flows begin with: empty if it is the only folder, else `NAME/`. */
  readonly prefix: string;
}

/** The folders of a server, each with its runs. */
export class ServedFolders {
  readonly all: readonly ServedFolder[];
  readonly #runs: ServedRunStore;
  readonly #changed = new Set<(summary: RunSummary) => void>();

  private constructor(paths: readonly string[], runs: ServedRunStore, runSlots: number | undefined) {
    this.#runs = runs;
    this.all = paths.map((path) => ({
      session: new FolderSession(path, { onFilesChanged: () => undefined, onRunChange: (summary) => this.#publish(summary) }, runSlots),
      prefix: paths.length === 1 ? '' : `${basename(path)}/`,
    }));
  }

  /** Opens folders. Throws `NotFound` for one that is missing, and `Conflict` for two of one name. */
  static async open(folders: readonly string[], runs: ServedRunStore, runSlots?: number): Promise<ServedFolders> {
    const paths = [...new Set(await Promise.all(folders.map(realFolder)))];
    const twice = paths.find((path, index) => paths.findIndex((other) => basename(other) === basename(path)) !== index);
    if (twice !== undefined)
      throw new FlowError('Conflict', `Two folders are called “${basename(twice)}”, so their flows would have the same names. Rename one.`);
    return new ServedFolders(paths, runs, runSlots);
  }

  /** Finds the folder of a flow by the flow's name. Throws `NotFound`. */
  ofFlow(name: string): { readonly folder: ServedFolder; readonly path: string } {
    const folder = this.all.find(({ prefix }) => name.startsWith(prefix));
    if (!folder) throw new FlowError('NotFound', `There is no flow ${name}. List the flows with GET /v1/flows.`, { details: { name } });
    return { folder, path: name.slice(folder.prefix.length) };
  }

  /** Finds the folder whose journal has a run. Throws `NotFound`. */
  async ofRun(runId: string): Promise<ServedFolder> {
    const known = await this.#runs.get(runId);
    const folder = this.all.find(({ session }) => session.folder === known?.folder);
    if (folder) return folder;
    for (const candidate of this.all) {
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

  async close(): Promise<void> {
    await Promise.all(this.all.map(({ session }) => session.close()));
  }

  #publish(summary: RunSummary): void {
    for (const listener of this.#changed) listener(summary);
  }
}
