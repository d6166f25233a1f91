import type { ModelClient } from '#main/engine/ports/model-client.ts';
import type { SuppliedCall } from '#main/engine/ports/supply.ts';
import type { Step } from '#main/engine/step/step.ts';
import { suppliedResult } from '#main/engine/step/supplied-result.ts';
import { messageText } from '#main/models/message-text.ts';
import { turnResponse } from '#main/models/turn-response.ts';
import type { ModelTurn } from '#shared/contract/supplied.ts';
import { type Json, toJson } from '#shared/json.ts';
import type { Message } from '#shared/run/message.ts';
import type { AgentState } from '#shared/run/snapshot.ts';

/** What a mock's rules see of a request as `call.input`. */
export function mockInput(state: AgentState, messages: readonly Message[]): Json {
  const last = messages.at(-1);
  return { turn: state.turn + 1, message: last ? messageText(last) : '', messages: toJson(messages) };
}

/** A model that answers what a mock supplies. */
export function mockedModel(step: Step, mock: SuppliedCall): ModelClient {
  return {
    async complete(request) {
      const result = await suppliedResult(step, mock);
      return turnResponse(typeof result === 'string' ? { text: result } : (result as ModelTurn), request);
    },
  };
}
