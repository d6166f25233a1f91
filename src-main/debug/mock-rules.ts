import type { EffectOutcome } from '#main/engine/ports/recorder.ts';
import type { CallPoint, SuppliedCall } from '#main/engine/ports/supply.ts';
import type { Mock, MockRule } from '#shared/contract/supplied.ts';
import type { Expression } from '#shared/flow/expression.ts';
import { toJson } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import { enclosingFrame } from '#shared/run/node-id.ts';
import { holds, parseDebugExpression, type Scope } from './condition.ts';

/** A mock made ready to answer. */
export interface ReadyMock {
  readonly mock: Mock;
  readonly rules: readonly { readonly rule: MockRule; readonly when: Expression | null }[];
}

/** Throws `FlowError` `Invalid` with the problem `bad_expr` for a rule whose expression can't be parsed. */
export function readyMock(mock: Mock): ReadyMock {
  const rules = mock.rules.map((rule, index) => ({
    rule,
    when: rule.when === undefined ? null : parseDebugExpression(rule.when, `/rules/${index}/when`),
  }));
  return { mock, rules };
}

/** Returns what the first matching rule answers. A call that no rule matches is refused, or made (undefined) if the mock says so. */
export function answerOf({ mock, rules }: ReadyMock, point: CallPoint): SuppliedCall | undefined {
  const mark = { by: 'mock', id: mock.id } as const;
  const scope = scopeOf(point);
  for (const [index, { rule, when }] of rules.entries()) {
    try {
      if (when && !holds(when, scope)) continue;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return { mark, outcome: missing(`rule ${index + 1} of the mock ${mock.id} of ${point.name} failed: ${why}`, 'Fix the rule.') };
    }
    return { mark, outcome: outcomeOf(mock, rule, point.name), ...(rule.delay_ms !== undefined && { delay_ms: rule.delay_ms }) };
  }
  if (mock.otherwise === 'call') return undefined;
  return {
    mark,
    outcome: missing(`no rule of the mock ${mock.id} of ${point.name} matches the call`, 'Add a rule, or "otherwise": "call".'),
  };
}

/** What a rule's expression sees: the call, the node's input, and the item that it is in. */
function scopeOf({ what, name, input, values, id }: CallPoint): Scope {
  const item = enclosingFrame(id);
  const call = { [what]: name, input: input() };
  return { input: values[0] ?? null, names: { call, ...(item?.type === 'item' && { item: { index: item.index } }) } };
}

function outcomeOf(mock: Mock, { result, error }: MockRule, name: string): EffectOutcome {
  if (error === undefined) return { result: toJson(result ?? null) };
  const { message, code, variant, retryable } = typeof error === 'string' ? { message: error } : { ...error };
  const options = { ...(code !== undefined && { code }), ...(retryable !== undefined && { retryable }) };
  if (mock.kind === 'tool') return { error: new ToolError(variant ?? 'Other', message, options).toJSON() };
  return { error: new FlowError('AgentError', message, { code: 'INFERENCE_ENGINE_ERROR', ...options, details: { model: name } }).toJSON() };
}

function missing(why: string, what: string): EffectOutcome {
  return { error: new ToolError('Missing', `The call is refused: ${why}. ${what}`).toJSON() };
}
