import type { ToolDefinition } from '#main/engine/ports/model-client.ts';
import { sha256 } from '#main/engine/values/sha256.ts';
import { FlowError, fromTransferable } from '#shared/run/error.ts';
import type { Message } from '#shared/run/message.ts';
import type { ModelCall } from './model-answer.ts';

/**
 * Tokens of a request as its provider counts them (`context.count: provider`); undefined where they are estimated. A recorded effect of the step under
 * `key`. Throws `AgentError`, also `CONFIG_COUNT_UNSUPPORTED` for a model whose provider cannot count.
 */
export async function countedTokens(
  { step, plan }: Pick<ModelCall, 'step' | 'plan'>,
  key: 'count' | 'count_before',
  url: string,
  tools: readonly ToolDefinition[],
  messages: readonly Message[],
): Promise<number | undefined> {
  const { context, params = {} } = plan.settings;
  if (!context || !('tokens' in context) || context.count !== 'provider') return undefined;
  const messages_hash = sha256(JSON.stringify(messages));
  const input = { message_count: messages.length, messages_hash };
  const effect = { key, kind: 'handler', node: step.node, name: `count ${url}`, input, repeatable: true } as const;
  const outcome = await step.effect(effect, async () => {
    const client = await step.ctx.models(url);
    if (!client.countTokens) throw unsupported(step.node, url);
    const schema = plan.ends === 'answer' ? { output_schema: plan.output.schema } : {};
    return client.countTokens({ messages, tools, params, turn: 0, signal: step.ctx.signal, ...schema });
  });
  if ('error' in outcome) throw fromTransferable(outcome.error);
  return typeof outcome.result === 'number' ? outcome.result : undefined;
}

function unsupported(node: string, url: string): FlowError {
  const message = `${url} cannot count tokens (context.count: provider). Use count: estimate, or a model of openai://, anthropic://, gemini:// or llama://.`;
  return new FlowError('AgentError', message, { node, code: 'CONFIG_COUNT_UNSUPPORTED', category: 'configuration', retryable: false });
}
