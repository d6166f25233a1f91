import type { Firing, WorkflowNet } from './workflow-net.ts';

/** A run of firings, as a tree of its parts: joining two costs nothing however long they are. */
export type Run = Firing | { readonly before: Run; readonly after: Run };

/** A transition of the net while it is reduced: it represents a run of one or more firings. */
interface Transition {
  readonly cluster: Cluster;
  readonly post: Set<number>;
  run: Run;
}

/** All transitions that consume the same places: a node of the net. */
interface Cluster {
  readonly node: number;
  readonly pre: readonly number[];
  readonly transitions: Set<Transition>;
  queued: boolean;
  removed: boolean;
}

/** Transitions that the reduction may add; where it would need more, the rest is left to exploration. */
const maxAdded = 20_000;

/** A net as far as it could be reduced. It is sound exactly when the net is. */
export interface Reduced {
  /** True when a single transition from the input to the output is left, which proves the net sound. */
  readonly done: boolean;
  /** What is left: the nodes and places of the net, most of them without transitions. A firing represents the run with the same indices in `runs`. */
  readonly net: WorkflowNet;
  readonly runs: readonly (readonly Run[])[];
  /** Nodes that were done away with, in this order. Each can fire exactly when one of its `producers` can. */
  readonly removed: readonly { readonly node: number; readonly producers: readonly number[] }[];
}

/**
 * Reduces a net by the rules for free-choice workflow nets of Esparza and Hoffmann ("Reduction Rules for Colored Workflow Nets", FASE 2016; compare Desel and
 * Esparza, "Free Choice Petri Nets", 1995, chapter 7), each of which keeps soundness and unsoundness: two transitions with the same inputs and
 * outputs are one (merge); a transition that gives back exactly what it took goes, if its cluster has another (iteration); and a cluster
 * that every producer of its places enables at once is done away with by letting each producer go on with each of its transitions (shortcut).
 */
export function reduce(net: WorkflowNet): Reduced {
  return new Reduction(net).run();
}

class Reduction {
  readonly #net: WorkflowNet;
  readonly #clusters: readonly Cluster[];
  /** By place. */
  readonly #producers: readonly Set<Transition>[];
  /** Clusters to look at: those with one transition first, since doing away with them adds nothing. */
  readonly #simple: Cluster[] = [];
  readonly #choices: Cluster[] = [];
  readonly #removed: { node: number; producers: number[] }[] = [];
  #added = 0;

  constructor(net: WorkflowNet) {
    this.#net = net;
    this.#producers = net.places.map(() => new Set());
    this.#clusters = net.pre.map((pre, node) => ({ node, pre, transitions: new Set(), queued: false, removed: false }));
    for (const [index, cluster] of this.#clusters.entries()) {
      for (const [transition, post] of (net.post[index] ?? []).entries())
        this.#add({ cluster, post: new Set(post), run: { node: index, transition } });
    }
  }

  run(): Reduced {
    for (const cluster of this.#clusters) {
      this.#tidy(cluster);
      this.#queue(cluster);
    }
    for (;;) {
      const cluster = this.#simple.pop() ?? this.#leastChoice();
      if (!cluster || this.#added > maxAdded) break;
      cluster.queued = false;
      if (!cluster.removed) this.#shortcut(cluster);
    }
    const left = this.#clusters.map((cluster) => (cluster.removed ? [] : [...cluster.transitions]));
    return {
      done: this.#isOneTransition(),
      net: { ...this.#net, post: left.map((transitions) => transitions.map(({ post }) => [...post])) },
      runs: left.map((transitions) => transitions.map(({ run }) => run)),
      removed: this.#removed,
    };
  }

  #isOneTransition(): boolean {
    const left = this.#clusters.filter((cluster) => !cluster.removed);
    const [only] = left;
    if (!only || left.length > 1 || only.pre.length !== 1 || only.pre[0] !== this.#net.input) return false;
    const [transition, more] = only.transitions;
    return transition !== undefined && more === undefined && transition.post.size === 1 && transition.post.has(this.#net.output);
  }

  /** Takes the waiting cluster whose removal adds the fewest transitions. */
  #leastChoice(): Cluster | undefined {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const [index, cluster] of this.#choices.entries()) {
      const growth = this.#growth(cluster);
      if (growth >= least) continue;
      best = index;
      least = growth;
      if (growth <= 1) break;
    }
    if (best < 0) return undefined;
    const last = this.#choices.pop() as Cluster;
    if (best === this.#choices.length) return last;
    const found = this.#choices[best] as Cluster;
    this.#choices[best] = last;
    return found;
  }

  /** Transitions that would be added, each as costly as it has outputs: a choice in one of several parallel branches is better reduced inside its own branch. */
  #growth({ pre, transitions }: Cluster): number {
    let outputs = 0;
    for (const { post } of this.#producers[pre[0] as number] ?? []) outputs += post.size;
    return outputs * (transitions.size - 1);
  }

  #queue(cluster: Cluster): void {
    if (cluster.queued || cluster.removed) return;
    cluster.queued = true;
    (cluster.transitions.size === 1 ? this.#simple : this.#choices).push(cluster);
  }

  #shortcut(cluster: Cluster): void {
    const { pre, transitions } = cluster;
    const [first, ...others] = pre.map((place) => this.#producers[place] as Set<Transition>);
    // A place without a producer is dead; the input place has its initial token instead of a producing transition.
    if (!first || first.size === 0 || transitions.size === 0 || pre.includes(this.#net.input)) return;
    for (const other of others) if (other.size !== first.size) return;
    for (const producer of first) {
      if (producer.cluster === cluster) return;
      for (const place of pre) if (!producer.post.has(place)) return;
      // Two tokens in one place: the net is not safe, and exploration will show by which run.
      for (const { post } of transitions) for (const place of post) if (producer.post.has(place) && !pre.includes(place)) return;
    }
    const producers = [...first];
    const touched = new Set<number>();
    cluster.removed = true;
    this.#removed.push({ node: cluster.node, producers: producers.map((producer) => producer.cluster.node) });
    for (const transition of transitions) {
      this.#remove(transition);
      for (const place of transition.post) touched.add(place);
    }
    for (const producer of producers) this.#continue(producer, pre, [...transitions]);
    for (const { cluster: before } of producers) {
      this.#tidy(before, touched);
      this.#queue(before);
    }
    for (const place of touched) {
      const consumer = this.#clusters[this.#net.consumer[place] as number];
      if (consumer) this.#queue(consumer);
    }
  }

  /** Combines a producer with each transition of the cluster that it enables. The last one reuses the producer itself. */
  #continue(producer: Transition, pre: readonly number[], transitions: readonly Transition[]): void {
    for (const place of pre) {
      producer.post.delete(place);
      this.#producers[place]?.delete(producer);
    }
    const { run } = producer;
    for (const [index, transition] of transitions.entries()) {
      const both: Run = { before: run, after: transition.run };
      if (index < transitions.length - 1) {
        this.#added++;
        this.#add({ cluster: producer.cluster, post: new Set([...producer.post, ...transition.post]), run: both });
        continue;
      }
      producer.run = both;
      for (const place of transition.post) {
        producer.post.add(place);
        this.#producers[place]?.add(producer);
      }
    }
  }

  #add(transition: Transition): void {
    transition.cluster.transitions.add(transition);
    for (const place of transition.post) this.#producers[place]?.add(transition);
  }

  /** Removes a transition from its places' producers, and from its cluster on request. */
  #remove(transition: Transition): void {
    for (const place of transition.post) this.#producers[place]?.delete(transition);
  }

  /** Merges equal transitions and removes iterations. `touched` takes the places that lose a producer. */
  #tidy(cluster: Cluster, touched?: Set<number>): void {
    if (cluster.transitions.size < 2) return;
    const known = new Set<string>();
    for (const transition of cluster.transitions) {
      const key = [...transition.post].sort((a, b) => a - b).join();
      const iteration = transition.post.size === cluster.pre.length && cluster.pre.every((place) => transition.post.has(place));
      if (known.has(key) || (iteration && cluster.transitions.size > 1)) {
        this.#remove(transition);
        cluster.transitions.delete(transition);
        for (const place of transition.post) touched?.add(place);
      }
      known.add(key);
    }
  }
}

/** The firings of a run, in order. */
export function firingsOf(run: Run): Firing[] {
  const firings: Firing[] = [];
  const open: Run[] = [run];
  for (let part = open.pop(); part; part = open.pop()) {
    if ('node' in part) firings.push(part);
    else open.push(part.after, part.before);
  }
  return firings;
}
