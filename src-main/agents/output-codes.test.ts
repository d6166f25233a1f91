import { expect, test } from 'vitest';
import { agent } from '#main/agents/testing/asked-model.ts';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { ModelResponse } from '#main/engine/ports/model-client.ts';
import { flowOf, quietContext } from '#main/engine/testing/flows.ts';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { JsonSchema } from '#shared/json.ts';
import type { MessagePart } from '#shared/run/message.ts';
import { agentLoop } from './agent-loop.ts';

const schema: JsonSchema = {
  type: 'object',
  properties: { color: { enum: ['red', 'blue'] }, size: { type: 'integer' } },
  required: ['color'],
};

/** How an agent fails whose model gives this answer only. */
async function failing(part: MessagePart, finish_reason: ModelResponse['finish_reason'] = 'stop', settings: Partial<AgentSettings> = {}) {
  const answer: ModelResponse = {
    message: { role: 'assistant', content: [part] },
    finish_reason,
    usage: { tokens_in: 1, tokens_out: 1 },
  };
  const graph = flowOf([agent('A', 'Z', { model: 'test://m', output: { attempts: 0 }, ...settings })], { schemas: { Z: schema } });
  const context = quietContext({ models: () => ({ complete: async () => answer }), agentLoop });
  return failureFrom(FlowRuntime.new(graph, {}).next(context));
}

const text = (value: string): MessagePart => ({ type: 'text', text: value });

test('an answer that is no JSON fails with CONSTRAINT_JSON_INVALID', async () => {
  expect(await failing(text('I would say red.'))).toMatchObject({ code: 'CONSTRAINT_JSON_INVALID', category: 'constraint' });
});

test('a value that an enum does not list fails with CONSTRAINT_ENUM_UNRECOGNIZED, unless something else is wrong, too', async () => {
  expect(await failing(text('{"color": "green"}'))).toMatchObject({
    code: 'CONSTRAINT_ENUM_UNRECOGNIZED',
    category: 'constraint',
    details: { schema_errors: [{ path: '/color', keyword: 'enum', message: '/color must be one of ["red","blue"]' }] },
  });
  expect(await failing(text('{"color": "green", "size": "big"}'))).toMatchObject({ code: 'CONSTRAINT_SCHEMA_INVALID' });
});

test('an answer that a limit of tokens cut off fails with INFERENCE_OUTPUT_TRUNCATED, with a grammar with CONSTRAINT_GRAMMAR_REJECTED', async () => {
  const half = text('{"size": 4, "col');
  expect(await failing(half, 'length')).toMatchObject({ code: 'INFERENCE_OUTPUT_TRUNCATED', category: 'inference' });
  const grammar = { output: { attempts: 0, grammar: 'root ::= "x"' } };
  expect(await failing(half, 'length', grammar)).toMatchObject({ code: 'CONSTRAINT_GRAMMAR_REJECTED', category: 'constraint' });
});
