import { isDeepStrictEqual } from 'node:util';
import { anchorFlow, type ReadText } from '#main/debug/anchor-flow.ts';
import { type AnchorFlow, anchorIn } from '#main/debug/anchors.ts';
import { checkBreakpoint } from '#main/debug/condition.ts';
import type { DebugSettings } from '#main/runner/worker-messages.ts';
import { Feed } from '#main/services/host/feed.ts';
import { BreakpointFile } from '#main/workspace/breakpoint-file.ts';
import { type Breakpoint, type DebugFile, mostBreakpoints } from '#shared/contract/breakpoint.ts';
import type { DebugState } from '#shared/contract/debug.ts';
import { mostSupplied, type Pin, type Supplied } from '#shared/contract/supplied.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Stop } from '#shared/run/stop.ts';

/** What belongs to a place of a flow and follows it. */
type Placed = Breakpoint | Supplied;

export interface FolderBreakpointsOptions {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly read: ReadText;
  /** Called with what runs are debugged with whenever it may have changed. */
  readonly onChange: (debug: DebugSettings) => void;
  /** Throws `FlowError` `Invalid` for pins and mocks that don't fit the schemas of their flows and tools. `texts`: of the flows of pins, by path. */
  readonly check: (supplied: readonly Supplied[], texts: Readonly<Record<string, string>>) => Promise<void>;
}

/** The breakpoints, watches, pins and mocks of an open folder: the only writer of its file in this process, which follows other processes. */
export class FolderBreakpoints {
  readonly #options: FolderBreakpointsOptions;
  readonly #file: BreakpointFile;
  readonly #feed = new Feed<DebugState>();
  readonly #close: () => void;
  #state: Promise<DebugState>;
  /** Begins with the time, so that it also grows when this program is started again. */
  #revision = Date.now();

  constructor(options: FolderBreakpointsOptions) {
    this.#options = options;
    this.#file = new BreakpointFile(options.folder);
    this.#state = this.#load();
    // The first caller receives the error.
    this.#state.catch(() => undefined);
    this.#close = this.#file.watch(() => void this.refresh().catch(() => undefined));
  }

  /** Returns what runs are debugged with. */
  async active(): Promise<DebugSettings> {
    return settingsOf(await this.#state.catch(() => null));
  }

  list(): Promise<DebugState> {
    return this.refresh();
  }

  /** Reads the file again, and finds its nodes in the flows as they are now. */
  async refresh(): Promise<DebugState> {
    // One after the other, so that a move is reported once.
    this.#state = this.#state.then(
      () => this.#load(),
      () => this.#load(),
    );
    const state = await this.#state;
    this.#publish(state);
    return state;
  }

  /** Adds breakpoints or replaces those with the same ids. Throws `FlowError` `Invalid` for a condition that can't be parsed, and when there are too many. */
  async put(breakpoints: readonly Breakpoint[]): Promise<DebugState> {
    for (const breakpoint of breakpoints) checkBreakpoint(breakpoint);
    const anchored = await Promise.all(breakpoints.map(async (each) => this.#anchored(each)));
    return this.#change((file) => {
      const added = new Map(anchored.map((each) => [each.id, each]));
      const kept = file.breakpoints.map((each) => added.get(each.id) ?? each);
      const known = new Set(kept.map(({ id }) => id));
      const all = [...kept, ...[...added.values()].filter(({ id }) => !known.has(id))];
      if (all.length > mostBreakpoints)
        throw new FlowError(
          'Invalid',
          `A folder can have ${mostBreakpoints} breakpoints, and this would be ${all.length}. Remove some first.`,
        );
      return { ...file, breakpoints: all };
    });
  }

  remove(ids: readonly string[]): Promise<DebugState> {
    const gone = new Set(ids);
    return this.#change((file) => {
      const breakpoints = file.breakpoints.filter(({ id }) => !gone.has(id));
      return breakpoints.length === file.breakpoints.length ? file : { ...file, breakpoints };
    });
  }

  /** Adds pins and mocks or replaces those with the same ids, and other pins of the same nodes. Throws `FlowError` `Invalid` for one that doesn't fit. */
  async putSupplied(supplied: readonly Supplied[]): Promise<DebugState> {
    const paths = new Set(supplied.flatMap((each) => (each.kind === 'pin' ? [each.flow] : [])));
    const texts = await Promise.all([...paths].map(async (path) => [path, await this.#options.read(path)] as const));
    await this.#options.check(supplied, Object.fromEntries(texts.filter((entry): entry is readonly [string, string] => entry[1] !== null)));
    const anchored = await Promise.all(supplied.map(async (each) => this.#anchored(each)));
    return this.#change((file) => {
      const added = new Map(anchored.map((each) => [each.id, each]));
      const pinned = new Set(anchored.flatMap((each) => (each.kind === 'pin' ? [placeKey(each)] : [])));
      const others = file.supplied.filter((each) => added.has(each.id) || each.kind !== 'pin' || !pinned.has(placeKey(each)));
      const known = new Set(others.map(({ id }) => id));
      const all = [...others.map((each) => added.get(each.id) ?? each), ...anchored.filter(({ id }) => !known.has(id))];
      if (all.length > mostSupplied)
        throw new FlowError(
          'Invalid',
          `A folder can have ${mostSupplied} pins and mocks, and this would be ${all.length}. Remove some first.`,
        );
      return { ...file, supplied: all };
    });
  }

  removeSupplied(ids: readonly string[]): Promise<DebugState> {
    const gone = new Set(ids);
    return this.#change((file) => {
      const supplied = file.supplied.filter(({ id }) => !gone.has(id));
      return supplied.length === file.supplied.length ? file : { ...file, supplied };
    });
  }

  /** Turns all pins and mocks on or off for runs of the studio. */
  switchSupplied(on: boolean): Promise<DebugState> {
    return this.#change((file) => {
      const { supplied_on: _before, ...rest } = file;
      return on ? rest : { ...rest, supplied_on: false };
    });
  }

  putWatches(flow: string, expressions: readonly string[]): Promise<DebugState> {
    return this.#change((file) => {
      const others = file.watches.filter((each) => each.flow !== flow);
      return { ...file, watches: [...others, ...expressions.map((expression) => ({ flow, expression }))] };
    });
  }

  /** Uses the breakpoints, pins and mocks that came with the folder. */
  async takeOver(): Promise<DebugState> {
    await this.#file.takeOver();
    return this.refresh();
  }

  /** Moves what belongs to a flow whose file was renamed. */
  async renamed(path: string, newPath: string): Promise<void> {
    const { file } = await this.#file.read();
    if (isDeepStrictEqual(withPath(file, path, newPath), file)) return;
    await this.#change((newest) => withPath(newest, path, newPath));
  }

  /** Removes the breakpoints that end with their first stop. */
  async stopped({ breakpoints }: Stop): Promise<void> {
    const hit = new Set(breakpoints.map(({ id }) => id));
    const ended = (await this.active()).breakpoints.filter(({ id, once }) => once && hit.has(id));
    if (ended.length > 0) await this.remove(ended.map(({ id }) => id));
  }

  /** Streams the state now and after each change; only the newest to a slow reader. */
  async *watch(signal: AbortSignal | undefined): AsyncGenerator<DebugState, void> {
    const changes = this.#feed.read(signal, withoutLosingMoves);
    let last = await this.list();
    yield last;
    for await (const state of changes) {
      if (isDeepStrictEqual({ ...state, revision: last.revision }, last)) continue;
      last = state;
      yield state;
    }
  }

  close(): void {
    this.#close();
    this.#feed.end();
  }

  async #change(edit: (file: DebugFile) => DebugFile): Promise<DebugState> {
    await this.#file.change(edit);
    return this.refresh();
  }

  async #load(): Promise<DebugState> {
    this.#revision += 1;
    const revision = this.#revision;
    const { file, notice, foreign } = await this.#file.read();
    if (foreign) return { ...nothing, revision, foreign };
    const flows = await this.#flowsOf([...file.breakpoints, ...file.supplied]);
    const breakpoints = verified(file.breakpoints, flows);
    const supplied = verified(file.supplied, flows);
    const moved = [...breakpoints.moved, ...supplied.moved];
    if (moved.length > 0) await this.#file.change((newest) => withMoved(newest, breakpoints.placed, supplied.placed, moved));
    return {
      revision,
      breakpoints: breakpoints.placed,
      unverified: [...breakpoints.unverified, ...supplied.unverified],
      moved,
      watches: file.watches,
      supplied: supplied.placed,
      supplied_on: file.supplied_on !== false,
      foreign,
      notice,
    };
  }

  /** Reads the flows that these belong to, by path. */
  async #flowsOf(items: readonly Placed[]): Promise<ReadonlyMap<string, AnchorFlow | null>> {
    const files = new Set(items.flatMap((each) => ('node' in each || each.kind === 'state' ? (each.flow ?? []) : [])));
    return new Map(await Promise.all([...files].map(async (path) => [path, await anchorFlow(path, this.#options.read)] as const)));
  }

  /** Remembers what the node looks like now. */
  async #anchored<Item extends Placed>(item: Item): Promise<Item> {
    if (!('flow' in item) || item.flow === undefined || !('anchor' in item || 'node' in item)) return item;
    const anchored = anchorIn(item, await anchorFlow(item.flow, this.#options.read));
    return anchored.verified && anchored.from === undefined ? anchored.item : item;
  }

  #publish(state: DebugState): void {
    this.#options.onChange(settingsOf(state));
    this.#feed.publish(state);
  }
}

const nothing: Omit<DebugState, 'revision'> = {
  ...{ breakpoints: [], unverified: [], moved: [], watches: [], supplied: [], supplied_on: true },
  ...{ foreign: false, notice: null },
};

/** A slow reader gets the newest state, with all moves that it missed. */
function withoutLosingMoves(waiting: DebugState[], state: DebugState): void {
  const missed = waiting.splice(0).flatMap(({ moved }) => moved);
  waiting.push(missed.length > 0 ? { ...state, moved: [...missed, ...state.moved] } : state);
}

function withMoved(
  file: DebugFile,
  breakpoints: readonly Breakpoint[],
  supplied: readonly Supplied[],
  moved: DebugState['moved'],
): DebugFile {
  const ids = new Set(moved.map(({ id }) => id));
  const now = <Item extends Placed>(items: readonly Item[], placed: readonly Item[]): Item[] =>
    items.map((each) => (ids.has(each.id) ? placed.find(({ id }) => id === each.id) : undefined) ?? each);
  return { ...file, breakpoints: now(file.breakpoints, breakpoints), supplied: now(file.supplied, supplied) };
}

function withPath(file: DebugFile, path: string, newPath: string): DebugFile {
  const moved = <Item extends object>(item: Item): Item => ('flow' in item && item.flow === path ? { ...item, flow: newPath } : item);
  const breakpoints = file.breakpoints
    .map(moved)
    .map((each) => (each.in?.startsWith(`${path}#`) ? { ...each, in: newPath + each.in.slice(path.length) } : each));
  return { ...file, breakpoints, watches: file.watches.map(moved), supplied: file.supplied.map(moved) };
}

interface Verified<Item> extends Pick<DebugState, 'unverified' | 'moved'> {
  readonly placed: Item[];
}

/** Finds the nodes of breakpoints, pins and mocks in the flows as they are now. */
function verified<Item extends Placed>(items: readonly Item[], flows: ReadonlyMap<string, AnchorFlow | null>): Verified<Item> {
  const [unverified, moved]: [string[], DebugState['moved']] = [[], []];
  const placed = items.map((item) => {
    const flow = ('flow' in item && item.flow !== undefined && flows.get(item.flow)) || null;
    const anchored = anchorIn(item, flow);
    if (!anchored.verified) {
      unverified.push(item.id);
      return item;
    }
    if (anchored.from === undefined) return item;
    moved.push({ id: item.id, from: anchored.from });
    return anchored.item;
  });
  return { placed, unverified, moved };
}

function placeKey({ flow, node }: Pin): string {
  return `${flow}#${node}`;
}

function settingsOf(state: DebugState | null): DebugSettings {
  return { breakpoints: state?.breakpoints ?? [], supplied: state?.supplied_on ? state.supplied : [] };
}
