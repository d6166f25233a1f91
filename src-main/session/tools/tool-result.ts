import type { Tool } from '#main/engine/ports/tool.ts';
import { floatsInJson } from '#main/session/state/python-json.ts';
import { isBelow, type StateValue } from '#main/session/state/session.ts';
import { bodyTextOf } from '#main/tools/http-request.ts';
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

/** A tool as a tool agent calls it: whole numbers that are floats in Python stay so. `given` are those of its input. */
export function withFloats(tool: Tool, given: readonly string[]): Tool {
  const find = floatsOf[tool.name];
  if (!find) return tool;
  const { output_schema: _ofTheValue, ...facts } = tool;
  return {
    ...facts,
    call: async (input, ctx) => {
      const value = await tool.call(input, ctx);
      const floats = isJsonObject(value) ? find(input, given, value) : [];
      return floats.length > 0 ? { value, floats: [...floats] } : value;
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
