import { LLMock } from '@copilotkit/aimock';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import { mockOptions, VendorServer } from '#main/models/testing/vendor-server.ts';
import { testedVendors } from '#main/models/testing/vendors.ts';
import { loadWorkflow } from '#main/workspace/load-workflow.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { FlowDocument } from '#shared/flow/document.ts';
import { settingsOfGraph } from '#shared/flow/settings-by-input.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { Message } from '#shared/run/message.ts';

let server: VendorServer;
beforeAll(async () => {
  server = await VendorServer.start(new LLMock(mockOptions));
});
afterEach(() => server.reset());
afterAll(() => server.stop());

async function send(request: Partial<ModelRequest>) {
  server.mock.addFixture({ match: { predicate: () => true }, response: { content: 'Done.' } });
  const environment = Object.assign({}, ...testedVendors.map((vendor) => vendor.environment?.(server)));
  const clients = createModelClients({ folder: '/nowhere', trusted: true, settings: defaultSettings, environment });
  const client = await clients('gemini://gemini-2.5-flash');
  const messages: Message[] = [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }];
  await client.complete({ messages, tools: [], params: {}, turn: 0, signal: new AbortController().signal, ...request });
  return server.requests.at(-1) ?? { text: '', body: {} as JsonObject };
}

/** The settings of the agent of a PyFlow workflow with these tools. */
function agentWith(tools: readonly string[]) {
  const agent = { name: 'a', type: 'llm', model: 'gemini-2.5-flash', instruction: 'Find it.', tools, top_k: 3 };
  const text = JSON.stringify({ name: 'w', agents: [agent], orchestration: { type: 'react', agent: 'a' } });
  const loaded = loadWorkflow(text, 'workflow.yaml', { folder: '/nowhere', settings: defaultSettings, trusted: false });
  const { nodes } = JSON.parse(loaded.text) as FlowDocument;
  const node = nodes.find(({ kind }) => kind === 'agent');
  if (node?.kind !== 'agent') throw new Error('The workflow has no agent.');
  return settingsOfGraph(node.agent as JsonObject);
}

const condition = { name: 'condition', description: 'Evaluates.', input_schema: { type: 'object', properties: {} } } as const;

describe('what is sent to Gemini', () => {
  it.each([
    ['google_search', { googleSearch: {} }],
    ['url_context', { urlContext: {} }],
    ['google_maps_grounding', { googleMaps: {} }],
  ])('has the tool %s of a workflow, which Gemini runs itself', async (name, tool) => {
    const { body } = await send({ params: agentWith([name]).params ?? {} });
    expect(body).toMatchObject({ tools: [tool], generationConfig: { topK: 3 } });
  });

  it('has Gemini’s own tools beside those of the flow', async () => {
    const { body } = await send({ params: agentWith(['google_search', 'condition', 'url_context']).params ?? {}, tools: [condition] });
    expect(body.tools).toEqual([
      { googleSearch: {} },
      { urlContext: {} },
      { functionDeclarations: [expect.objectContaining({ name: 'condition' })] },
    ]);
  });

  it.each<[string, Json, string[], string]>([
    ['in an object', { rate: 2, count: 2, list: [1, 1.5] }, ['/rate', '/list/0'], '{"rate":2.0,"count":2,"list":[1.0,1.5]}'],
    ['as the whole result', 191, [''], '{"output":191.0}'],
    ['in a list', [2, 2], ['/1'], '{"output":[2,2.0]}'],
  ])('keeps the point of a float of a tool’s result: %s', async (_where, result, floats, response) => {
    const call = { type: 'tool_call', tool_call_id: 'call_1_1', tool: 'condition', input: {} } as const;
    const messages: Message[] = [
      { role: 'user', content: [{ type: 'text', text: 'Hello?' }] },
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [{ type: 'tool_result', tool_call_id: 'call_1_1', tool: 'condition', result, floats, is_error: false }] },
    ];
    const { text } = await send({ messages, tools: [condition] });
    expect(text).toContain(`"response":${response}`);
  });
});
