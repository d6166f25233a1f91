import type { OperationEnd, OperationStart } from '#main/engine/ports/telemetry.ts';
import { parseModelUrl } from '#shared/flow/model-url.ts';
import type { Json } from '#shared/json.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';
import { finishReasons, attributeNames as names, operationNames, providerNames } from './conventions.ts';

export type SpanAttributes = Record<string, string | number | string[]>;

/** A span's name: few differ, so that they can be grouped. */
export function spanName({ kind, name }: OperationStart): string {
  return `${operationNames[kind]} ${kind === 'model' ? modelOf(name).model : name}`;
}

/** Attributes that a span begins with. */
export function startAttributes(start: OperationStart): SpanAttributes {
  const { kind, name, run_id, node, flow_hash, conversation_id, tool_call_id, input } = start;
  return defined({
    [names.operation]: operationNames[kind],
    [names.run]: run_id,
    [names.node]: node,
    [names.flowHash]: flow_hash,
    [names.conversation]: conversation_id,
    [names.toolCall]: tool_call_id,
    ...(kind === 'workflow' && { [names.workflow]: name }),
    ...(kind === 'agent' && { [names.agent]: name }),
    ...(kind === 'tool' && { [names.tool]: name, [names.toolArguments]: text(input) }),
    ...(kind === 'model' && { ...modelAttributes(name), [names.inputMessages]: messagesText(input) }),
  });
}

/** Attributes of a model, which its metrics have, too. */
export function modelAttributes(url: string): SpanAttributes {
  const { provider, model } = modelOf(url);
  return { [names.provider]: provider, [names.model]: model };
}

/** Attributes that a span gets when it ends. */
export function endAttributes({ kind }: OperationStart, end: OperationEnd): SpanAttributes {
  const { status, error, usage, finish_reason, output } = end;
  return defined({
    [names.status]: status,
    [names.error]: error,
    [names.inputTokens]: usage?.tokens_in,
    [names.outputTokens]: usage?.tokens_out,
    [names.cachedTokens]: usage?.tokens_cached,
    [names.reasoningTokens]: usage?.tokens_reasoning,
    [names.finishReasons]: finish_reason === undefined ? undefined : [finishReasons[finish_reason] ?? finish_reason],
    ...(kind === 'tool' && { [names.toolResult]: text(output) }),
    ...(kind === 'model' && { [names.outputMessages]: messagesText(output === undefined ? undefined : [output]) }),
  });
}

function modelOf(url: string): { readonly provider: string; readonly model: string } {
  const parsed = parseModelUrl(url);
  if (!parsed.ok) return { provider: 'unknown', model: url };
  const provider = parsed.model.provider === 'genai' ? parsed.model.service : parsed.model.provider;
  return { provider: providerNames[provider] ?? provider, model: 'path' in parsed.model ? parsed.model.path : parsed.model.model };
}

function text(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

/** Messages in the conventions' form: a role, and parts. */
function messagesText(value: Json | undefined): string | undefined {
  // Operations of kind `model` carry messages.
  const messages = value as readonly Message[] | undefined;
  return messages && JSON.stringify(messages.map(({ role, content }) => ({ role, parts: content.map(partOf) })));
}

function partOf(part: MessagePart): Record<string, Json> {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, content: part.text };
    case 'tool_call':
      return { type: 'tool_call', id: part.tool_call_id, name: part.tool, arguments: part.input };
    case 'tool_result':
      return { type: 'tool_call_response', id: part.tool_call_id, response: part.result };
    default:
      return { type: part.type };
  }
}

function defined(attributes: Record<string, string | number | string[] | undefined>): SpanAttributes {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, string | number | string[]] => entry[1] !== undefined),
  );
}
