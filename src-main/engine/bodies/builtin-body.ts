import {
  type AgentPlanning,
  beginPlan,
  hasNextStep,
  nextStep,
  type PlanProgress,
  recordStep,
} from '#main/engine/bodies/builtins/plan-progress.ts';
import {
  beginTypedPlan,
  nextWave,
  recordWave,
  type StepRequest,
  stepInput,
  stepResult,
  type TypedProgress,
} from '#main/engine/bodies/builtins/typed-plan.ts';
import { ballotOf, countVotes, judgedVote, type ReplicaAnswer, type Verdict } from '#main/engine/bodies/builtins/vote.ts';
import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import { recordedTime } from '#main/engine/step/recorded-time.ts';
import type { Json } from '#shared/json.ts';
import type { BodyOf } from './body.ts';

type Answers = readonly ReplicaAnswer[];

/** What a node of an expanded agent does. The schemas of the expansion's states have checked what comes in. */
export function evaluateBuiltinBody({ call }: BodyOf<'builtin'>): EvaluateBody {
  return (step) => {
    const [first, second] = step.values as readonly [unknown, unknown];
    switch (call.name) {
      case 'collect':
        return Array.isArray(first) ? [...first, second] : [first, second];
      case 'vote':
        return countVotes(first as Answers, call);
      case 'ballot':
        return ballotOf(first as Json, second as Answers);
      case 'judged':
        return judgedVote((first as { answers: Answers }).answers, second as Verdict, call.min_agreement);
      case 'winner':
        return (first as { value: Json }).value;
      case 'begin_plan':
        return beginPlan(first as Json, second as AgentPlanning, call);
      case 'more_steps':
        return hasNextStep(first as PlanProgress) ? { left: first } : { right: first };
      case 'next_step':
        return [nextStep(first as PlanProgress), first];
      case 'record_step':
        return recordStep(first as PlanProgress, second as { text: string });
      case 'fixed_plan':
        return { rationale: '', steps: call.steps };
      case 'in_list':
        return [first];
      case 'first_of_list':
        return (first as readonly Json[])[0];
      case 'begin_typed_plan':
        return recordedTime(step, 'now').then((now) => beginTypedPlan(first as Json, second as Json, call.policy, now));
      case 'next_wave':
        return [nextWave(first as TypedProgress), first];
      case 'record_wave':
        return recordWave(first as TypedProgress, second as TypedProgress['results']);
      case 'is_step_type':
        return (first as StepRequest).step.type === call.type ? { left: first } : { right: first };
      case 'step_input':
        return stepInput(first as StepRequest, call.results);
      case 'step_result':
        return stepResult(first as StepRequest, second as Json, call.of);
    }
  };
}
