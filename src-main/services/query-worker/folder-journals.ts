import type { Journal } from '#main/journal/journal.ts';
import type { RunStore } from '#main/journal/run-store.ts';
import {
  closeJournals,
  hasOwnJournal,
  journalOf,
  openExistingJournals,
  openWorkingCopy,
  openWorkspaceJournals,
  type WorkspaceJournals,
} from '#main/journal/workspace-journals.ts';
import { FlowError } from '#shared/run/error.ts';

/** The journals of one folder, opened lazily. Viewing a folder creates nothing in it; the first run does. */
export class FolderJournals {
  /** Real path of the workspace. */
  readonly folder: string;
  #opened: Promise<WorkspaceJournals> | undefined;
  /** Whether the folder's own journal, or its permanent replacement, is open. */
  #complete = false;
  /** Replaced journals that a task may still be reading. */
  readonly #replaced: WorkspaceJournals[] = [];
  /** Runs of open capsules by id. */
  readonly #capsules = new Map<string, Journal>();

  readonly #store: RunStore | undefined;

  /** `store`: the runs of which the folder's journal is a working copy. */
  constructor(folder: string, store?: RunStore) {
    this.folder = folder;
    this.#store = store;
  }

  /** How often the open journals were replaced. */
  get generation(): number {
    return this.#replaced.length;
  }

  /** Opens the existing journals without creating any. Failures are retried at the next call. */
  async open(): Promise<WorkspaceJournals> {
    if (this.#opened && (this.#complete || !hasOwnJournal(this.folder))) return this.#opened;
    return this.#openBy(openExistingJournals, hasOwnJournal(this.folder));
  }

  /** Opens the journals for a new run and creates the folder's journal if it is missing. */
  async openForNewRun(): Promise<WorkspaceJournals> {
    if (this.#opened && this.#complete) return this.#opened;
    return this.#openBy(openWorkspaceJournals, true);
  }

  #openBy(open: (folder: string) => Promise<WorkspaceJournals>, complete: boolean): Promise<WorkspaceJournals> {
    const before = this.#opened;
    this.#complete = complete || this.#store !== undefined;
    const opening = (this.#store ? openWorkingCopy(this.folder, this.#store) : open(this.folder)).then(
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

  /** Returns the journal that contains a run. Throws `NotFound`. */
  async holding(runId: string): Promise<Journal> {
    const capsule = this.#capsules.get(runId);
    if (capsule) return capsule;
    const journals = await this.open();
    journals.main.fetch(runId);
    return journalOf(journals, runId);
  }

  /** Returns the journals of open capsules. */
  get capsules(): readonly Journal[] {
    return [...this.#capsules.values()];
  }

  /** Adds a capsule's run until the capsule or the folder is closed. */
  addCapsule(runId: string, journal: Journal): void {
    this.closeCapsule(runId);
    this.#capsules.set(runId, journal);
  }

  /** Closes a capsule. Returns false if the run is not from a capsule. */
  closeCapsule(runId: string): boolean {
    this.#capsules.get(runId)?.close();
    return this.#capsules.delete(runId);
  }

  /** Returns the journal of a run to continue. Throws `Conflict` if the run is read-only. */
  async drivable(runId: string): Promise<Journal> {
    const journal = await this.holding(runId);
    if (!journal.readonly) return journal;
    throw new FlowError('Conflict', `Run ${runId} was imported: it can be viewed but not continued. Fork it or start a new run.`, {
      details: { run_id: runId, path: journal.path },
    });
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
