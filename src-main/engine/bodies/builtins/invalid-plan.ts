import { FlowError } from '#shared/run/error.ts';

/** The failure of a plan that violates its policy (pagantic's `PlanPolicy`). */
export function invalidPlan(why: string): FlowError {
  const more = { code: 'ORCHESTRATION_STEP_MISMATCH', category: 'orchestration', retryable: false } as const;
  return new FlowError('AgentError', `The plan is invalid: ${why}.`, more);
}
