import type { Json } from '#shared/json.ts';
import type { PlanPolicy } from './plan-policy.ts';

/** How the answers of a redundant agent's replicas become one. */
export type Vote = 'majority' | 'first_valid' | 'judge';

/** The body of a node that the expansion of an agent's mode adds; a document cannot contain one. All are pure. */
export type Builtin =
  /** `join` of an answer (or a list of answers) and one more answer: the list of them all. */
  | { readonly name: 'collect' }
  /** `work` on a list of answers: the vote, without asking a judge. */
  | { readonly name: 'vote'; readonly vote: Exclude<Vote, 'judge'>; readonly min_agreement: number }
  /** `join` of the question and the list of answers: what a judge is asked. */
  | { readonly name: 'ballot' }
  /** `join` of the ballot and the judge's verdict: the vote. */
  | { readonly name: 'judged'; readonly min_agreement: number }
  /** `work` on a vote: the value that won. */
  | { readonly name: 'winner' }
  /** `join` of the agent's input and its plan: the plan's progress, nothing done yet. Refuses a plan that breaks the policy. */
  | { readonly name: 'begin_plan'; readonly planner: string; readonly max_steps: number; readonly linear: boolean }
  /** `either` on the progress: left while a step is to be done. */
  | { readonly name: 'more_steps' }
  /** `fork` of the progress: the input of the next step's agent, and the progress itself. */
  | { readonly name: 'next_step' }
  /** `join` of the progress and a step's result: the progress with it. */
  | { readonly name: 'record_step' }
  /** `work`: the plan that the document contains. */
  | { readonly name: 'fixed_plan'; readonly steps: Json }
  /** `work`: a list of the value, as the input of an `each` node. */
  | { readonly name: 'in_list' }
  /** `work` on the output of an `each` node with one item: that item's. */
  | { readonly name: 'first_of_list' }
  /** `join` of the agent's input and its plan with typed steps: the plan's progress, nothing done yet. */
  | { readonly name: 'begin_typed_plan'; readonly policy: PlanPolicy }
  /** `fork` of the progress of a plan with typed steps: the steps that can be done now, and the progress itself. */
  | { readonly name: 'next_wave' }
  /** `join` of the progress and the results of a wave: the progress with them. */
  | { readonly name: 'record_wave' }
  /** `either` on a step: left if it is of this type. */
  | { readonly name: 'is_step_type'; readonly type: string }
  /** `work` on a step: a list of the input of the flow that does it. `results`: it gets those of the steps that it needs. */
  | { readonly name: 'step_input'; readonly results: boolean }
  /** `join` of a step and what came of it: its result. */
  | { readonly name: 'step_result'; readonly of: 'agent' | 'flow' };
