import type { Journal } from '#main/journal/journal.ts';
import {
  closeJournals,
  hasOwnJournal,
  journalOf,
  openExistingJournals,
  openWorkspaceJournals,
  type WorkspaceJournals,
} from '#main/journal/workspace-journals.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** The journals of one folder, opened when they are first needed. Looking at a folder makes nothing in it; the first run does. */
export class FolderJournals {
  /** Real path of the workspace. */
  readonly folder: string;
  #opened: Promise<WorkspaceJournals> | undefined;
  /** Whether the folder's own journal, or what stands in its place for good, is among those that are open. */
  #complete = false;
  /** Journals that others took the place of; a task may still be reading them. */
  readonly #replaced: WorkspaceJournals[] = [];
  /** Runs of capsules that are open, by the ids under which they are. */
  readonly #capsules = new Map<string, Journal>();

  constructor(folder: string) {
    this.folder = folder;
  }

  /** How often other journals took the place of those that were open. */
  get generation(): number {
    return this.#replaced.length;
  }

  /** Opens those that exist; nothing is made in the folder. What failed is tried again at the next call. */
  async open(): Promise<WorkspaceJournals> {
    if (this.#opened && (this.#complete || !hasOwnJournal(this.folder))) return this.#opened;
    return this.#openBy(openExistingJournals, hasOwnJournal(this.folder));
  }

  /** Opens them for a new run, which makes the folder's journal where there is none. */
  async openForNewRun(): Promise<WorkspaceJournals> {
    if (this.#opened && this.#complete) return this.#opened;
    return this.#openBy(openWorkspaceJournals, true);
  }

  #openBy(open: (folder: string) => Promise<WorkspaceJournals>, complete: boolean): Promise<WorkspaceJournals> {
    const before = this.#opened;
    this.#complete = complete;
    const opening = open(this.folder).then(
      async (journals) => {
        if (before) this.#replaced.push(await before);
        return journals;
      },
      (error: unknown) => {
        this.#opened = before;
        this.#complete = false;
        throw error;
      },
    );
    this.#opened = opening;
    return opening;
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
    for (const journals of opened ? [opened, ...this.#replaced] : this.#replaced) closeJournals(journals);
    this.#replaced.length = 0;
    this.#opened = undefined;
    this.#complete = false;
    for (const runId of [...this.#capsules.keys()]) this.closeCapsule(runId);
  }
}
