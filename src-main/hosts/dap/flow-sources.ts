import { readFile } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { type CodeLines, codeLines, type NodeLines, nodeLines } from '#main/debug/node-lines.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Frame } from '#shared/run/stop.ts';

/** A flow file as a client shows it. */
export interface ShownSource {
  readonly source: DebugProtocol.Source;
  readonly nodes: readonly NodeLines[];
}

/** The lines of a node with the flow that breakpoints name. */
export type FileLines = NodeLines & Pick<CodeLines, 'flow'>;

/** Whether a file is a module: one of a flow in code, or that such a flow imports. */
function isModule(path: string): boolean {
  return /\.[cm]?[jt]s$/i.test(path);
}

/** The flow files of a run: as they are on disk, or, if a file has changed since the run began, as it was then. */
export class FlowSources {
  readonly #folder: string;
  /** Returns the text with which the run began; undefined for files that it does not use. */
  readonly #recorded: (path: string) => string | undefined;
  readonly #references: string[] = [];
  /** The nodes that are written in code, as the run's graph has them. */
  readonly #code: readonly CodeLines[];

  constructor(folder: string, graph: FlowGraph, recorded: (path: string) => string | undefined) {
    this.#folder = folder;
    this.#code = codeLines(graph);
    this.#recorded = recorded;
  }

  /** Returns the path of a file relative to the folder, with `/`; null for one outside it. */
  pathOf(file: string): string | null {
    const path = relative(this.#folder, resolve(this.#folder, file));
    return path === '' || path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? null : path.split(sep).join('/');
  }

  /** Returns the nodes of a file as it is on disk. Throws `FlowError` for code that has changed since the run began: only a new run knows its lines. */
  async onDisk(path: string): Promise<FileLines[]> {
    if (!isModule(path)) return this.#inFile(path, await nodeLines(path, (each) => this.#read(each)));
    if (await this.#isChanged(path)) {
      throw new FlowError('Conflict', `${basename(path)} has changed since the run began. Restart the run to set breakpoints in it.`);
    }
    return this.#code.filter(({ file }) => file === path);
  }

  /** Returns where a frame of the run is written. */
  async ofFrame({ flow, node, kind }: Frame): Promise<{ readonly source: DebugProtocol.Source; readonly lines: NodeLines | undefined }> {
    const written = this.#code.find((each) => each.flow === flow && each.node === node && each.isFlow === (kind === 'flow'));
    if (!written) {
      const { source, nodes } = await this.ofRun(flow);
      return { source, lines: nodes.find((each) => each.node === node) };
    }
    const { file } = written;
    const source = (await this.#isChanged(file)) ? this.#recordedSource(file) : { name: basename(file), path: this.#absolute(file) };
    return { source, lines: written };
  }

  /** Returns the file in which a run's frame is. */
  async ofRun(path: string): Promise<ShownSource> {
    const recorded = this.#recorded(path);
    if (recorded === undefined || (await this.#read(path)) === recorded) {
      return { source: { name: basename(path), path: this.#absolute(path) }, nodes: await nodeLines(path, (each) => this.#read(each)) };
    }
    return { source: this.#recordedSource(path), nodes: await this.recorded(path) };
  }

  /** Returns the path of a recorded text by its reference. Throws `FlowError` `NotFound`. */
  pathOfReference(reference: number): string {
    const path = this.#references[reference - 1];
    if (path === undefined) throw new FlowError('NotFound', `Unknown source reference ${reference}. Read the stack again.`);
    return path;
  }

  /** Returns the nodes of a file as it was when the run began. */
  async recorded(path: string): Promise<FileLines[]> {
    if (isModule(path)) return this.#code.filter(({ file }) => file === path);
    return this.#inFile(path, await nodeLines(path, async (each) => this.#recorded(each) ?? this.#read(each)));
  }

  /** Returns the text of a file as it was when the run began. */
  textOf(path: string): string {
    return this.#recorded(path) ?? '';
  }

  #inFile(flow: string, nodes: readonly NodeLines[]): FileLines[] {
    return nodes.map((node) => ({ ...node, flow }));
  }

  async #isChanged(path: string): Promise<boolean> {
    const recorded = this.#recorded(path);
    return recorded !== undefined && (await this.#read(path)) !== recorded;
  }

  #absolute(path: string): string {
    return join(this.#folder, ...path.split('/'));
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
