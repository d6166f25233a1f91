import type { AgentCalls } from '#main/agents/agent-plan.ts';
import type { ModelResponse } from '#main/engine/ports/model-client.ts';
import type { Step } from '#main/engine/step/step.ts';
import { sessionOf } from '#main/session/state/read-session.ts';
import { type SessionState, type Writes, withWrites } from '#main/session/state/session.ts';
import type { AgentSession } from '#shared/flow/session.ts';
import { isJsonObject, type Json, type JsonObject, toJson } from '#shared/json.ts';
import type { Message, MessagePart } from '#shared/run/message.ts';
import { runCallback } from './callbacks.ts';
import { writtenByTool } from './own-tools.ts';

/** The callbacks around a model's calls and those around tools. Undefined if the agent has none. */
export function callbacksOfCalls(rule: AgentSession): AgentCalls | undefined {
  const { before_model, after_model, before_tool, after_tool } = rule.callbacks ?? {};
  if ([before_model, after_model, before_tool, after_tool].every((name) => name === undefined)) return undefined;
  return {
    beforeModel: async (step, written, messages) => {
      const payload = requestPayload(messages);
      const { writes, decided } = await runCallback(step, rule, { hook: 'before_model', state: stateOf(step, written), payload });
      if (Array.isArray(decided?.parts)) return { writes, response: responseOf(step, decided.parts) };
      if (typeof decided?.system !== 'string') return { writes };
      const text = decided.system;
      return {
        writes,
        messages: [{ role: 'system', content: [{ type: 'text', text }] }, ...messages.filter(({ role }) => role !== 'system')],
      };
    },
    afterModel: async (step, written, response) => {
      const payload = { parts: response.message.content.flatMap(payloadPart) };
      const { writes, decided } = await runCallback(step, rule, { hook: 'after_model', state: stateOf(step, written), payload });
      if (!Array.isArray(decided?.parts)) return { writes, response };
      const { message, finish_reason } = responseOf(step, decided.parts);
      return { writes, response: { ...response, message, finish_reason } };
    },
    beforeTool: async (step, written, { tool, tool_call_id, input }) => {
      const payload = { tool, description: step.tool(tool)?.description ?? '', args: input };
      const { writes, decided } = await runCallback(step, rule, {
        hook: 'before_tool',
        state: stateOf(step, written),
        tool_call_id,
        payload,
      });
      if (decided?.result !== undefined) return { writes, result: decided.result };
      return { writes, ...(decided?.args !== undefined && { input: decided.args }) };
    },
    afterTool: async (step, written, call) => {
      const { tool, tool_call_id, input } = call;
      const own = writtenByTool(call);
      const { value } = own.call.result;
      const payload = { tool, description: step.tool(tool)?.description ?? '', args: input, result: value };
      const state = stateOf(step, { ...written, ...own.writes });
      const { writes, decided } = await runCallback(step, rule, { hook: 'after_tool', state, tool_call_id, payload });
      return { writes: { ...own.writes, ...writes }, result: decided?.result ?? value };
    },
  };
}

function stateOf(step: Step, written: Writes): SessionState {
  return withWrites(sessionOf(step), written);
}

function requestPayload(messages: readonly Message[]): JsonObject {
  const texts = messages.flatMap(({ role, content }) => (role === 'system' ? content : []));
  const contents = messages.flatMap(({ role, content }) =>
    role === 'system' ? [] : [{ role: role === 'assistant' ? 'model' : 'user', parts: content.flatMap(payloadPart) }],
  );
  return { system: texts.map((part) => (part.type === 'text' ? part.text : '')).join('\n\n'), contents };
}

/** A part as the Python side makes one of ADK's. */
function payloadPart(part: MessagePart): JsonObject[] {
  if (part.type === 'text') return [{ text: part.text }];
  if (part.type === 'tool_call') return [{ call: part.tool, args: part.input }];
  return part.type === 'tool_result' ? [{ result_of: part.tool, result: part.result }] : [];
}

/** An answer that a callback gave in the model's place. */
function responseOf(step: Step, parts: readonly Json[]): ModelResponse {
  const content = parts.flatMap((part, index): MessagePart[] => {
    if (!isJsonObject(part)) return [];
    if (typeof part.call !== 'string') return [{ type: 'text', text: String(part.text ?? '') }];
    return [
      { type: 'tool_call', tool_call_id: `callback_${step.ready}_${index}`, tool: part.call, input: toJson(part.args ?? {}) as Json },
    ];
  });
  const calls = content.some(({ type }) => type === 'tool_call');
  return { message: { role: 'assistant', content }, finish_reason: calls ? 'tool' : 'stop', usage: { tokens_in: 0, tokens_out: 0 } };
}
