import type { Journal } from '#main/journal/journal.ts';
import { closeJournals, journalOf, openWorkspaceJournals, type WorkspaceJournals } from '#main/journal/workspace-journals.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** The journals of one folder, opened when they are first needed. */
export class FolderJournals {
  /** Real path of the workspace. */
  readonly folder: string;
  #opened: Promise<WorkspaceJournals> | undefined;
  /** Runs of capsules that are open, by the ids under which they are. */
  readonly #capsules = new Map<string, Journal>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Opens them. What failed is tried again at the next call. */
  open(): Promise<WorkspaceJournals> {
    this.#opened ??= openWorkspaceJournals(this.folder).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** The journal that holds a run. Throws `NotFound`. */
  async holding(runId: string): Promise<Journal> {
    return this.#capsules.get(runId) ?? journalOf(await this.open(), runId);
  }

  /** The journals of runs that are open from capsules. */
  get capsules(): readonly Journal[] {
    return [...this.#capsules.values()];
  }

  /** Takes a capsule's run in, until it or the folder is closed. */
  addCapsule(runId: string, journal: Journal): void {
    this.closeCapsule(runId);
    this.#capsules.set(runId, journal);
  }

  /** Closes a capsule; answers whether the run was one's. */
  closeCapsule(runId: string): boolean {
    this.#capsules.get(runId)?.close();
    return this.#capsules.delete(runId);
  }

  /** The same, for going on with it. Throws `Conflict` when it may only be looked at. */
  async drivable(runId: string): Promise<Journal> {
    const journal = await this.holding(runId);
    if (!journal.readonly) return journal;
    throw new FlowError(
      'Conflict',
      `The run ${runId} came from elsewhere: it can be looked at, not driven. Fork it, or start a run of your own.`,
      {
        details: { run_id: runId, path: journal.path },
      },
    );
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    if (opened) closeJournals(opened);
    this.#opened = undefined;
    for (const runId of [...this.#capsules.keys()]) this.closeCapsule(runId);
  }
}
