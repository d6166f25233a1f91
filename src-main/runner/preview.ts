import type { Context } from '#main/engine/ports/context.ts';
import type { ToolPreview } from '#main/engine/ports/tool.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { FlowError, ToolError } from '#shared/run/error.ts';
import type { Suspension } from '#shared/run/event.ts';

/** Returns what approving a pending call with this input would change on disk; null if it writes no file. Throws `NotFound`. */
export async function previewOf(
  suspensions: readonly Suspension[],
  context: Context,
  toolCallId: string,
  input: Json,
): Promise<ToolPreview | null> {
  const waiting = suspensions.find(({ tool_call_id }) => tool_call_id === toolCallId);
  if (!waiting)
    throw new FlowError('NotFound', `The call ${toolCallId} is not waiting for approval.`, { details: { tool_call_id: toolCallId } });
  const name = isJsonObject(waiting.value) ? waiting.value.tool : undefined;
  const tool = typeof name === 'string' ? context.tools.get(name) : undefined;
  if (!tool?.preview) return null;
  if (!isJsonObject(input)) throw new ToolError('Deserialize', `The input of ${tool.name} must be an object.`);
  return tool.preview(input, context);
}
