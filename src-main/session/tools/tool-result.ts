import type { Tool } from '#main/engine/ports/tool.ts';
import { floatsInJson } from '#main/session/state/python-json.ts';
import { isBelow, type StateValue } from '#main/session/state/session.ts';
import { bodyTextOf } from '#main/tools/http/body-text.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { transformFloats } from './transform.ts';

/** The floats of a tool's result: its input, the floats in that, and the object that the tool returned. */
type FloatsOf = (input: JsonObject, given: readonly string[], output: object) => readonly string[];

const floatsOf: Readonly<Record<string, FloatsOf>> = {
  transform: ({ input_data: data }, given, output) => {
    const at = '/input_data';
    const known = given.filter((pointer) => isBelow(pointer, at)).map((pointer) => pointer.slice(at.length));
    return transformFloats(output, typeof data === 'string' ? floatsInJson(data) : known);
  },
  http_request: (_input, _given, output) => floatsInJson(bodyTextOf(output) ?? '').map((pointer) => `/body${pointer}`),
};

const ofOperation: FloatsOf = (_input, _given, output) => floatsInJson(bodyTextOf(output) ?? '');

function floatsOfTool(name: string): FloatsOf | undefined {
  if (name.startsWith('openapi:')) return ofOperation;
  return Object.hasOwn(floatsOf, name) ? floatsOf[name] : undefined;
}

/** How a result and its floats are recorded. */
export type KeepFloats = (value: Json, floats: readonly string[]) => Json;

/** As `toolResult` reads it. */
export const floatsBeside: KeepFloats = (value, floats) => ({ value, floats: [...floats] });

/** A tool whose result keeps whole numbers that are floats in Python. `given` are those of its input. */
export function withFloats(tool: Tool, given: readonly string[], keep: KeepFloats, convert = (value: Json) => value): Tool {
  const find = floatsOfTool(tool.name);
  const { output_schema: _ofTheValue, ...facts } = tool;
  return {
    ...facts,
    call: async (input, ctx) => {
      const value = await tool.call(input, ctx);
      const floats = find && typeof value === 'object' && value !== null ? find(input, given, value) : [];
      return floats.length > 0 ? keep(convert(value), floats) : convert(value);
    },
  };
}

/** What a tool agent writes of such a result, or of that of a Python tool. Results without floats, and what a user supplied, are the value itself. */
export function toolResult(result: Json): StateValue {
  if (isJsonObject(result) && result.value !== undefined && Array.isArray(result.floats) && Object.keys(result).length === 2) {
    return { value: result.value, floats: result.floats.map(String) };
  }
  return { value: result, floats: [] };
}
