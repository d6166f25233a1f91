import type { Step } from '#main/engine/step/step.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** The input with one field set. Throws `SerializeError` when the input is no object. */
export function withField(step: Step, field: string, value: Json): JsonObject {
  const { input } = step;
  if (!isJsonObject(input)) throw step.invalidShape('into', `cannot set "${field}" (into): its input is no object`);
  return Object.defineProperty({ ...input }, field, { value, enumerable: true, configurable: true, writable: true });
}
