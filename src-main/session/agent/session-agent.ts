import { performAgent } from '#main/agents/agent-node.ts';
import type { NodeShape, PerformNode } from '#main/engine/step/node-plan.ts';
import type { StatePlan } from '#main/engine/step/state-plan.ts';
import { FlowError } from '#shared/run/error.ts';
import { sessionAgentPlan } from './session-agent-plan.ts';

/** An agent of a session: it hears what the session holds, and its answer becomes part of it. */
export function sessionAgentPerformer({ node, outputs }: NodeShape): PerformNode {
  const { body } = node;
  if (body.type !== 'agent' || !body.session)
    throw new FlowError('BuildError', `Agent ${node.id} has no session. Build the flow again.`, { node: node.id });
  return performAgent(sessionAgentPlan(body.agent, body.session, outputs[0] as StatePlan));
}
