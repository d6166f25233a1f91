import type { NodeShape, PerformNode } from '#main/engine/step/node-plan.ts';
import type { LoadAgentLoop } from '#main/engine/step/run-context.ts';
import type { Step } from '#main/engine/step/step.ts';
import { FlowError } from '#shared/run/error.ts';

/** Runs an agent node with the agent loop that its context registers. Only the first step with a loop waits for it to load. */
export function agentPerformer(shape: NodeShape): PerformNode {
  const performers = new WeakMap<LoadAgentLoop, PerformNode>();
  return (step) => {
    const load = agentLoopOf(step);
    const known = performers.get(load);
    if (known !== undefined) return known(step);
    return load().then((makePerformer) => {
      const perform = performers.get(load) ?? makePerformer(shape);
      performers.set(load, perform);
      return perform(step);
    });
  };
}

function agentLoopOf({ ctx, node, plan }: Step): LoadAgentLoop {
  const { body } = plan.node;
  const loop = body.type === 'agent' && body.session ? ctx.sessionAgents : ctx.agentLoop;
  if (loop !== undefined) return loop;
  throw new FlowError('BuildError', `Agent ${node} cannot run: this context has no agent loop. Create the context with createContext.`, {
    node,
  });
}
