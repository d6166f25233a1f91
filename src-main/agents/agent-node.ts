import type { PerformNode } from '#main/runtime/plan.ts';
import { FlowError } from '#shared/runtime/error.ts';

export function agentPerformer(): PerformNode {
  return (step) => {
    throw new FlowError('BuildError', 'Agents come next.', { node: step.node });
  };
}
