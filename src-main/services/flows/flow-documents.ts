import { randomBytes } from 'node:crypto';
import { type Append, Feed } from '#main/services/host/feed.ts';
import { draftIndex, draftsChange } from '#main/workspace/flow-drafts.ts';
import type { FlowContent } from '#shared/contract/flows.ts';
import { FlowDocument } from './flow-document.ts';

interface FlowChange {
  readonly content: FlowContent;
  /** The window that made the change; null for another program. */
  readonly window: string | null;
}

/** Polling interval for drafts of other programs while a window is open, in milliseconds. */
const lookEvery = 1000;

/** The flows of a folder that windows have read or edited. One instance a folder and process. */
export class FlowDocuments {
  readonly #folder: string;
  readonly #writer = randomBytes(8).toString('hex');
  readonly #documents = new Map<string, FlowDocument>();
  readonly #feed = new Feed<FlowChange>();
  readonly #timer: NodeJS.Timeout;
  /** Flows known to have unsaved edits. */
  readonly #drafted = new Set<string>();
  #seen = '';

  readonly #onDraftsChanged: () => void;

  /** `folder` is a real path. `onDraftsChanged` is called when a flow gets its first or loses its last unsaved edit. */
  constructor(folder: string, onDraftsChanged: () => void) {
    this.#folder = folder;
    this.#onDraftsChanged = onDraftsChanged;
    this.#timer = setInterval(() => void this.#look(), lookEvery);
    this.#timer.unref();
  }

  at(path: string): FlowDocument {
    const known = this.#documents.get(path);
    if (known) return known;
    const document = new FlowDocument({
      folder: this.#folder,
      path,
      writer: this.#writer,
      now: Date.now,
      onChange: (content, window) => {
        this.#feed.publish({ content, window });
        this.#note(path, content.draft !== null || content.others.length > 0);
      },
    });
    this.#documents.set(path, document);
    return document;
  }

  /** Handles a moved or deleted flow file. */
  forget(path: string): void {
    this.#documents.delete(path);
    this.#drafted.delete(path);
  }

  /** Streams changes made by others than this window from this call on; only the newest per flow if the reader is slow. */
  watch(window: string, signal: AbortSignal | undefined): AsyncGenerator<FlowContent, void> {
    return contents(this.#feed.read(signal, exceptOf(window)));
  }

  close(): void {
    clearInterval(this.#timer);
    this.#feed.end();
  }

  #note(path: string, hasDrafts: boolean): void {
    if (this.#drafted.has(path) === hasDrafts) return;
    if (hasDrafts) this.#drafted.add(path);
    else this.#drafted.delete(path);
    this.#onDraftsChanged();
  }

  async #look(): Promise<void> {
    if (!this.#feed.hasReaders) return;
    const seen = await draftsChange(this.#folder);
    if (seen === this.#seen) return;
    this.#seen = seen;
    // An unreadable flow is reported to the window that reads it.
    const hasDraft = await draftIndex(this.#folder);
    const concerned = [...this.#documents].filter(([path]) => hasDraft(path) || this.#drafted.has(path));
    await Promise.all(concerned.map(([, document]) => document.read().catch(() => undefined)));
  }
}

function exceptOf(window: string): Append<FlowChange> {
  return (waiting, change) => {
    if (change.window === window) return;
    const older = waiting.findIndex(({ content }) => content.path === change.content.path);
    if (older >= 0) waiting.splice(older, 1);
    waiting.push(change);
  };
}

async function* contents(changes: AsyncGenerator<FlowChange, void>): AsyncGenerator<FlowContent, void> {
  for await (const { content } of changes) yield content;
}
