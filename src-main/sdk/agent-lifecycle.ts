import { submitTool } from '#shared/flow/tool-use.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { SystemRequest } from '#shared/run/system-request.ts';
import { requestState } from './agent-flow.ts';

/** pagantic's states of a request. The mode decides which ones are visited and in what order. */
export type LifecycleState = 'INIT' | 'PLAN' | 'PREPARE' | 'EXECUTE' | 'VALIDATE' | 'COMPLETE';

export interface LifecycleMove {
  readonly from: LifecycleState;
  readonly to: LifecycleState;
  /** Starts at 1 and increases with each retry. */
  readonly attempt: number;
  readonly reason: string;
}

type OnMove = (move: LifecycleMove) => void;

/** Names of the nodes that plans and votes expand to (`src-shared/flow/expansion`). */
const planStep = `${requestState}::step`;
const planSummary = `${requestState}::done`;
const planChecked = `${requestState}::input+${requestState}::plan`;
const stepRecorded = [`${requestState}::going+${requestState}::answer`, `${requestState}::going+${requestState}::results`];

/** Whether a node records what came of steps of a plan. */
export function isStepRecorded(node: string): boolean {
  return stepRecorded.includes(node);
}

/**
 * The state machine of a request, driven by the events of its run:
 *
 * chat: `INIT → PREPARE → EXECUTE → COMPLETE`, and `EXECUTE → VALIDATE → EXECUTE` for each turn with tool calls;
 * structured: `INIT → PREPARE → EXECUTE → VALIDATE → COMPLETE`, and `VALIDATE → EXECUTE` for each answer that violates its schema;
 * plan: `INIT → PLAN → PREPARE → EXECUTE → VALIDATE → COMPLETE`, and `EXECUTE → VALIDATE → EXECUTE` for each step;
 * redundant: `INIT → PREPARE → EXECUTE → VALIDATE → COMPLETE`, where the vote is the validation.
 *
 * A failed request stays in its state; its `error` event contains the reason.
 */
export class AgentLifecycle {
  readonly #mode: SystemRequest['mode'];
  readonly #onMove: OnMove;
  #state: LifecycleState = 'INIT';
  #attempt = 1;

  constructor(mode: SystemRequest['mode'], onMove: OnMove) {
    this.#mode = mode;
    this.#onMove = onMove;
  }

  /** The request is valid. */
  accepted(): void {
    if (this.#mode === 'plan') this.#move('PLAN', 'creating a plan first');
    else this.#move('PREPARE', 'the request is valid');
  }

  /** Called before an event of the run is passed on, so that nodes start in their state. */
  before(event: RunEvent): void {
    if (event.type !== 'node_enter' || event.parent_span_id !== undefined) return;
    const { node, kind } = event;
    if (this.#mode === 'plan') this.#enterPlanNode(node, event.step_name !== undefined);
    else if (this.#state === 'PREPARE') this.#move('EXECUTE', this.#mode === 'redundant' ? 'the replicas start' : 'the agent starts');
    else if (this.#mode === 'redundant' && this.#state === 'EXECUTE' && kind !== 'agent' && node.endsWith(`${requestState}::answers`))
      this.#move('VALIDATE', 'comparing the answers');
  }

  /** Called after an event of the run was passed on. */
  after(event: RunEvent): void {
    if (event.parent_span_id !== undefined) return;
    if (this.#mode === 'structured') this.#validate(event);
    else if (this.#mode === 'chat') this.#takeTurn(event);
    else if (this.#mode === 'plan' && 'node' in event && event.node === planSummary) this.#validate(event);
  }

  /** Whether an agent's own retry event is reported as the request's. */
  emitsOwn(event: RunEvent): boolean {
    return event.type === 'lifecycle' && this.#mode === 'structured' && event.node === requestState;
  }

  /** The run ended with an output. */
  completed(): void {
    if (this.#state === 'EXECUTE' && this.#mode !== 'chat') this.#move('VALIDATE', 'received the answer');
    this.#move('COMPLETE', 'the request is answered');
  }

  #enterPlanNode(node: string, isStep: boolean): void {
    if (node === planChecked && this.#state === 'PLAN') this.#move('PREPARE', 'the plan is valid');
    if (isStepRecorded(node) && this.#state === 'EXECUTE') this.#move('VALIDATE', 'a step has its result');
    if ((node === planStep || isStep) && (this.#state === 'PREPARE' || this.#state === 'VALIDATE')) this.#move('EXECUTE', 'a step starts');
    if (node === planSummary && this.#state === 'VALIDATE') this.#move('EXECUTE', 'summarizing the results');
  }

  #takeTurn(event: RunEvent): void {
    if (event.type === 'inference_end' && event.tool_call_count > 0) this.#answered('received tool calls');
    if (event.type === 'node_exit' && event.phase === 'act' && this.#state === 'VALIDATE') this.#move('EXECUTE', 'the calls have results');
  }

  #validate(event: RunEvent): void {
    if (event.type === 'inference_end' && event.finish_reason !== 'error' && event.tool_call_count === 0)
      this.#answered('received an answer');
    if (event.type === 'tool_call' && event.tool_name === submitTool) this.#answered('submitted a result');
    if (event.type === 'lifecycle' && event.to === 'EXECUTE') this.#askAgain(event.reason);
  }

  #answered(reason: string): void {
    if (this.#state === 'EXECUTE') this.#move('VALIDATE', reason);
  }

  #askAgain(reason: string): void {
    this.#answered('received an answer');
    this.#attempt += 1;
    this.#move('EXECUTE', reason);
  }

  #move(to: LifecycleState, reason: string): void {
    const from = this.#state;
    this.#state = to;
    this.#onMove({ from, to, attempt: this.#attempt, reason });
  }
}
