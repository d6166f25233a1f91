import type { FlowPlan, NodePlan, StatePlan } from '#main/runtime/plan.ts';
import { ReadyHeap } from '#main/runtime/ready-heap.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/runtime/error.ts';

interface Waiting {
  readonly state: NamedState;
  readonly order: number;
}

/**
 * The waiting states in insertion order, and which node fires next: the one of the first state whose node can fire. Both are
 * kept up as states come and go, so that choosing costs the same however many states wait.
 */
export class StateMap {
  readonly #plan: FlowPlan;
  /** What the ids of its nodes begin with in the run: empty, or for an item of an `each` node `"{each}[{index}]::"`. */
  readonly prefix: string;
  /** Null for a state that has been consumed: a name that comes again finds its place, where a map with gaps would be made anew time and again. */
  readonly #waiting = new Map<string, Waiting | null>();
  #size = 0;
  readonly #ready = new ReadyHeap<NodePlan>();
  #inserted = 0;

  constructor(plan: FlowPlan, states: readonly NamedState[], prefix = '') {
    this.#plan = plan;
    this.prefix = prefix;
    for (const state of states) this.#append(state);
  }

  /** The node that fires next; undefined when none can. */
  get next(): NodePlan | undefined {
    return this.#ready.top;
  }

  /** The output, once the terminal state is all that is left. */
  get done(): NamedState | undefined {
    return this.#size === 1 ? this.#waiting.get(this.#plan.terminal.name)?.state : undefined;
  }

  has(name: string): boolean {
    return Boolean(this.#waiting.get(name));
  }

  list(): NamedState[] {
    const waiting = [...this.#waiting.values()].filter((one) => one !== null);
    return waiting.sort((a, b) => a.order - b.order).map(({ state }) => state);
  }

  /** What a node that can fire consumes, in the order of its `from`. */
  valuesOf({ node: { from } }: NodePlan): Json[] {
    return from.length === 1 ? [this.value(from[0] as string)] : from.map((name) => this.value(name));
  }

  /** The value of a state that is known to wait. */
  value(name: string): Json {
    return (this.#waiting.get(name) as Waiting).state.value;
  }

  /** Throws `StateConflict` when one of the produced states waits already. What the node consumes does not count as waiting. */
  assertFree(plan: NodePlan, produced: readonly NamedState[]): void {
    for (const { name } of produced) {
      if (!this.has(name) || plan.node.from.includes(name)) continue;
      throw new FlowError(
        'StateConflict',
        `${this.prefix}${plan.node.id} would produce ${name} while a ${name} still waits. Nothing was overwritten; see to it that a path leads to ${name} only once.`,
        {
          node: this.prefix + plan.node.id,
          details: { state: name },
        },
      );
    }
  }

  /** Takes away what the node on top consumes and appends what it produced. */
  apply(plan: NodePlan, produced: readonly NamedState[]): void {
    this.#ready.pop();
    for (const name of plan.node.from) this.#waiting.set(name, null);
    this.#size -= plan.node.from.length;
    for (const state of produced) this.#append(state);
  }

  /** The failure of a run in which states wait and no node can fire. */
  deadlock(): FlowError {
    const waiting = this.list().map(({ name }) => name);
    const joins = waiting.flatMap((name) => {
      const consumer = this.#plan.states.get(name)?.consumer;
      const missing = consumer?.node.from.filter((other) => !this.has(other)) ?? [];
      return consumer && missing.length > 0 ? [{ join: this.prefix + consumer.node.id, waits_for: missing }] : [];
    });
    const said = joins.map(({ join, waits_for }) => `the join ${join} waits for ${waits_for.join(' and ')}`);
    return new FlowError(
      'Deadlock',
      `Nothing can fire${this.prefix && ` in ${this.prefix.slice(0, -2)}`}: ${waiting.join(', ')} ${waiting.length === 1 ? 'waits' : 'wait'}; ${said.join(', ')}.`,
      {
        node: joins[0]?.join ?? null,
        details: { waiting, joins },
      },
    );
  }

  #append(state: NamedState): void {
    const order = this.#inserted;
    this.#inserted = order + 1;
    this.#waiting.set(state.name, { state, order });
    this.#size += 1;
    const consumer = (this.#plan.states.get(state.name) as StatePlan).consumer;
    if (!consumer) return;
    let first = order;
    for (const { name } of consumer.inputs) {
      const other = this.#waiting.get(name);
      if (!other) return;
      if (other.order < first) first = other.order;
    }
    this.#ready.push(first, consumer);
  }
}
