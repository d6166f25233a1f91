import type { Context } from '#main/engine/ports/context.ts';
import type { FrameCursor } from '#main/engine/step/frame-cursor.ts';
import type { FlowPlan, NodePlan } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { defaultParallel, type Parallel } from '#shared/flow/parallel.ts';
import type { Control } from '#shared/run/snapshot.ts';
import { Lane, type Prepared } from './lane.ts';
import type { RunState } from './run-state.ts';

/** The lanes of a run, in which it works ahead of the order of its transitions. Nothing of the run is changed by them. */
export class Lanes {
  readonly #run: RunState;
  /** By what they work on: a node's id, or a frame (`laneOfItem`, a frame's key). */
  readonly #lanes = new Map<string, Lane>();
  #ctx: Context | undefined;
  #next: NodePlan | undefined;
  #cursor: FrameCursor | null = null;

  constructor(run: RunState) {
    this.#run = run;
  }

  /** Begins to work ahead with this context, from the next transition on. */
  open(ctx: Context): void {
    this.#ctx = ctx;
  }

  /** Stops working ahead: resolves once the effects in progress have ended. Steps that are made stay for the run to take. */
  async close(): Promise<void> {
    this.#ctx = undefined;
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
    this.#sweep();
  }

  /** Takes the step that the run makes next, if a lane has begun it. */
  take(plan: NodePlan, cursor: FrameCursor | null, readyOf: () => string): Prepared | undefined {
    if (this.#lanes.size === 0) return undefined;
    const values = this.#run.states.valuesOf(plan);
    const ready = readyOf();
    for (const key of keysOf(plan, cursor)) {
      const lane = this.#lanes.get(key);
      if (!lane) continue;
      const prepared = lane.take(cursor?.id ?? plan.node.id, ready, values);
      if (!prepared) {
        // What it has made belongs to no transition of this run any more.
        this.#lanes.delete(key);
        lane.drop();
        continue;
      }
      if (lane.isSpent) this.#lanes.delete(key);
      if (lane.isSpent && prepared.made) lane.dispose();
      return prepared;
    }
    return undefined;
  }

  /** Starts lanes for what can run besides the transition that is next, which `next` makes itself. */
  start(next: NodePlan, cursor: FrameCursor | null): void {
    if (this.#ctx === undefined) return;
    this.#next = next;
    this.#cursor = cursor;
    // In a chain nothing can overlap.
    if (this.#run.states.readyCount > 1 || next.parallel > 1 || next.node.kind === 'agent') this.#fill();
  }

  readonly #fill = (): void => {
    const ctx = this.#ctx;
    if (!ctx || ctx.gate || ctx.supply || ctx.signal.aborted || this.#run.isWaiting) return;
    const { ahead, effects } = this.#settings;
    if (ahead <= 1) return;
    for (const plan of this.#run.states.ready) {
      const isNext = plan === this.#next;
      if (plan.each && plan.parallel > 1) this.#startItems(plan, ctx, effects);
      else if (isNext) this.#startCalls(plan, ctx, ahead);
      else if (actsOutside(plan, effects) && this.#busy < ahead - 1) this.#add(plan.node.id, plan, ctx, this.#run.control, () => true);
    }
  };

  get #settings(): Parallel {
    return { ...defaultParallel, ...this.#run.plan.graph.parallel };
  }

  get #busy(): number {
    return [...this.#lanes.values()].filter((lane) => lane.isBusy).length;
  }

  /** Items of a list, each in a lane of its own, as many at once as the node says. */
  #startItems(plan: NodePlan, ctx: Context, effects: Parallel['effects']): void {
    const { id } = plan.node;
    const [items] = this.#run.states.valuesOf(plan);
    if (!Array.isArray(items) || ![...(plan.each as FlowPlan).nodes.values()].some((node) => actsOutside(node, effects))) return;
    const { control } = this.#run;
    const frame = control.frames[id];
    // The first item is in progress where the node is next.
    const [level] = plan === this.#next && this.#cursor ? this.#cursor.levels : [];
    const first = level ? level.frame.index + 1 : (frame?.index ?? 0);
    const most = plan.parallel - (level ? 1 : 0);
    const ofItems = (): Lane[] => [...this.#lanes].flatMap(([key, lane]) => (key.startsWith(`${id}[`) ? [lane] : []));
    for (let index = first; index < Math.min(items.length, first + mostItems); index += 1) {
      if (this.#lanes.has(`${id}[${index}]`)) continue;
      if (ofItems().filter((lane) => lane.isBusy).length >= most) return;
      const frames = { ...control.frames, [id]: { index, states: [], results: [] } };
      this.#add(`${id}[${index}]`, plan, ctx, { ...control, frames }, (after) => after.frames[id]?.index === index);
    }
  }

  /** Flows that the agent in the run's turn has called, besides the one that runs now. */
  #startCalls(plan: NodePlan, ctx: Context, ahead: number): void {
    // The agent's own lane has gone into them, or will.
    if (this.#lanes.has(plan.node.id)) return;
    const { control } = this.#run;
    const current = this.#cursor?.levels[0]?.id;
    const open = (control.agents[plan.node.id]?.pending ?? []).flatMap(({ frame, result }) => {
      const call = frame === undefined || result ? undefined : control.frames[frame];
      return frame !== undefined && call?.call && call.index === 0 && call.made === undefined ? [frame] : [];
    });
    for (const key of open) {
      if (key === current || this.#lanes.has(key) || this.#busy >= ahead - 1) continue;
      const before = open.slice(0, open.indexOf(key)).concat(current === undefined ? [] : [current]);
      const done = before.flatMap((other) => {
        const frame = control.frames[other];
        return frame ? [[other, { ...frame, index: 1 }] as const] : [];
      });
      const frames = { ...control.frames, ...Object.fromEntries(done) };
      this.#add(key, plan, ctx, { ...control, frames }, (after) => after.frames[key]?.index === 0);
    }
  }

  #add(key: string, plan: NodePlan, ctx: Context, control: Control, isOpen: (control: Control) => boolean): void {
    if (this.#lanes.has(key)) return;
    const { effects } = this.#settings;
    const mayBegin = (step: Step): boolean => this.#mayBegin(step);
    let added = false;
    // A lane may end while it is being made.
    const idle = (): void => {
      if (added) this.#fill();
    };
    this.#lanes.set(key, new Lane({ run: this.#run, plan, ctx, effects, control, isOpen, mayBegin, onIdle: idle }));
    added = true;
  }

  /** Whether the limits allow one more step, counting all that is begun and not committed. */
  #mayBegin({ plan }: Step): boolean {
    const { limits } = this.#run;
    const counted = this.#run.counted();
    const begun = [...this.#lanes.values()].flatMap((lane) => lane.prepared);
    // One more for the transition that is next.
    if (counted.steps + begun.length + 1 >= limits.steps) return false;
    if (plan.node.kind !== 'agent') return true;
    const usages = begun.flatMap(({ made }) => (made && 'draft' in made && 'usage' in made.draft && made.draft.usage) || []);
    const calls = begun.filter(({ ahead }) => ahead.place.phase.includes('reason')).length;
    const tokens = usages.reduce((sum, usage) => sum + usage.tokens, 0);
    const cost = usages.reduce((sum, usage) => sum + (usage.cost ?? 0), counted.cost ?? 0);
    if (limits.cost !== undefined && cost >= limits.cost) return false;
    return counted.model_calls + calls + 1 < limits.model_calls && counted.tokens + tokens < limits.tokens;
  }

  #sweep(): void {
    for (const [key, lane] of this.#lanes) {
      if (!lane.isSpent) continue;
      lane.dispose();
      this.#lanes.delete(key);
    }
  }
}

/** The most items of a list that are begun before the first one of them has ended. */
const mostItems = 64;

/** The lanes in which a node's next step may be, nearest first. */
function keysOf({ node }: NodePlan, cursor: FrameCursor | null): string[] {
  const level = cursor?.levels[0];
  if (!level) return [node.id];
  return level.frame.call ? [level.id, node.id] : [`${node.id}[${level.frame.index}]`, node.id];
}

/** Whether running a node ahead can start an effect before its turn. */
function actsOutside({ node, each, pure }: NodePlan, effects: Parallel['effects']): boolean {
  if (node.kind === 'agent') return true;
  if (each) return [...each.nodes.values()].some((inner) => actsOutside(inner, effects));
  if (node.kind === 'suspend' || pure) return false;
  return effects === 'all' || (effects === 'read' && node.body.type === 'tool');
}
