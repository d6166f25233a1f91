import type { Draft } from '#main/runtime/draft.ts';
import type { Step } from '#main/runtime/step.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { RunEventOf } from '#shared/runtime/event.ts';

/** Tells that a node begins. One that goes on from an answer has begun before. Call it only where somebody listens. */
export function announceStart(step: Step): void {
  if (step.answer) return;
  const { kind } = step.plan.node;
  const phase = kind === 'agent' ? (step.run.control.agents[step.node]?.phase ?? 'reason') : undefined;
  step.emit({ type: 'node_enter', node: step.node, kind, ...(phase && { phase }) }, step.started);
}

/** Tells how a step has ended, after `duration` milliseconds. Call it only where somebody listens. */
export function announceEnd(step: Step, draft: Draft, duration: number): void {
  const ended = step.started + duration;
  if (draft.type === 'suspended') {
    // The others are told when it is their turn to be asked.
    const [first] = draft.suspensions;
    if (first) step.emit({ type: 'suspended', ...first }, ended);
    return;
  }
  const exchange = exchanged(step, draft.type === 'finished' ? draft.produced : null);
  const phase = draft.phase && { phase: draft.phase };
  step.emit({ type: 'node_exit', node: step.node, kind: step.plan.node.kind, ...phase, duration_ms: duration, ...exchange }, ended);
}

/** What a step took and gave, by name. No record holds the values of a called flow's steps, so its events do. */
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
