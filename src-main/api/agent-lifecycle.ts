import { requestState } from '#main/api/agent-flow.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import type { RunEvent } from '#shared/runtime/event.ts';
import type { SystemRequest } from '#shared/runtime/system-request.ts';

/** pagantic's states of a request. Which ones are visited, and in what order, depends on the mode. */
export type LifecycleState = 'INIT' | 'PLAN' | 'PREPARE' | 'EXECUTE' | 'VALIDATE' | 'COMPLETE';

export interface LifecycleMove {
  readonly from: LifecycleState;
  readonly to: LifecycleState;
  /** From 1; one more each time that the model is asked again. */
  readonly attempt: number;
  readonly reason: string;
}

type Tell = (move: LifecycleMove) => void;

/** Names of the nodes that a plan and a vote are expanded into (`src-shared/flow/expansion`). */
const planStep = `${requestState}::step`;
const planSummary = `${requestState}::done`;
const planChecked = `${requestState}::input+${requestState}::plan`;
const stepRecorded = `${requestState}::going+${requestState}::answer`;

/**
 * The state machine of one request, moved by what its run does while it does it:
 *
 * chat: `INIT → PREPARE → EXECUTE → COMPLETE`;
 * structured: `INIT → PREPARE → EXECUTE → VALIDATE → COMPLETE`, and `VALIDATE → EXECUTE` for each answer that misses its schema;
 * plan: `INIT → PLAN → PREPARE → EXECUTE → VALIDATE → COMPLETE`, and `EXECUTE → VALIDATE → EXECUTE` for each step;
 * redundant: `INIT → PREPARE → EXECUTE → VALIDATE → COMPLETE`, the vote being what validates.
 *
 * A request that fails stays where it is; its `error` event says why.
 */
export class AgentLifecycle {
  readonly #mode: SystemRequest['mode'];
  readonly #tell: Tell;
  #state: LifecycleState = 'INIT';
  #attempt = 1;

  constructor(mode: SystemRequest['mode'], tell: Tell) {
    this.#mode = mode;
    this.#tell = tell;
  }

  /** The request can be used. */
  accepted(): void {
    if (this.#mode === 'plan') this.#move('PLAN', 'a plan is made first');
    else this.#move('PREPARE', 'the request can be used');
  }

  /** Before an event of the run is handed on: nodes begin in the state that they belong to. */
  before(event: RunEvent): void {
    if (event.type !== 'node_enter' || event.parent_span_id !== undefined) return;
    const { node, kind } = event;
    if (this.#mode === 'plan') this.#enterPlanNode(node);
    else if (this.#state === 'PREPARE') this.#move('EXECUTE', this.#mode === 'redundant' ? 'the replicas begin' : 'the agent begins');
    else if (this.#mode === 'redundant' && this.#state === 'EXECUTE' && kind !== 'agent' && node.endsWith(`${requestState}::answers`))
      this.#move('VALIDATE', 'the answers are compared');
  }

  /** After an event of the run was handed on. */
  after(event: RunEvent): void {
    if (event.parent_span_id !== undefined) return;
    if (this.#mode === 'structured') this.#validate(event);
    else if (this.#mode === 'plan' && 'node' in event && event.node === planSummary) this.#validate(event);
  }

  /** Whether an agent's own event about asking again is told as the request's. */
  tellsItself(event: RunEvent): boolean {
    return event.type === 'lifecycle' && this.#mode === 'structured' && event.node === requestState;
  }

  /** The run has ended with an output. */
  completed(): void {
    if (this.#state === 'EXECUTE' && this.#mode !== 'chat') this.#move('VALIDATE', 'the answer has come');
    this.#move('COMPLETE', 'the request is answered');
  }

  #enterPlanNode(node: string): void {
    if (node === planChecked && this.#state === 'PLAN') this.#move('PREPARE', 'the plan is checked');
    if (node === stepRecorded && this.#state === 'EXECUTE') this.#move('VALIDATE', 'a step has its result');
    if (node === planStep && (this.#state === 'PREPARE' || this.#state === 'VALIDATE')) this.#move('EXECUTE', 'a step begins');
    if (node === planSummary && this.#state === 'VALIDATE') this.#move('EXECUTE', 'the results are summed up');
  }

  #validate(event: RunEvent): void {
    if (event.type === 'inference_end' && event.finish_reason !== 'error' && event.tool_call_count === 0)
      this.#answered('an answer has come');
    if (event.type === 'tool_call' && event.tool_name === submitTool) this.#answered('a result was submitted');
    if (event.type === 'lifecycle' && event.to === 'EXECUTE') this.#askAgain(event.reason);
  }

  #answered(reason: string): void {
    if (this.#state === 'EXECUTE') this.#move('VALIDATE', reason);
  }

  #askAgain(reason: string): void {
    this.#answered('an answer has come');
    this.#attempt += 1;
    this.#move('EXECUTE', reason);
  }

  #move(to: LifecycleState, reason: string): void {
    const from = this.#state;
    this.#state = to;
    this.#tell({ from, to, attempt: this.#attempt, reason });
  }
}
