import { readFile } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { type NodeLines, nodeLines } from '#main/debug/node-lines.ts';
import { FlowError } from '#shared/run/error.ts';

/** A flow file as a client shows it. */
export interface ShownSource {
  readonly source: DebugProtocol.Source;
  readonly nodes: readonly NodeLines[];
}

/** The flow files of a run: as they are on disk, or, if a file has changed since the run began, as it was then. */
export class FlowSources {
  readonly #folder: string;
  /** Returns the text with which the run began; undefined for files that it does not use. */
  readonly #recorded: (path: string) => string | undefined;
  readonly #references: string[] = [];

  constructor(folder: string, recorded: (path: string) => string | undefined) {
    this.#folder = folder;
    this.#recorded = recorded;
  }

  /** Returns the path of a file relative to the folder, with `/`; null for one outside it. */
  pathOf(file: string): string | null {
    const path = relative(this.#folder, resolve(this.#folder, file));
    return path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? null : path.split(sep).join('/');
  }

  /** Returns the nodes of a file as it is on disk. */
  onDisk(path: string): Promise<NodeLines[]> {
    return nodeLines(path, (each) => this.#read(each));
  }

  /** Returns the file in which a run's frame is. */
  async ofRun(path: string): Promise<ShownSource> {
    const recorded = this.#recorded(path);
    const file = join(this.#folder, ...path.split('/'));
    if (recorded === undefined || (await this.#read(path)) === recorded)
      return { source: { name: basename(path), path: file }, nodes: await this.onDisk(path) };
    return { source: this.#recordedSource(path), nodes: await this.recorded(path) };
  }

  /** Returns the path of a recorded text by its reference. Throws `FlowError` `NotFound`. */
  pathOfReference(reference: number): string {
    const path = this.#references[reference - 1];
    if (path === undefined) throw new FlowError('NotFound', `Unknown source reference ${reference}. Read the stack again.`);
    return path;
  }

  /** Returns the nodes of a file as it was when the run began. */
  recorded(path: string): Promise<NodeLines[]> {
    return nodeLines(path, async (each) => this.#recorded(each) ?? this.#read(each));
  }

  /** Returns the text of a file as it was when the run began. */
  textOf(path: string): string {
    return this.#recorded(path) ?? '';
  }

  #recordedSource(path: string): DebugProtocol.Source {
    if (!this.#references.includes(path)) this.#references.push(path);
    const sourceReference = this.#references.indexOf(path) + 1;
    return { name: basename(path), sourceReference, origin: 'as it was when the run began' };
  }

  async #read(path: string): Promise<string | null> {
    const inside = this.pathOf(path);
    if (inside === null) return null;
    try {
      return (await readFile(join(this.#folder, inside), 'utf8')).replace(/^\uFEFF/, '');
    } catch {
      // A missing or unreadable file has no lines to show.
      return null;
    }
  }
}
