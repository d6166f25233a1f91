import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** A tool call's arguments. Text that is no JSON stays text: the tool then says what is wrong with its input, and the model can mend it. */
export function readInput(text: string): Json {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** A call's input as it goes back to a vendor, who takes objects only: one that is none is told as `{"input": …}`. */
export function sentInput(input: Json): JsonObject {
  return isJsonObject(input) ? { ...input } : { input };
}
