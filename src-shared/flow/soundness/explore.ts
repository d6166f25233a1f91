import type { Firing, WorkflowNet } from './workflow-net.ts';

/** Markings that are looked at; beyond, the answer is incomplete. */
export const maxMarkings = 200_000;

/** A run, and the places that are marked after it, the output aside. */
export interface Finding {
  readonly run: readonly Firing[];
  readonly waiting: readonly number[];
  /** False when there may be a shorter run that shows the same. */
  readonly shortest: boolean;
}

/** Everything that a breadth-first search over the net's markings finds. Runs are the shortest that show what they show. */
export interface Exploration {
  /** Whether every reachable marking was looked at. */
  readonly complete: boolean;
  /**
   * To a marking where nothing can fire, or nothing without a collision, and the output is not marked; where there is none of these but a loop without a
   * way out, to its first marking from which the output cannot be reached.
   */
  readonly deadlock: Finding | null;
  /** To a marking with the output and something else. */
  readonly improper: Finding | null;
  /** Ends with the firing that would put a second token into a place, the only one in `waiting`. */
  readonly collision: Finding | null;
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
  readonly #hashes: number[] = [];
  /** By marking: the one it was first reached from, and by which firing. */
  readonly #parents: number[] = [];
  readonly #by: Firing[] = [];
  /** Markings (one more than their index) in a hash table with open addressing; its size is a power of two. */
  #table = new Int32Array(1024);
  /** By place: random bits. A marking's hash is the exclusive or of its places' bits. */
  readonly #bits: Int32Array;
  /** From and to of each firing, one after the other; filled only when it is asked for. */
  #edges: number[] | null = null;
  /** By place: whether it is in the marking that is looked at. */
  readonly #marked: Uint8Array;
  readonly #fires: Uint8Array;
  #improper = -1;
  #collision: Finding | null = null;

  constructor(net: WorkflowNet, limit: number) {
    this.#net = net;
    this.#limit = limit;
    this.#marked = new Uint8Array(net.places.length);
    this.#fires = new Uint8Array(net.nodes.length);
    this.#bits = randomBits(net.places.length);
  }

  run(): Exploration {
    const { input } = this.#net;
    const stuckMarkings: number[] = [];
    this.#keep(Int32Array.of(input), this.#bits[input] as number, -1, { node: -1, transition: -1 });
    let index = 0;
    for (; index < this.#markings.length && this.#markings.length <= this.#limit; index++) {
      if (!this.#expand(index)) stuckMarkings.push(index);
    }
    const complete = index === this.#markings.length;
    const stuck = stuckMarkings.find((each) => !this.#hasOutput(each));
    const doomed = stuck ?? (complete ? this.#firstDoomed() : -1);
    return {
      complete,
      deadlock: this.#finding(doomed),
      improper: this.#finding(this.#improper),
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
      if (!consumed || consumed[0] !== place || !this.#allMarked(consumed)) continue;
      this.#fires[node] = 1;
      const choices = post[node] ?? [];
      for (let transition = 0; transition < choices.length; transition++) {
        const produced = choices[transition] as readonly number[];
        const count = this.#produce(consumed, produced);
        if (count === produced.length) {
          any = true;
          this.#fire(index, marking, consumed, produced, node, transition);
        } else {
          const waiting = [produced[count] as number];
          this.#collision ??= { run: [...this.#runTo(index), { node, transition }], waiting, shortest: true };
        }
        this.#takeBack(consumed, produced, count);
      }
    }
    for (const place of marking) this.#marked[place] = 0;
    return any;
  }

  #allMarked(places: readonly number[]): boolean {
    for (const place of places) if (this.#marked[place] !== 1) return false;
    return true;
  }

  /** Makes the marked places those after a firing. Returns how many of its places are produced: it stops at one that would get a second token. */
  #produce(consumed: readonly number[], produced: readonly number[]): number {
    for (const place of consumed) this.#marked[place] = 0;
    for (let count = 0; count < produced.length; count++) {
      const place = produced[count] as number;
      if (this.#marked[place] === 1) return count;
      this.#marked[place] = 1;
    }
    return produced.length;
  }

  /** Undoes a firing: unmarks the first `count` produced places and marks the consumed ones. */
  #takeBack(consumed: readonly number[], produced: readonly number[], count: number): void {
    for (let at = 0; at < count; at++) this.#marked[produced[at] as number] = 0;
    for (const place of consumed) this.#marked[place] = 1;
  }

  /** Notes the marking to which a firing has led. It is written out only when it is a new one: in wide nets most are not. */
  #fire(
    from: number,
    marking: Int32Array,
    consumed: readonly number[],
    produced: readonly number[],
    node: number,
    transition: number,
  ): void {
    let hash = this.#hashes[from] as number;
    for (const place of consumed) hash ^= this.#bits[place] as number;
    for (const place of produced) hash ^= this.#bits[place] as number;
    const length = marking.length - consumed.length + produced.length;
    let index = this.#find(hash, length);
    if (index < 0) index = this.#keep(fired(marking, consumed, produced, length), hash, from, { node, transition });
    this.#edges?.push(from, index);
  }

  /** The index of the known marking that equals the marked places, of which there are `length`; -1 if it is new. */
  #find(hash: number, length: number): number {
    const mask = this.#table.length - 1;
    for (let slot = hash & mask; this.#table[slot] !== 0; slot = (slot + 1) & mask) {
      const index = (this.#table[slot] as number) - 1;
      if (this.#hashes[index] !== hash) continue;
      const other = this.#markings[index] as Int32Array;
      let same = other.length === length;
      for (let at = 0; same && at < length; at++) same = this.#marked[other[at] as number] === 1;
      if (same) return index;
    }
    return -1;
  }

  #keep(marking: Int32Array, hash: number, from: number, by: Firing): number {
    const index = this.#markings.push(marking) - 1;
    this.#hashes.push(hash);
    this.#parents.push(from);
    this.#by.push(by);
    if (this.#markings.length * 2 > this.#table.length) {
      this.#table = new Int32Array(this.#table.length * 4);
      for (const [each, known] of this.#hashes.entries()) this.#enter(each, known);
    } else {
      this.#enter(index, hash);
    }
    if (this.#improper < 0 && marking.length > 1 && this.#hasOutput(index)) this.#improper = index;
    return index;
  }

  #enter(index: number, hash: number): void {
    const mask = this.#table.length - 1;
    let slot = hash & mask;
    while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
    this.#table[slot] = index + 1;
  }

  #hasOutput(index: number): boolean {
    return (this.#markings[index] as Int32Array).includes(this.#net.output);
  }

  /** The first marking from which none with the output can be reached. */
  #firstDoomed(): number {
    const predecessors = this.#markings.map((): number[] => []);
    const edges: number[] = [];
    this.#edges = edges;
    for (const index of this.#markings.keys()) this.#expand(index);
    for (let edge = 0; edge < edges.length; edge += 2) predecessors[edges[edge + 1] as number]?.push(edges[edge] as number);
    const hopeful = new Uint8Array(this.#markings.length);
    const queue = [...this.#markings.keys()].filter((index) => this.#hasOutput(index));
    for (const index of queue) hopeful[index] = 1;
    for (let index = queue.pop(); index !== undefined; index = queue.pop()) {
      for (const before of predecessors[index] ?? []) {
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

  #finding(index: number): Finding | null {
    if (index < 0) return null;
    const waiting = [...(this.#markings[index] as Int32Array)].filter((place) => place !== this.#net.output);
    return { run: this.#runTo(index), waiting, shortest: true };
  }

  #runTo(index: number): Firing[] {
    const run: Firing[] = [];
    for (let at = index; at > 0; at = this.#parents[at] as number) run.push(this.#by[at] as Firing);
    return run.reverse();
  }
}

/** The sorted marking after a firing. */
function fired(marking: Int32Array, consumed: readonly number[], produced: readonly number[], length: number): Int32Array {
  const next = new Int32Array(length);
  const added = produced.length === 1 ? produced : [...produced].sort((a, b) => a - b);
  let at = 0;
  let taken = 0;
  for (const place of marking) {
    if (consumed.includes(place)) continue;
    while (taken < added.length && (added[taken] as number) < place) next[at++] = added[taken++] as number;
    next[at++] = place;
  }
  while (taken < added.length) next[at++] = added[taken++] as number;
  return next;
}

/** 32 bits for each place, the same ones every time (a xorshift generator, mixed). */
function randomBits(count: number): Int32Array {
  const bits = new Int32Array(count);
  let state = 0x2545f491;
  for (let index = 0; index < count; index++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bits[index] = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  }
  return bits;
}
