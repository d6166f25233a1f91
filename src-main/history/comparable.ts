import { isJsonObject, type Json } from '#shared/json.ts';

/**
 * A control part without what differs from one computation to the next and means nothing: the time that steps took, and the form in which an approval is asked for
 * (it describes the tool as it is now).
 */
export function comparable(value: Json): Json {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isJsonObject(value)) return value;
  const isClocked = 'seconds' in value && ('model_calls' in value || 'history_start' in value);
  const isApproval = value.reason === 'approval' && 'tool_call_id' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !(isClocked && key === 'seconds') && !(isApproval && key === 'payload_schema'))
      .map(([key, item]) => [key, comparable(item)]),
  );
}
