import type { Tool } from '#main/engine/ports/tool.ts';
import { isBelow } from '#main/session/state/session.ts';
import { matchLocations } from '#main/tools/transform.ts';
import { type Json, type JsonObject, jsonPointer } from '#shared/json.ts';
import { rfcPath } from './jsonpath-ng.ts';

/** The tool `transform` with the paths of jsonpath-ng, PyFlow's library. */
export function transformAsPyflow(tool: Tool): Tool {
  return {
    ...tool,
    input_schema: {
      type: 'object',
      properties: {
        input_data: { description: 'JSON text to transform' },
        expression: { type: 'string', description: "JSONPath expression, such as '$.name' or '$.items[*].id'" },
      },
      required: ['input_data', 'expression'],
    },
    call: async (input, ctx): Promise<Json> => {
      const data = typeof input.input_data === 'string' ? parsed(input.input_data) : input.input_data;
      if (data === undefined || data === null) return { result: null, error: 'Invalid JSON input' };
      const path = rfcPath(input.expression as string);
      if ('error' in path) return { result: null, error: `JSONPath error: ${path.error}` };
      // Text would be parsed once more.
      const whole = typeof data === 'string' ? JSON.stringify(data) : data;
      const result = (await tool.call({ input_data: whole, expression: path.path }, ctx)) as JsonObject;
      return typeof result.error === 'string' ? { result: null, error: `JSONPath error: ${result.error}` } : result;
    },
  };
}

/** JSON Pointers of the floats in such a result. `floats` are those in `input_data`. */
export function transformFloats(output: object, floats: readonly string[]): string[] {
  const found = matchLocations(output);
  return found.flatMap((location, index) => {
    const from = jsonPointer(location);
    const to = found.length > 1 ? `/result/${index}` : '/result';
    return floats.filter((pointer) => isBelow(pointer, from)).map((pointer) => to + pointer.slice(from.length));
  });
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
