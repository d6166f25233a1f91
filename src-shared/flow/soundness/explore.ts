import type { Firing, WorkflowNet } from '#shared/flow/soundness/workflow-net.ts';

/** Markings that are looked at; beyond, the answer is incomplete. */
export const maxMarkings = 200_000;

/** Everything that a breadth-first search over the net's markings finds. Runs are the shortest that show what they show. */
export interface Exploration {
  /** Whether every reachable marking was looked at. */
  readonly complete: boolean;
  /**
   * To a marking where nothing can fire, or nothing without a collision, and the output is not marked; where there is none of these but a loop without a
   * way out, to its first marking from which the output cannot be reached. `waiting` are the places of the marking.
   */
  readonly deadlock: { readonly run: readonly Firing[]; readonly waiting: readonly number[] } | null;
  /** To a marking with the output and something else. */
  readonly improper: { readonly run: readonly Firing[]; readonly waiting: readonly number[] } | null;
  /** Ends with the firing that would put a second token into `place`. */
  readonly collision: { readonly run: readonly Firing[]; readonly place: number } | null;
  /** By node: whether it can fire. */
  readonly fires: Uint8Array;
  /** By place: a shortest run to a marking where it waits and nothing can fire. */
  readonly stuck: ReadonlyMap<number, readonly Firing[]>;
}

/**
 * Looks at the reachable markings, shortest runs first. A firing that would put a second token into a place ends its path; a token in the output does not.
 */
export function explore(net: WorkflowNet, limit: number = maxMarkings): Exploration {
  return new Explorer(net, limit).run();
}

class Explorer {
  readonly #net: WorkflowNet;
  readonly #limit: number;
  /** Markings as sorted places, in the order in which they were found. */
  readonly #markings: Int32Array[] = [];
  /** By marking: the one it was first reached from, and by which firing (node, transition). */
  readonly #parents: number[] = [];
  readonly #by: Firing[] = [];
  /** Markings by a hash of their places. */
  readonly #known = new Map<number, number[]>();
  readonly #weights: Float64Array;
  /** By marking: those that lead to it. */
  readonly #predecessors: number[][] = [];
  readonly #marked: Uint8Array;
  readonly #fires: Uint8Array;
  #collision: Exploration['collision'] = null;

  constructor(net: WorkflowNet, limit: number) {
    this.#net = net;
    this.#limit = limit;
    this.#marked = new Uint8Array(net.places.length);
    this.#fires = new Uint8Array(net.nodes.length);
    this.#weights = weightsOf(net.places.length);
  }

  run(): Exploration {
    const { output } = this.#net;
    let complete = true;
    const stuckMarkings: number[] = [];
    this.#note(Int32Array.of(this.#net.input), -1, { node: -1, transition: -1 });
    for (let index = 0; index < this.#markings.length; index++) {
      if (this.#markings.length > this.#limit) {
        complete = false;
        break;
      }
      if (!this.#expand(index)) stuckMarkings.push(index);
    }
    const improper = this.#markings.findIndex((marking) => marking.length > 1 && marking.includes(output));
    const stuck = stuckMarkings.find((index) => !this.#markings[index]?.includes(output));
    const doomed = stuck ?? (complete ? this.#firstDoomed() : -1);
    return {
      complete,
      deadlock: doomed < 0 ? null : { run: this.#runTo(doomed), waiting: [...(this.#markings[doomed] ?? [])] },
      improper:
        improper < 0
          ? null
          : { run: this.#runTo(improper), waiting: [...(this.#markings[improper] ?? [])].filter((place) => place !== output) },
      collision: this.#collision,
      fires: this.#fires,
      stuck: this.#stuckRuns(stuckMarkings),
    };
  }

  /** Finds what a marking leads to; false when that is nothing. */
  #expand(index: number): boolean {
    const { pre, post, consumer } = this.#net;
    const marking = this.#markings[index] as Int32Array;
    for (const place of marking) this.#marked[place] = 1;
    let any = false;
    for (const place of marking) {
      const node = consumer[place] as number;
      const consumed = node < 0 ? undefined : pre[node];
      // A join is looked at from its first place only.
      if (!consumed || consumed[0] !== place || !consumed.every((each) => this.#marked[each] === 1)) continue;
      this.#fires[node] = 1;
      for (const [transition, produced] of (post[node] ?? []).entries()) {
        const firing = { node, transition };
        const twice = produced.find((each, at) => (this.#marked[each] === 1 && !consumed.includes(each)) || produced.indexOf(each) !== at);
        if (twice !== undefined) this.#collision ??= { run: [...this.#runTo(index), firing], place: twice };
        else {
          any = true;
          this.#note(fired(marking, consumed, produced), index, firing);
        }
      }
    }
    for (const place of marking) this.#marked[place] = 0;
    return any;
  }

  #note(marking: Int32Array, from: number, by: Firing): void {
    let hash = 0;
    for (const place of marking) hash += this.#weights[place] as number;
    const same = this.#known.get(hash);
    let index = same?.find((each) => equal(this.#markings[each] as Int32Array, marking));
    if (index === undefined) {
      index = this.#markings.push(marking) - 1;
      this.#parents.push(from);
      this.#by.push(by);
      this.#predecessors.push([]);
      if (same) same.push(index);
      else this.#known.set(hash, [index]);
    }
    if (from >= 0) this.#predecessors[index]?.push(from);
  }

  /** The first marking from which none with the output can be reached. */
  #firstDoomed(): number {
    const { output } = this.#net;
    const hopeful = new Uint8Array(this.#markings.length);
    const queue: number[] = [];
    for (const [index, marking] of this.#markings.entries()) {
      if (!marking.includes(output)) continue;
      hopeful[index] = 1;
      queue.push(index);
    }
    for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
      for (const before of this.#predecessors[index] ?? []) {
        if (hopeful[before] === 1) continue;
        hopeful[before] = 1;
        queue.push(before);
      }
    }
    return hopeful.indexOf(0);
  }

  #stuckRuns(markings: readonly number[]): Map<number, readonly Firing[]> {
    const runs = new Map<number, readonly Firing[]>();
    for (const index of markings) {
      for (const place of this.#markings[index] ?? []) {
        if (place !== this.#net.output && !runs.has(place)) runs.set(place, this.#runTo(index));
      }
    }
    return runs;
  }

  #runTo(index: number): Firing[] {
    const run: Firing[] = [];
    for (let at = index; at > 0; at = this.#parents[at] as number) run.push(this.#by[at] as Firing);
    return run.reverse();
  }
}

function fired(marking: Int32Array, consumed: readonly number[], produced: readonly number[]): Int32Array {
  const next = new Int32Array(marking.length - consumed.length + produced.length);
  let length = 0;
  for (const place of marking) if (!consumed.includes(place)) next[length++] = place;
  for (const place of produced) next[length++] = place;
  return next.sort();
}

function equal(a: Int32Array, b: Int32Array): boolean {
  return a.length === b.length && a.every((place, index) => place === b[index]);
}

/** A whole number for each place, spread over 44 bits so that sums stay exact; the same ones every time (a linear congruential generator). */
function weightsOf(count: number): Float64Array {
  const weights = new Float64Array(count);
  let state = 0x2545f491;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  };
  for (let index = 0; index < count; index++) weights[index] = (next() >>> 10) * 0x400000 + (next() >>> 10);
  return weights;
}
