import type { Effect } from '#main/engine/ports/recorder.ts';
import type { Json, JsonSchema } from '#shared/json.ts';
import type { Suspension } from '#shared/run/event.ts';
import type { Step } from './step.ts';

/** JSON Schema of the answer to a question about an unknown outcome: retry, or the result. */
export const unknownOutcomeSchema: JsonSchema = {
  type: 'object',
  properties: { retry: { const: true, title: 'Do it again' }, result: { title: 'What it came to' } },
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
};

/** The question about an effect that was in progress when a process ended: its outcome is unknown, so the user decides. */
export function unknownOutcome(step: Step, effect: Pick<Effect, 'kind' | 'name' | 'input'>, toolId: string, callId: string): Suspension {
  const value = { kind: 'unknown_outcome', effect: effect.kind, name: effect.name, input: effect.input };
  return {
    reason: 'unknown_outcome',
    tool_id: toolId,
    node: step.node,
    tool_call_id: callId,
    value,
    payload_schema: unknownOutcomeSchema as Json,
  };
}
