import type { ModuleError, ModuleOutcome } from '#main/engine/ports/code-process.ts';
import type { FromChild, ModuleRequest } from '#main/workspace-code/messages.ts';
import { describeFlow } from './describe-flow.ts';
import { callHandler } from './handler-call.ts';
import { callTool, describeTool } from './workspace-tool.ts';

/** Handles a request and reports its outcome. */
export async function answer(id: number, request: ModuleRequest): Promise<void> {
  const outcome = await perform(id, request).catch((error: unknown): ModuleOutcome => ({ error: described(error) }));
  process.send?.({ type: 'done', id, outcome } satisfies FromChild);
}

async function perform(id: number, request: ModuleRequest): Promise<ModuleOutcome> {
  switch (request.type) {
    case 'describe_flow':
      return { value: await describeFlow(request.file) };
    case 'describe_tool':
      return { value: await describeTool(request.file) };
    case 'call_handler':
      return callHandler(id, request);
    case 'call_tool':
      return callTool(id, request);
  }
}

/** Converts a thrown value, which may be anything, for a message. */
function described(error: unknown): ModuleError {
  if (!(error instanceof Error)) return { message: typeof error === 'string' ? error : String(error) };
  const { name, message, stack } = error;
  const extra = error as { retryable?: unknown; call?: unknown; options?: { details?: { problems?: unknown } } };
  const problems = extra.options?.details?.problems;
  return {
    name: String(name),
    message: String(message),
    ...(stack !== undefined && { stack: String(stack) }),
    ...(typeof extra.retryable === 'boolean' && { retryable: extra.retryable }),
    ...(typeof extra.call === 'number' && { call: extra.call }),
    ...(Array.isArray(problems) && { problems }),
  };
}
