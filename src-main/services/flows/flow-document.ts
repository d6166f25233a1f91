import { randomUUID } from 'node:crypto';
import { type FlowDraft, readDrafts, removeDraft, type StoredDraft, trashDraft, writeDraft } from '#main/workspace/flow-drafts.ts';
import { type FlowOnDisk, readFlow, saveFlow } from '#main/workspace/flow-files.ts';
import type { FlowContent, FlowRevision } from '#shared/contract/flows.ts';
import { type FlowVersion, isSameVersion, mergeVersions } from '#shared/flow/merge/merge-versions.ts';
import { FlowError } from '#shared/run/error.ts';

export interface FlowDocumentOptions {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly path: string;
  /** Identifies this process among those that write drafts here. */
  readonly writer: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** The document changed; `window` made the change and needs no notification; null means another program. */
  readonly onChange: (content: FlowContent, window: string | null) => void;
}

/** A window's edit of a revision. */
export interface WindowEdit extends FlowVersion {
  readonly window: string;
  readonly revision: FlowRevision | null;
  readonly base_hash?: string | undefined;
}

export type EditAnswer =
  | { readonly status: 'accepted'; readonly revision: FlowRevision }
  | { readonly status: 'merged' | 'refused'; readonly content: FlowContent };

type Draft = Pick<FlowDraft, 'text' | 'layout' | 'base_hash' | 'saved_at'> & { readonly restored: boolean };

/** A draft on disk that the shared text contains. */
interface DraftRef {
  readonly id: string;
  readonly hash: string;
}

/** An earlier state of the shared text. `unsaved` is false where it was the file with `base_hash`. */
interface Revision extends FlowVersion {
  readonly base_hash: string;
  readonly unsaved: boolean;
}

/** Limits of the earlier revisions that edits may be based on: their number, and their characters. */
const heldRevisions = 100;
const heldCharacters = 8_000_000;

/**
 * The one text of a flow that all windows of this process share, with the file and the drafts on disk. A process without edits of its own shows what the
 * folder holds: the draft of another program that continues what it shows, else the file. One with edits of its own never replaces those of another
 * program; both are preserved.
 */
export class FlowDocument {
  readonly #options: FlowDocumentOptions;
  readonly #id = randomUUID();
  #number = 0;
  #file: FlowOnDisk = { text: '', hash: '', layout: null };
  #draft: Draft | null = null;
  #others: readonly StoredDraft[] = [];
  /** The draft of the shared text that this process has written. */
  #own: DraftRef | null = null;
  /** Another writer's draft that was adopted. */
  #adopted: DraftRef | null = null;
  /** Drafts of others that ours contains; their writers may not have noticed yet. */
  #continued: readonly DraftRef[] = [];
  /** Why the file can't be read. Edits are saved anyway. */
  #fault: unknown = null;
  #refusals = 0;
  readonly #past = new Map<number, Revision>();
  /** Serializes operations. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: FlowDocumentOptions) {
    this.#options = options;
  }

  /** Returns the current flow. Throws `NotFound` if there is neither a file nor a draft. */
  read(): Promise<FlowContent> {
    return this.#next(async () => {
      await this.#refresh(null);
      if (this.#fault) throw this.#fault;
      const { path } = this.#options;
      if (this.#file.hash === '' && !this.#draft)
        throw new FlowError('NotFound', `${path} doesn't exist. It may have been moved or deleted.`, { details: { path } });
      return this.#content();
    });
  }

  /** Merges a window's edit into the shared text and writes it to disk. */
  edit(edit: WindowEdit): Promise<EditAnswer> {
    return this.#next(async () => {
      await this.#refresh(null);
      const mine = { text: edit.text, layout: edit.layout };
      const base = this.#known(edit.revision);
      const merged = this.#merged(edit.revision, base, mine);
      // Only the file has changed since: the edit wins, and the user decides about the file, as if it had changed after the edit.
      const overFile = !merged && base && !base.unsaved && !this.#draft;
      const next = overFile ? mine : merged;
      if (!next) return { status: 'refused', content: await this.#refuse(edit) };
      const base_hash = overFile ? base.base_hash : (edit.base_hash ?? this.#baseHash());
      if (!isSameVersion(next, this.#version()) || base_hash !== this.#baseHash()) {
        await this.#keep(next, base_hash);
        this.#changed(edit.window);
      }
      if (overFile) return { status: 'merged', content: this.#content() };
      return isSameVersion(next, mine)
        ? { status: 'accepted', revision: this.#revision() }
        : { status: 'merged', content: this.#content() };
    });
  }

  /** Writes the file if its hash is still `base_hash`. Later edits of other windows stay unsaved. */
  save({ window, revision, base_hash, ...version }: WindowEdit & { readonly base_hash: string }) {
    return this.#next(async () => {
      const { folder, path } = this.#options;
      const result = await saveFlow(folder, path, version.text, base_hash, version.layout);
      if (result.status === 'conflict') return result;
      const current = this.#version();
      this.#file = { text: version.text, hash: result.hash, layout: version.layout ?? this.#file.layout };
      const base = this.#known(revision);
      if (isSameVersion(current, version) || (base && isSameVersion(current, base))) await this.#forget();
      else await this.#keep(current, result.hash);
      this.#changed(window);
      return { status: 'saved' as const, content: this.#content() };
    });
  }

  /** Discards the unsaved edits in favor of the file. */
  takeFile(window: string): Promise<FlowContent> {
    return this.#next(async () => {
      await this.#refresh(null);
      await this.#forget();
      this.#changed(window);
      return this.#content();
    });
  }

  /** Moves unsaved edits that are not part of the shared text to the trash, unless they have changed since they were seen. */
  dropOther(window: string, { id, hash }: DraftRef): Promise<FlowContent> {
    return this.#next(async () => {
      const { folder, path } = this.#options;
      if (this.#others.some((other) => other.id === id && other.hash === hash)) await trashDraft(folder, path, id, hash);
      await this.#refresh(window);
      return this.#content();
    });
  }

  #next<T>(act: () => Promise<T>): Promise<T> {
    const result = this.#last.then(act);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Checks for changes by other programs and notifies the windows of relevant ones. */
  async #refresh(window: string | null): Promise<void> {
    const { folder, path, writer } = this.#options;
    const before = [
      this.#version(),
      this.#file.hash,
      this.#baseHash(),
      this.#others.map(({ id, hash }) => `${id} ${hash}`).join(),
    ] as const;
    await this.#readFile();
    const found = await readDrafts(folder, path);
    const drafts = found.filter(({ refused }) => !refused);
    const own = this.#own;
    const successor = own && drafts.find(({ continues }) => continues.some(({ id, hash }) => id === own.id && hash === own.hash));
    if (successor) {
      // Another program has taken our edits over and continues them.
      await this.#yield();
      this.#adopted = { id: successor.id, hash: '' };
    }
    if (this.#own) this.#others = found.filter(({ id }) => id !== writer);
    else {
      const followed = this.#followed(drafts);
      this.#others = found.filter((draft) => draft !== followed);
      if (!followed) this.#draft = null;
      else if (this.#adopted?.hash !== followed.hash) {
        const { text, layout, base_hash, saved_at } = followed;
        this.#draft = { text, layout, base_hash, saved_at, restored: true };
      }
      this.#adopted = followed ? { id: followed.id, hash: followed.hash } : null;
    }
    await this.#settle();
    // The draft was removed by another program, such as a cleanup of the folder.
    if (this.#own && !found.some(({ id }) => id === writer)) await this.#keep(this.#version(), this.#baseHash());
    const unchanged =
      isSameVersion(before[0], this.#version()) &&
      before[1] === this.#file.hash &&
      before[2] === this.#baseHash() &&
      before[3] === this.#others.map(({ id, hash }) => `${id} ${hash}`).join();
    if (this.#number === 0 || !unchanged) this.#changed(window);
  }

  /** Returns another program's draft to show while this one has no edits: first the newest, later one based on the shown text. */
  #followed(drafts: readonly StoredDraft[]): StoredDraft | undefined {
    if (this.#number === 0) return drafts[0];
    return drafts.find(({ id }) => id === this.#adopted?.id) ?? drafts.find(({ base_hash }) => base_hash === this.#file.hash);
  }

  async #readFile(): Promise<void> {
    const { folder, path } = this.#options;
    this.#fault = null;
    try {
      this.#file = await readFlow(folder, path);
    } catch (error) {
      if (error instanceof FlowError && error.variant === 'NotFound') this.#file = { ...this.#file, hash: '' };
      else this.#fault = error;
    }
  }

  /** Drops edits that the file already contains: a save was interrupted, or another program wrote the same text. */
  async #settle(): Promise<void> {
    if (this.#draft?.text !== this.#file.text || this.#file.hash === '') return;
    if (isSameVersion(this.#version(), this.#fileVersion())) await this.#forget();
    else if (this.#draft.base_hash !== this.#file.hash) this.#draft = { ...this.#draft, base_hash: this.#file.hash };
  }

  /** Returns the shared text merged with a window's edit; null on a conflict. */
  #merged(revision: FlowRevision | null, base: Revision | undefined, mine: FlowVersion): FlowVersion | null {
    const current = this.#version();
    if (isSameVersion(mine, current)) return mine;
    // A flow opened from a run's record has no file and no revision.
    if (revision === null) return this.#file.hash === '' && !this.#draft ? mine : null;
    return base ? mergeVersions(base, mine, current, this.#options.path) : null;
  }

  #known(revision: FlowRevision | null): Revision | undefined {
    return revision?.document === this.#id ? this.#past.get(revision.number) : undefined;
  }

  /** Saves an edit that could not be merged as a separate draft. */
  async #refuse({ window, text, layout, base_hash }: WindowEdit): Promise<FlowContent> {
    const { folder, path, writer, now } = this.#options;
    this.#refusals += 1;
    const draft = { path, text, layout, base_hash: base_hash ?? this.#baseHash(), saved_at: now(), continues: [], refused: true };
    await writeDraft(folder, `${writer}-${this.#refusals}`, draft);
    await this.#refresh(window);
    return this.#content();
  }

  /** Makes a version the shared one and writes it to disk unless the file already contains it. */
  async #keep({ text, layout }: FlowVersion, base_hash: string): Promise<void> {
    const { folder, path, writer, now } = this.#options;
    if (base_hash === this.#file.hash && isSameVersion({ text, layout }, this.#fileVersion())) return this.#forget();
    const saved_at = now();
    const continues = this.#adopted ? [...this.#continued, this.#adopted] : [...this.#continued];
    const hash = await writeDraft(folder, writer, { path, text, layout, base_hash, saved_at, continues, refused: false });
    this.#own = { id: writer, hash };
    this.#continued = continues;
    this.#draft = { text, layout, base_hash, saved_at, restored: false };
    await this.#removeAdopted();
  }

  /** Discards the unsaved edits in favor of the file. */
  async #forget(): Promise<void> {
    await this.#removeAdopted();
    await this.#yield();
    this.#draft = null;
  }

  async #yield(): Promise<void> {
    const { folder, path } = this.#options;
    if (this.#own) await removeDraft(folder, path, this.#own.id, this.#own.hash);
    this.#own = null;
    this.#continued = [];
  }

  async #removeAdopted(): Promise<void> {
    const { folder, path } = this.#options;
    if (this.#adopted) await removeDraft(folder, path, this.#adopted.id, this.#adopted.hash);
    this.#adopted = null;
  }

  #changed(window: string | null): void {
    this.#number += 1;
    this.#past.set(this.#number, { ...this.#version(), base_hash: this.#baseHash(), unsaved: this.#draft !== null });
    let characters = 0;
    for (const [number, { text }] of [...this.#past].reverse()) {
      characters += text.length;
      if (number !== this.#number && (characters > heldCharacters || this.#number - number >= heldRevisions)) this.#past.delete(number);
    }
    this.#options.onChange(this.#content(), window);
  }

  #version(): FlowVersion {
    return this.#draft ? { text: this.#draft.text, layout: this.#draft.layout } : this.#fileVersion();
  }

  #fileVersion(): FlowVersion {
    return { text: this.#file.text, layout: this.#file.layout };
  }

  #baseHash(): string {
    return this.#draft?.base_hash ?? this.#file.hash;
  }

  #revision(): FlowRevision {
    return { document: this.#id, number: this.#number };
  }

  #content(): FlowContent {
    const { text, hash, layout } = this.#file;
    const others = this.#others.map(({ path: _path, continues: _continues, ...other }) => other);
    return {
      path: this.#options.path,
      text,
      hash,
      layout,
      code: null,
      revision: this.#revision(),
      draft: this.#draft && { ...this.#draft },
      others,
    };
  }
}
