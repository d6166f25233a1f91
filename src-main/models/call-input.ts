import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';

/** Parses a tool call's arguments. Invalid JSON stays text: the tool's input error then lets the model correct it. */
export function readInput(text: string): Json {
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

/** A call's input as sent to vendors, which accept only objects: other values are wrapped as `{"input": …}`. */
export function sentInput(input: Json): JsonObject {
  return isJsonObject(input) ? { ...input } : { input };
}
