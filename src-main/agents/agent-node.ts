import { act } from '#main/agents/act.ts';
import { agentPlan } from '#main/agents/agent-plan.ts';
import { reason } from '#main/agents/reason.ts';
import type { NodeShape, PerformNode, StatePlan } from '#main/runtime/plan.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** An agent makes one phase a step: *reason* is one model call, *act* the tool calls that it asked for. Its state stays until it has an output. */
export function agentPerformer({ node, outputs }: NodeShape): PerformNode {
  if (node.body.type !== 'agent')
    throw new FlowError('BuildError', `${node.id} is an agent without settings. Build the flow again.`, { node: node.id });
  const plan = agentPlan(node.body.agent, outputs[0] as StatePlan);
  return (step) => {
    const state = step.run.control.agents[step.node];
    return state?.phase === 'act' ? act(step, plan, state) : reason(step, plan);
  };
}
