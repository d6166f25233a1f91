import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelRequest } from '#main/engine/ports/model-client.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import { createContext as workspaceContext } from '#main/workspace/create-context.ts';
import type { SystemRequest } from '#shared/run/system-request.ts';
import { callAgent } from './call-agent.ts';
import { createContext } from './create-context.ts';

const request = (grammar: string): SystemRequest => ({
  mode: 'chat',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Is 17 a prime?' }] }],
  output: { grammar },
});

/** A model that says yes, and the grammars that it was asked for. */
function obedient() {
  const grammars: (string | undefined)[] = [];
  const complete = async ({ grammar }: ModelRequest) => {
    grammars.push(grammar);
    return {
      message: { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'yes' }] },
      finish_reason: 'stop' as const,
      usage: { tokens_in: 1, tokens_out: 1 },
    };
  };
  return { grammars, models: () => ({ complete }) };
}
const model = 'openai://m';
const yesNo = 'root ::= "yes" | "no"';

test('an agent gets a grammar of the context by its name, and others as they are', async () => {
  const { grammars, models } = obedient();
  const context = await createContext({ models, grammars: { yes_no: yesNo } });
  expect(await callAgent(request('@yes_no'), { model, context })).toMatchObject({ content: 'yes', error: null });
  await callAgent(request('root ::= "no"'), { model, context });
  expect(grammars).toEqual([yesNo, 'root ::= "no"']);
});

test('an agent gets a grammar of the folder, in programs and in the studio', async () => {
  using space = new TestWorkspace();
  mkdirSync(join(space.folder, 'resources/grammars'), { recursive: true });
  space.write('resources/grammars/yes_no.gbnf', yesNo);
  const { grammars, models } = obedient();
  await callAgent(request('@yes_no'), { model, context: await createContext({ models, working_dir: space.folder }) });
  await callAgent(request('@yes_no'), { model, context: await workspaceContext({ models, folder: space.folder, trusted: false }) });
  expect(grammars).toEqual([yesNo, yesNo]);
});

test.each(['@absent', '@../../secret', '@'])('the grammar %s fails before the model is asked: there is none', async (name) => {
  using space = new TestWorkspace();
  space.write('secret.gbnf', yesNo);
  const { grammars, models } = obedient();
  const { error } = await callAgent(request(name), { model, context: await createContext({ models, working_dir: space.folder }) });
  expect(error).toMatchObject({ code: 'CONFIG_GRAMMAR_NOT_FOUND', category: 'configuration', retryable: false });
  expect(grammars).toEqual([]);
});
