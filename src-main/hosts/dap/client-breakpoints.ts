import type { DebugProtocol } from '@vscode/debugprotocol';
import { BreakpointSet } from '#main/debug/breakpoint-set.ts';
import { checkBreakpoint } from '#main/debug/condition.ts';
import { checkMatches, parseSpec } from '#main/debug/spec.ts';
import { type Breakpoint, breakpointSchema } from '#shared/contract/breakpoint.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { FlowError } from '#shared/run/error.ts';
import type { Stop } from '#shared/run/stop.ts';
import type { ExceptionFilter } from './capabilities.ts';
import type { Arguments } from './requests.ts';

/** Reasons of a stop in the protocol's terms. */
type Reason = 'breakpoint' | 'function breakpoint' | 'data breakpoint';

/** A breakpoint that a client has set, under its number. */
interface Placed {
  readonly id: number;
  readonly reason: Reason;
  /** Several if the client's breakpoint needs more than one here; empty if it is not verified. */
  readonly breakpoints: readonly Breakpoint[];
}

type Conditions = { readonly condition?: string; readonly hitCondition?: string; readonly logMessage?: string };

/** A breakpoint that a client asks for, and what it is answered. */
export interface Wanted {
  /** Without its id. */
  readonly places: readonly object[];
  readonly answer?: Omit<DebugProtocol.Breakpoint, 'verified'>;
}

const toolErrors: Breakpoint = { id: 'tool_errors', kind: 'error', tool_results: true };

/** The breakpoints of one client. They last as long as its session, and are not stored. */
export class ClientBreakpoints {
  /** By file, or by kind for those without one. Each request replaces one list. */
  readonly #lists = new Map<string, readonly Placed[]>();
  #filters: ReadonlySet<string> = new Set();
  #next = 1;

  /** All that are verified, as a run takes them. */
  get all(): readonly Breakpoint[] {
    const placed = [...this.#lists.values()].flat().flatMap(({ breakpoints }) => breakpoints);
    return this.#filters.has('tool_errors') ? [...placed, toolErrors] : placed;
  }

  setFilters({ filters }: Arguments<'setExceptionBreakpoints'>): void {
    this.#filters = new Set(filters);
  }

  stopsFor(filter: ExceptionFilter): boolean {
    return this.#filters.has(filter);
  }

  /** Replaces one list, such as the breakpoints of a file. Unchanged ones keep their numbers, and with them their hits. */
  replace(list: string, reason: Reason, graph: FlowGraph, wanted: readonly (Wanted & Conditions)[]): DebugProtocol.Breakpoint[] {
    const before = [...(this.#lists.get(list) ?? [])];
    const placed = wanted.map((each) => this.#place(each, reason, graph, before));
    this.#lists.set(
      list,
      placed.map(({ own }) => own),
    );
    return placed.map(({ answer }) => answer);
  }

  /** Replaces the function breakpoints, which are written as on the command line. */
  replaceFunctions(args: Arguments<'setFunctionBreakpoints'>, flow: string, graph: FlowGraph): DebugProtocol.Breakpoint[] {
    const wanted = args.breakpoints.map(({ name, ...conditions }): Wanted & Conditions => {
      try {
        const { id: _none, ...place } = parseSpec(name, 'b', flow);
        checkMatches(graph, { ...place, id: 'b' }, name, true);
        return { places: [place], ...conditions };
      } catch (error) {
        if (!(error instanceof FlowError)) throw error;
        return { places: [], answer: { message: error.message } };
      }
    });
    return this.replace('functions', 'function breakpoint', graph, wanted);
  }

  /** Returns the numbers of the client's breakpoints that have stopped a run. */
  hit({ breakpoints }: Stop): { readonly ids: number[]; readonly reason: Reason } | null {
    const names = new Set(breakpoints.map(({ id }) => id));
    const hit = [...this.#lists.values()].flat().filter((each) => each.breakpoints.some(({ id }) => names.has(id)));
    return hit[0] ? { ids: hit.map(({ id }) => id), reason: hit[0].reason } : null;
  }

  #place(
    { places, answer = {}, condition, hitCondition, logMessage }: Wanted & Conditions,
    reason: Reason,
    graph: FlowGraph,
    before: Placed[],
  ): { readonly own: Placed; readonly answer: DebugProtocol.Breakpoint } {
    const more = {
      ...(condition && { condition }),
      ...(hitCondition && { hits: hitCondition.replaceAll(' ', '') }),
      ...(logMessage && { log: logMessage }),
    };
    const unverified = (message: string) => {
      const own = { id: this.#newId(), reason, breakpoints: [] };
      return { own, answer: { ...answer, id: own.id, verified: false, message } };
    };
    const read = places.map((place, index) => breakpointSchema.safeParse({ id: `b${this.#next}${suffix(index)}`, ...more, ...place }));
    const wrong = read.find(({ success }) => !success)?.error?.issues[0];
    if (wrong) return unverified(`Invalid breakpoint: ${wrong.message}.`);
    const breakpoints = read.flatMap(({ data }) => data ?? []);
    if (breakpoints.length === 0) return unverified(answer.message ?? 'No node matches.');
    try {
      for (const each of breakpoints) checkBreakpoint(each);
    } catch (error) {
      if (!(error instanceof FlowError)) throw error;
      return unverified(error.message);
    }
    const { matched } = new BreakpointSet(graph, breakpoints);
    if (!breakpoints.some(({ id }) => matched.has(id))) return unverified("This run's flow does not contain this place.");
    const at = before.findIndex((each) => sameBreakpoints(each.breakpoints, breakpoints));
    const [known] = at < 0 ? [] : before.splice(at, 1);
    const own = known ?? { id: this.#newId(), reason, breakpoints };
    return { own, answer: { ...answer, id: own.id, verified: true } };
  }

  #newId(): number {
    this.#next += 1;
    return this.#next - 1;
  }
}

function suffix(index: number): string {
  return index === 0 ? '' : `.${index}`;
}

function sameBreakpoints(some: readonly Breakpoint[], others: readonly Breakpoint[]): boolean {
  const text = (breakpoints: readonly Breakpoint[]) => JSON.stringify(breakpoints.map((each) => ({ ...each, id: '' })));
  return text(some) === text(others);
}
