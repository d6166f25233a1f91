import { expect, test } from 'vitest';
import { z } from 'zod';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import { ask, capabilities, createContext, defineFlow, state } from '#main/sdk/runtime.ts';
import { scriptedModel } from '#main/sdk/testing.ts';

const model = 'openai://m';

test('a question is a request with one message, and its answer is text', async () => {
  const client = scriptedModel([{ text: 'MIT' }]);
  const context = await createContext({ models: () => client });
  const { content, structured_output, error } = await ask('Which licence?', { model, context, preamble: 'Be brief.' });
  expect([content, structured_output, error]).toEqual(['MIT', null, null]);
  const [request] = client.requests;
  expect(request?.tools).toEqual([]);
  expect(request?.messages.map(({ role, content: parts }) => [role, parts])).toEqual([
    ['system', [{ type: 'text', text: 'Be brief.' }]],
    ['user', [{ type: 'text', text: 'Which licence?' }]],
  ]);
});

test('a question with a schema gets a value, and one to an unknown tool an error', async () => {
  const context = await createContext({ models: () => scriptedModel([{ output: { licence: 'MIT' } }]) });
  const schema = { type: 'object', properties: { licence: { type: 'string' } }, required: ['licence'] };
  expect((await ask('Which licence?', { model, context, schema })).structured_output).toEqual({ licence: 'MIT' });
  expect((await ask('Which licence?', { model, context, tools: ['search'] })).error).toMatchObject({ variant: 'UnknownTool' });
});

test('the capabilities of a flow are those that the context allows', async () => {
  using space = new TestWorkspace();
  const A = state('A', z.object({ text: z.string() }));
  const B = state('B', z.object({ text: z.string() }));
  const flow = defineFlow({ input: A, output: B })
    .agent(A, B, { model, tools: ['run_command', 'write_file'] })
    .build();
  const context = await createContext({
    working_dir: space.folder,
    builtin: ['run_command', 'write_file'],
    commands: ['git'],
    writable: ['pravah.json'],
  });
  const found = (await capabilities(flow, context)).map(({ kind, name, nodes }) => [kind, name, nodes]);
  expect(found).toContainEqual(['command', 'git', ['A']]);
  expect(found).toContainEqual(['write', 'pravah.json', ['A']]);
  expect(found).toContainEqual(['model', model, ['A']]);
  const narrow = await createContext({ working_dir: space.folder, builtin: ['run_command', 'write_file'] });
  expect((await capabilities(flow, narrow)).map(({ name }) => name)).not.toContain('git');
});
