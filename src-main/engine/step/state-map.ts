import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { FlowPlan, NodePlan } from './node-plan.ts';
import { ReadyHeap } from './ready-heap.ts';
import type { StatePlan } from './state-plan.ts';

interface Waiting {
  readonly state: NamedState;
  readonly order: number;
  /** Number of the record that produced it. */
  readonly written: number;
}

const noNumbers: readonly number[] = [];

/**
 * The waiting states in insertion order, and which node fires next: the one of the first state whose node can fire. Both are
 * kept up as states come and go, so that choosing costs the same however many states wait.
 */
export class StateMap {
  readonly plan: FlowPlan;
  /** What the ids of its nodes begin with in the run: empty, or for an item of an `each` node `"{each}[{index}]::"`. */
  readonly prefix: string;
  /** By the state's index in the plan: names are looked up once, when a state comes. */
  readonly #waiting: (Waiting | undefined)[];
  #size = 0;
  readonly #ready = new ReadyHeap<NodePlan>();
  #inserted = 0;

  /** `written`: numbers of the records that produced the states, in their order. Default: 0. */
  constructor(plan: FlowPlan, states: readonly NamedState[], prefix = '', written: readonly number[] = noNumbers) {
    this.plan = plan;
    this.prefix = prefix;
    this.#waiting = new Array<Waiting | undefined>(plan.states.size).fill(undefined);
    states.forEach((state, index) => {
      this.#append(state, plan.states.get(state.name) as StatePlan, written[index] ?? 0);
    });
  }

  /** The node that fires next; undefined when none can. */
  get next(): NodePlan | undefined {
    return this.#ready.top;
  }

  /** The output, once the terminal state is all that is left. */
  get done(): NamedState | undefined {
    return this.#size === 1 ? this.#waiting[this.plan.terminal.index]?.state : undefined;
  }

  list(): NamedState[] {
    return this.#inOrder.map(({ state }) => state);
  }

  /** Numbers of the records that produced the waiting states, in their order. */
  get written(): number[] {
    return this.#inOrder.map(({ written }) => written);
  }

  get #inOrder(): Waiting[] {
    return this.#waiting.filter((one) => one !== undefined).sort((a, b) => a.order - b.order);
  }

  /** How many nodes can fire. */
  get readyCount(): number {
    return this.#ready.size;
  }

  /** The nodes that can fire, in order. */
  get ready(): NodePlan[] {
    return this.#ready.sorted;
  }

  /**
   * Identifies the firing of a node that can fire: the number of the record that produced the last of what it consumes and, for a branch of a fork after
   * the first, the branch. Every state has one consumer, so no other firing has the same.
   */
  readyTag({ inputs }: NodePlan): string {
    let [written, branch] = [0, 0];
    for (const input of inputs) {
      const state = this.#waiting[input.index];
      if (!state || state.written < written) continue;
      written = state.written;
      branch = input.branch;
    }
    return branch === 0 ? `${written}` : `${written}-${branch}`;
  }

  /** What a node that can fire consumes, in the order of its `from`. */
  valuesOf({ inputs }: NodePlan): Json[] {
    return inputs.length === 1 ? [this.#valueOf(inputs[0] as StatePlan)] : inputs.map((input) => this.#valueOf(input));
  }

  /** Throws `StateConflict` when one of the produced states waits already. What the node consumes does not count as waiting. */
  assertFree(plan: NodePlan, produced: readonly NamedState[]): void {
    if (this.#size === plan.inputs.length) return;
    for (const { name } of produced) {
      if (!this.#has(name) || plan.node.from.includes(name)) continue;
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

  /** Takes away what the node on top consumes and appends what it produced with record `seq`. */
  apply(plan: NodePlan, produced: readonly NamedState[], seq = 0): void {
    this.#ready.pop();
    for (const { index } of plan.inputs) this.#waiting[index] = undefined;
    this.#size -= plan.inputs.length;
    for (const state of produced) this.#append(state, outputOf(plan, state.name) ?? (this.plan.states.get(state.name) as StatePlan), seq);
  }

  /** The node that the first waiting state waits for. */
  get stuck(): NodePlan | undefined {
    const waiting = this.list().map(({ name }) => this.plan.states.get(name)?.consumer);
    return waiting.find((consumer) => consumer !== undefined) ?? undefined;
  }

  /** The failure of a run in which states wait and no node can fire. */
  deadlock(): FlowError {
    const waiting = this.list().map(({ name }) => name);
    const joins = waiting.flatMap((name) => {
      const consumer = this.plan.states.get(name)?.consumer;
      const missing = consumer?.node.from.filter((other) => !this.#has(other)) ?? [];
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

  #has(name: string): boolean {
    return this.#waiting[(this.plan.states.get(name) as StatePlan).index] !== undefined;
  }

  #valueOf({ index }: StatePlan): Json {
    return (this.#waiting[index] as Waiting).state.value;
  }

  #append(state: NamedState, { index, consumer }: StatePlan, written: number): void {
    const order = this.#inserted;
    this.#inserted = order + 1;
    this.#waiting[index] = { state, order, written };
    this.#size += 1;
    if (!consumer) return;
    let first = order;
    for (const input of consumer.inputs) {
      const other = this.#waiting[input.index];
      if (other === undefined) return;
      if (other.order < first) first = other.order;
    }
    this.#ready.push(first, consumer);
  }
}

/**
 * A node's output by its name: found without the table of all states, which in a large flow is not in the processor's cache. Undefined for a state that a pin
 * of the nested flow around the node supplies.
 */
function outputOf({ outputs }: NodePlan, name: string): StatePlan | undefined {
  const [first] = outputs;
  return first?.name === name ? first : outputs.find((output) => output.name === name);
}
