import type { ModelResponse } from '#main/engine/ports/model-client.ts';
import type { Usage } from '#main/engine/step/draft.ts';
import type { Step } from '#main/engine/step/step.ts';
import type { AgentState } from '#shared/run/snapshot.ts';
import type { AgentPlan } from './agent-plan.ts';

/** What a visit has used of its limits after a call. */
export function spentBy(
  { settings: { limits }, controller }: AgentPlan,
  state: AgentState,
  { usage, cost }: ModelResponse,
): Partial<AgentState> {
  return {
    ...((limits?.tokens !== undefined || controller) && { tokens: (state.tokens ?? 0) + usage.tokens_in + usage.tokens_out }),
    ...(limits?.cost !== undefined && { cost: (state.cost ?? 0) + (cost ?? 0) }),
  };
}

/** What a step with one model call uses up of the run's limits. */
export function usageOf(step: Step, { usage, next_turn, cost }: ModelResponse): Usage {
  const turn = step.run.control.script_positions[step.node] ?? 0;
  const counted = { model_calls: 1, tokens: usage.tokens_in + usage.tokens_out, next_turn: next_turn ?? turn + 1 };
  return { ...counted, ...(cost !== undefined && { cost }) };
}
