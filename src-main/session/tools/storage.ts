import type { Tool } from '#main/engine/ports/tool.ts';
import { rewrittenJson } from '#main/session/state/python-json.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';

const actions: ReadonlySet<string> = new Set(['read', 'write', 'append']);

/** The tool `storage` with PyFlow's habits: JSON text is written as Python writes it, and failures have PyFlow's words. */
export function storageAsPyflow(tool: Tool): Tool {
  const rewritten = (input: JsonObject): JsonObject =>
    typeof input.data === 'string' ? { ...input, data: rewrittenJson(input.data) ?? input.data } : input;
  return {
    ...tool,
    description: 'Reads, writes or appends to a text file in the working folder and creates missing folders.',
    input_schema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'File path to read, write or append to' },
        action: { type: 'string', description: 'One of read, write, append. Default: read' },
        data: { description: 'Data to write or append: JSON text for structured data, plain text otherwise' },
      },
      required: ['path'],
    },
    admit: async (input, ctx) => (isAction(input) && !refused(input) ? ((await tool.admit?.(rewritten(input), ctx)) ?? 'never') : 'never'),
    preview: async (input, ctx) => (isAction(input) && !refused(input) ? ((await tool.preview?.(rewritten(input), ctx)) ?? null) : null),
    call: async (input, ctx): Promise<Json> => {
      if (!isAction(input)) return failure(`Unknown action: ${String(input.action)}`);
      const why = refused(input);
      if (why) return failure(why);
      try {
        const result = (await tool.call(rewritten(input), ctx)) as JsonObject;
        return result.success === false && /no such file/.test(String(result.error)) ? failure('File not found') : result;
      } catch (error) {
        if (error instanceof ToolError && error.variant === 'Io') return failure(error.message);
        throw error;
      }
    },
  };
}

function failure(error: string): Json {
  return { content: null, success: false, error };
}

function isAction({ action = 'read' }: JsonObject): boolean {
  return typeof action === 'string' && actions.has(action);
}

/** Python writes text only. */
function refused({ action, data }: JsonObject): string | null {
  if (action !== 'write' && action !== 'append') return null;
  if (data === undefined || typeof data === 'string') return null;
  const type = typeOf(data);
  return action === 'write' ? `data must be str, not ${type}` : `write() argument must be str, not ${type}`;
}

function typeOf(data: Json): string {
  if (data === null) return 'NoneType';
  if (Array.isArray(data)) return 'list';
  if (typeof data === 'object') return 'dict';
  if (typeof data === 'boolean') return 'bool';
  return Number.isInteger(data) ? 'int' : 'float';
}
