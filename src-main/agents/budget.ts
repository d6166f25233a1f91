import { evaluateExpression } from '#main/engine/expression/evaluate-expression.ts';
import type { Step } from '#main/engine/step/step.ts';
import { type FinishedCall, failedCall } from '#main/engine/tool-calls/tool-call-events.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import { parseExpression } from '#shared/flow/expression.ts';
import { submitTool } from '#shared/flow/tool-use.ts';
import { canonicalJson, type Json, toJson } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import type { AgentState, PendingCall } from '#shared/run/snapshot.ts';

type Rule = Exclude<NonNullable<AgentSettings['tools']>[number], string>;

/** How many calls an agent may make and when it has which tools, from its settings. */
export class ToolBudget {
  readonly #rules: readonly Rule[];
  readonly #most: number;
  readonly #isControlled: boolean;

  constructor({ tools = [], limits, control }: AgentSettings, isControlled = control !== undefined) {
    this.#isControlled = isControlled;
    this.#rules = tools.flatMap((use) => (typeof use === 'string' ? [] : [use]));
    this.#most = limits?.tool_calls ?? Number.POSITIVE_INFINITY;
  }

  /** Whether calls are counted at all. */
  get counts(): boolean {
    return this.#isControlled || this.#most !== Number.POSITIVE_INFINITY || this.#rules.some(({ calls }) => calls !== undefined);
  }

  /** How many more calls a visit may make in all; null if that is not limited. */
  allLeft({ calls = {} }: Pick<AgentState, 'calls'>): number | null {
    if (this.#most === Number.POSITIVE_INFINITY) return null;
    return Math.max(0, this.#most - Object.values(calls).reduce((sum, count) => sum + count, 0));
  }

  /** Whether the agent has this tool for this input. */
  has(step: Step, tool: string): boolean {
    const condition = this.#ruleOf(tool)?.when;
    if (condition === undefined) return true;
    const parsed = parseExpression(condition);
    if (!parsed.ok) throw new FlowError('BuildError', `The condition of ${tool} cannot be read: ${parsed.fault.message}.`);
    return evaluateExpression(parsed.expression, step.input) === true;
  }

  /** How many more calls of a tool the visit may make. */
  left(tool: string, { calls = {} }: Pick<AgentState, 'calls'>): number {
    const all = Object.values(calls).reduce((sum, count) => sum + count, 0);
    const own = (this.#ruleOf(tool)?.calls ?? Number.POSITIVE_INFINITY) - (calls[tool] ?? 0);
    return Math.max(0, Math.min(own, this.#most - all));
  }

  /** The ids of a turn's calls that are beyond the budget, in call order. */
  beyond(state: AgentState, isCounted: (call: PendingCall) => boolean): ReadonlySet<string> {
    const refused = new Set<string>();
    if (!this.counts) return refused;
    let calls = state.calls ?? {};
    for (const call of state.pending.filter(isCounted)) {
      if (this.left(call.tool, { calls }) > 0) calls = { ...calls, [call.tool]: (calls[call.tool] ?? 0) + 1 };
      else refused.add(call.tool_call_id);
    }
    return refused;
  }

  /** The calls made after a turn: failures count, refused and unknown ones do not. */
  after(state: AgentState, made: readonly PendingCall[]): Pick<AgentState, 'calls'> {
    if (!this.counts) return {};
    const calls = { ...state.calls };
    for (const { tool, result } of made) {
      if (tool === submitTool || (result?.error && uncountedCodes.has(result.error.code))) continue;
      calls[tool] = (calls[tool] ?? 0) + 1;
    }
    return { calls };
  }

  #ruleOf(tool: string): Rule | undefined {
    return (
      this.#rules.find(({ use }) => use === tool) ?? this.#rules.find(({ use }) => use.endsWith('/*') && tool.startsWith(use.slice(0, -1)))
    );
  }
}

const uncountedCodes = new Set(['TOOL_DENIED', 'TOOL_NOT_FOUND', 'TOOL_UNAVAILABLE', 'TOOL_INPUT_INVALID']);

/** The result of a call that is not made because the budget is used up. */
export function beyondBudget(step: Step, call: PendingCall): FinishedCall {
  const error = new ToolError('Missing', `${call.tool} was not called: no calls of it are left. Continue without it.`, { node: step.node });
  return failedCall(call, error.toJSON());
}

/** What a turn did, to compare it with the next one. */
export function turnPrint(calls: readonly PendingCall[]): string {
  const done = calls.map(({ tool, input, result }) => canonicalJson(toJson([tool, input, result?.value ?? null] as readonly Json[])));
  return canonicalJson(done.sort());
}

/** Why a call is not made, as its result. */
export function notMade(step: Step, call: PendingCall, why: string): FinishedCall {
  return failedCall(call, new ToolError('Missing', `${call.tool} was not made: ${why}`, { node: step.node }).toJSON());
}
