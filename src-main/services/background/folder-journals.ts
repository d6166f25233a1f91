import type { Journal } from '#main/journal/journal.ts';
import { closeJournals, journalOf, openWorkspaceJournals, type WorkspaceJournals } from '#main/journal/workspace-journals.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** The journals of one folder, opened when they are first needed. */
export class FolderJournals {
  /** Real path of the workspace. */
  readonly folder: string;
  #opened: Promise<WorkspaceJournals> | undefined;

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
    return journalOf(await this.open(), runId);
  }

  /** The same, for going on with it. Throws `Conflict` when it may only be looked at. */
  async drivable(runId: string): Promise<Journal> {
    const journal = await this.holding(runId);
    if (!journal.readonly) return journal;
    throw new FlowError('Conflict', `The run ${runId} came with this folder: it can be looked at, not driven. Start a run of your own.`, {
      details: { run_id: runId, path: journal.path },
    });
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    if (opened) closeJournals(opened);
    this.#opened = undefined;
  }
}
