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
  | { readonly name: 'record_step' };
