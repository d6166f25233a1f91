import type { Draft } from '#main/engine/step/draft.ts';
import { notifyListener } from '#main/engine/step/notify-listener.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { AgentPhase } from '#shared/run/agent-phase.ts';
import type { RunEventOf } from '#shared/run/event.ts';
import { nodeEnter, nodeExit } from '#shared/run/step-frame.ts';

/** Emits that a node begins. A node that continues from an answer has begun before. */
export function announceStart(step: Step): void {
  if (!step.ctx.onEvent || step.answer) return;
  const { kind } = step.plan.node;
  const { seq, node, started } = step;
  notifyListener(step.ctx, nodeEnter(step.run.run_id, { seq, node, kind, phase: phaseOf(step), started_at: started, ...step.planned }));
}

/** Emits that a step begins before its turn, to those who watch what is made ahead. */
export function announceAhead(step: Step): void {
  const { kind } = step.plan.node;
  const phase = phaseOf(step);
  step.announceAhead({ type: 'node_enter', node: step.node, kind, ...(phase && { phase }) });
}

/** Emits how a step that is made before its turn has ended: it waits for its turn. */
export function announceEndAhead(step: Step, draft: Draft | undefined): void {
  if (draft?.type === 'finished' || draft?.type === 'phase') {
    const { node, elapsed: duration_ms } = step;
    const phase = draft.phase && { phase: draft.phase };
    step.announceAhead({ type: 'node_exit', node, kind: step.plan.node.kind, ...phase, duration_ms, consumed: [], produced: [] });
  }
  step.aheadGoesOn('waiting');
}

/** Which part of its turn an agent is in; undefined for other nodes. */
export function phaseOf({ node, plan, run }: Step): AgentPhase | undefined {
  if (plan.node.kind !== 'agent') return undefined;
  const { phase = 'reason', guard } = run.control.agents[node] ?? {};
  return guard?.output || guard?.failed ? 'guard' : phase;
}

/** Emits how a step ended, after `duration` milliseconds. Call it only if there is a listener. */
export function announceEnd(step: Step, draft: Draft, duration: number): void {
  const ended = step.started + duration;
  if (draft.type === 'suspended') {
    // The others are emitted when it is their turn to be asked.
    const [first] = draft.suspensions;
    if (first) step.emit({ type: 'suspended', ...first }, ended);
    return;
  }
  if (!step.ctx.onEvent && !step.cursor) return;
  const { seq, node, started } = step;
  const { kind } = step.plan.node;
  const exchange = exchanged(step, draft.type === 'finished' ? draft.produced : null);
  const exit = nodeExit(step.run.run_id, {
    seq,
    node,
    kind,
    phase: draft.type === 'failed_call' ? phaseOf(step) : draft.phase,
    started_at: started,
    duration_ms: duration,
    ...exchange,
    supplied: step.supplied,
  });
  if (step.cursor) step.emit(exit, ended);
  else notifyListener(step.ctx, exit);
}

/** What a step took and gave, by name. No record holds the values of a flow that runs within one step, so its events do. */
function exchanged(step: Step, produced: readonly NamedState[] | null): Pick<RunEventOf<'node_exit'>, 'consumed' | 'produced'> {
  if (!produced) return { consumed: [], produced: [] };
  if (step.run.caller) return { consumed: byName(consumedBy(step)), produced: byName(produced) };
  return { consumed: [...step.plan.node.from], produced: produced.map(({ name }) => name) };
}

/** The states that a step takes, in the order of `from`. */
export function consumedBy({ plan, values }: Step): NamedState[] {
  return plan.node.from.map((name, index) => ({ name, value: values[index] as Json }));
}

function byName(states: readonly NamedState[]): Record<string, Json> {
  return Object.fromEntries(states.map(({ name, value }) => [name, value]));
}
