import type { Draft } from '#main/engine/step/draft.ts';
import type { NodeShape, PerformNode } from '#main/engine/step/node-plan.ts';
import type { StatePlan } from '#main/engine/step/state-plan.ts';

/** Shows its state and waits; the answer is the next state. */
export function suspendPerformer({ outputs }: NodeShape): PerformNode {
  const output = outputs[0] as StatePlan;
  return (step): Draft => {
    const { answer } = step;
    if (answer) return { type: 'finished', produced: [step.output(output, answer.payload)] };
    const suspension = {
      reason: 'suspend_node' as const,
      tool_id: `${step.node}::suspend`,
      node: step.node,
      tool_call_id: `wait_${step.ready}`,
      value: step.input,
      payload_schema: output.schema,
    };
    return { type: 'suspended', suspensions: [suspension] };
  };
}
