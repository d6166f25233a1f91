import { isDeepStrictEqual } from 'node:util';
import { anchorFlow, type ReadText } from '#main/debug/anchor-flow.ts';
import { anchorIn } from '#main/debug/anchors.ts';
import { checkBreakpoint } from '#main/debug/condition.ts';
import { Feed } from '#main/services/host/feed.ts';
import { BreakpointFile } from '#main/workspace/breakpoint-file.ts';
import { type Breakpoint, type DebugFile, mostBreakpoints } from '#shared/contract/breakpoint.ts';
import type { DebugState } from '#shared/contract/debug.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Stop } from '#shared/run/stop.ts';

export interface FolderBreakpointsOptions {
  /** Real path of the workspace. */
  readonly folder: string;
  readonly read: ReadText;
  /** Why breakpoints that came with the folder are not used; null: they are this user's. */
  readonly notice: () => Promise<string | null>;
  /** Called with the breakpoints whenever they may have changed. */
  readonly onChange: (breakpoints: readonly Breakpoint[]) => void;
}

/** The breakpoints and watches of an open folder: the only writer of its file in this process, which follows other processes. */
export class FolderBreakpoints {
  readonly #options: FolderBreakpointsOptions;
  readonly #file: BreakpointFile;
  readonly #feed = new Feed<DebugState>();
  readonly #close: () => void;
  #state: Promise<DebugState>;

  constructor(options: FolderBreakpointsOptions) {
    this.#options = options;
    this.#file = new BreakpointFile(options.folder);
    this.#state = this.#load();
    // The first caller receives the error.
    this.#state.catch(() => undefined);
    this.#close = this.#file.watch(() => void this.refresh().catch(() => undefined));
  }

  /** Returns the breakpoints at which runs stop. */
  async active(): Promise<readonly Breakpoint[]> {
    const state = await this.#state.catch(() => null);
    return state?.breakpoints ?? [];
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

  putWatches(flow: string, expressions: readonly string[]): Promise<DebugState> {
    return this.#change((file) => {
      const others = file.watches.filter((each) => each.flow !== flow);
      return { ...file, watches: [...others, ...expressions.map((expression) => ({ flow, expression }))] };
    });
  }

  /** Removes the breakpoints that end with their first stop. */
  async stopped({ breakpoints }: Stop): Promise<void> {
    const hit = new Set(breakpoints.map(({ id }) => id));
    const ended = (await this.active()).filter(({ id, once }) => once && hit.has(id));
    if (ended.length > 0) await this.remove(ended.map(({ id }) => id));
  }

  /** Streams the state now and after each change; only the newest to a slow reader. */
  async *watch(signal: AbortSignal | undefined): AsyncGenerator<DebugState, void> {
    const changes = this.#feed.read(signal, withoutLosingMoves);
    let last = await this.list();
    yield last;
    for await (const state of changes) {
      if (isDeepStrictEqual(state, last)) continue;
      last = state;
      yield state;
    }
  }

  close(): void {
    this.#close();
    this.#feed.end();
  }

  async #change(edit: (file: DebugFile) => DebugFile): Promise<DebugState> {
    const foreign = await this.#options.notice();
    if (foreign !== null) throw new FlowError('Conflict', `Breakpoints can't be stored in this folder. ${foreign}`);
    await this.#file.change(edit);
    return this.refresh();
  }

  async #load(): Promise<DebugState> {
    const foreign = await this.#options.notice();
    if (foreign !== null) return { breakpoints: [], unverified: [], moved: [], watches: [], notice: foreign };
    const { file, notice } = await this.#file.read();
    const { unverified, moved, breakpoints } = await this.#verified(file.breakpoints);
    if (moved.length > 0) await this.#file.change((newest) => withMoved(newest, breakpoints, moved));
    return { breakpoints, unverified, moved, watches: file.watches, notice };
  }

  async #verified(breakpoints: readonly Breakpoint[]): Promise<Pick<DebugState, 'breakpoints' | 'unverified' | 'moved'>> {
    const files = new Set(breakpoints.flatMap((each) => ('node' in each || each.kind === 'state' ? (each.flow ?? []) : [])));
    const flows = new Map(await Promise.all([...files].map(async (path) => [path, await anchorFlow(path, this.#options.read)] as const)));
    const [unverified, moved]: [string[], DebugState['moved']] = [[], []];
    const placed = breakpoints.map((breakpoint) => {
      const flow = ('flow' in breakpoint && breakpoint.flow !== undefined && flows.get(breakpoint.flow)) || null;
      const anchored = anchorIn(breakpoint, flow);
      if (!anchored.verified) {
        unverified.push(breakpoint.id);
        return breakpoint;
      }
      if (anchored.from === undefined) return breakpoint;
      moved.push({ id: breakpoint.id, from: anchored.from });
      return anchored.breakpoint;
    });
    return { breakpoints: placed, unverified, moved };
  }

  /** Remembers what the node looks like now. */
  async #anchored(breakpoint: Breakpoint): Promise<Breakpoint> {
    if (!('flow' in breakpoint) || breakpoint.flow === undefined || !('anchor' in breakpoint || 'node' in breakpoint)) return breakpoint;
    const anchored = anchorIn(breakpoint, await anchorFlow(breakpoint.flow, this.#options.read));
    return anchored.verified && anchored.from === undefined ? anchored.breakpoint : breakpoint;
  }

  #publish(state: DebugState): void {
    this.#options.onChange(state.breakpoints);
    this.#feed.publish(state);
  }
}

/** A slow reader gets the newest state, with all moves that it missed. */
function withoutLosingMoves(waiting: DebugState[], state: DebugState): void {
  const missed = waiting.splice(0).flatMap(({ moved }) => moved);
  waiting.push(missed.length > 0 ? { ...state, moved: [...missed, ...state.moved] } : state);
}

function withMoved(file: DebugFile, placed: readonly Breakpoint[], moved: DebugState['moved']): DebugFile {
  const now = new Map(placed.filter(({ id }) => moved.some((each) => each.id === id)).map((each) => [each.id, each]));
  return { ...file, breakpoints: file.breakpoints.map((each) => now.get(each.id) ?? each) };
}
