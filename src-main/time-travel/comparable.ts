import { isJsonObject, type Json } from '#shared/json.ts';

/**
 * Strips meaningless differences between two computations from a control part: durations, and the form of an approval
 * (it describes the current tool).
 */
export function comparable(value: Json): Json {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isJsonObject(value)) return value;
  const isClocked = 'seconds' in value && ('model_calls' in value || 'history_start' in value || 'tainted' in value);
  const isApproval = value.reason === 'approval' && 'tool_call_id' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !(isClocked && key === 'seconds') && !(isApproval && key === 'payload_schema'))
      .map(([key, item]) => [key, comparable(item)]),
  );
}
