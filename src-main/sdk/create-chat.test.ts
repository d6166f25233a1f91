import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ModelClient, ModelRequest } from '#main/engine/ports/model-client.ts';
import { flowOf, pure, work } from '#main/engine/testing/flows.ts';
import { messageText } from '#main/models/message-text.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { MessagePart } from '#shared/run/message.ts';
import { createChat } from './create-chat.ts';
import { createContext } from './create-context.ts';
import { openJournal } from './open-journal.ts';

/** A context whose model answers in this order, and what the model was sent. */
async function speaking(answers: readonly (string | MessagePart[] | Error)[]) {
  const requests: ModelRequest[] = [];
  const left = [...answers];
  const client: ModelClient = {
    complete: async (request) => {
      requests.push(request);
      const answer = left.shift() ?? 'silence';
      if (answer instanceof Error) throw answer;
      const content: MessagePart[] = typeof answer === 'string' ? [{ type: 'text', text: answer }] : answer;
      const finish_reason = content.some(({ type }) => type === 'tool_call') ? 'tool' : 'stop';
      return { message: { role: 'assistant', content }, finish_reason, usage: { tokens_in: 10, tokens_out: 5 } };
    },
  };
  const context = await createContext({ models: () => client, builtin: ['ask_user'] });
  const said = (index: number) => requests[index]?.messages.map((message) => `${message.role}: ${messageText(message)}`);
  return { context, requests, said };
}

test('a chat remembers, and each message may bring its own memory', async () => {
  const { context, said } = await speaking(['Hello.', 'Ann.']);
  const chat = await createChat({ model: 'test://m', preamble: 'Be {kind}.', context });
  expect(await chat.send('I am Ann.')).toMatchObject({
    content: 'Hello.',
    output: null,
    error: null,
    usage: { tokens_in: 10, tokens_out: 5 },
  });
  expect((await chat.send('Who am I?', { memory: 'It is {late}.' })).content).toBe('Ann.');
  expect(said(1)).toEqual(['system: Be {kind}.\n\nIt is {late}.', 'user: I am Ann.', 'assistant: Hello.', 'user: Who am I?']);
});

test('a message that is sent again by its key adds nothing and gets the same answer', async () => {
  const { context, requests } = await speaking(['{"n": 1}', '{"n": 2}']);
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const chat = await createChat({ model: 'test://m', schema, context });
  const first = await chat.send('count', { key: 'm1' });
  expect(first).toMatchObject({ output: { n: 1 }, error: null });
  expect(await chat.send('count', { key: 'm1' })).toMatchObject({ output: { n: 1 }, run_id: first.run_id, error: null });
  expect(await chat.send('count', { key: 'm2' })).toMatchObject({ output: { n: 2 } });
  expect(requests).toHaveLength(2);
  expect((await chat.messages()).map(({ entry }) => entry.key)).toEqual(['m1', undefined, 'm2', undefined]);
});

test('a message while another is under way is refused as busy, and a failed one can be sent again', async () => {
  const { context, said } = await speaking([new Error('down'), 'up']);
  const chat = await createChat({ model: 'test://m', context });
  const [one, two] = await Promise.all([chat.send('a', { key: 'k' }), chat.send('b')]);
  expect(one.error?.message).toContain('down');
  expect(two.error).toMatchObject({ code: 'ORCHESTRATION_CONVERSATION_BUSY' });
  expect((await chat.send('a', { key: 'k' })).content).toBe('up');
  expect(said(1)).toEqual(['user: a']);
});

test('a tool that asks is answered with resume, and its call is told', async () => {
  const call: MessagePart = { type: 'tool_call', tool_call_id: 'c', tool: 'ask_user', input: { question: 'Sure?' } };
  const { context } = await speaking([[call], 'Done.']);
  const chat = await createChat({ model: 'test://m', tools: ['ask_user'], context });
  const asked = await chat.send('Do it');
  expect(asked.suspension).toMatchObject({ tool_id: 'Message::ask_user' });
  expect((await chat.send('Hello?')).error?.code).toBe('ORCHESTRATION_CONVERSATION_BUSY');
  const reply = await chat.resume('yes');
  expect(reply).toMatchObject({ content: 'Done.', suspension: null, tool_calls_made: [{ tool: 'ask_user', result: 'yes' }] });
  expect((await chat.send('x', { tools: ['other'] })).error?.message).toContain('The chat has no tool other');
});

test('a stream yields the events of a message as they happen, and returns the reply', async () => {
  const { context } = await speaking(['Hello.']);
  const chat = await createChat({ model: 'test://m', context });
  const stream = chat.stream('Hi');
  const events: RunEvent[] = [];
  let next = await stream.next();
  for (; !next.done; next = await stream.next()) events.push(next.value);
  expect(events.map(({ type }) => type)).toEqual(['init_stream', 'inference_start', 'message', 'inference_end', 'end_stream']);
  expect(next.value).toMatchObject({ content: 'Hello.' });
  const { conversation } = chat;
  expect(events[0]).toMatchObject({ conversation_id: conversation });
  expect(events.at(-1)).toMatchObject({ status: 'success', usage: { prompt_tokens: 10, completion_tokens: 5 } });
  for (const event of events) expect(event).toMatchObject({ request_id: event.run_id, session_id: conversation });
});

test('a stream with node_events yields where each node begins and ends, too', async () => {
  const { context } = await speaking(['Hello.']);
  const chat = await createChat({ model: 'test://m', context });
  const types = (await Array.fromAsync(chat.stream('Hi', { node_events: true }))).map(({ type }) => type);
  expect(types.filter((type) => type.startsWith('node_'))).toEqual(['node_enter', 'node_exit']);
});

test('chats in a journal share the conversation of their key, and each message is a run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pravah-chat-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const journal = await openJournal(join(folder, 'runs.db'));
  onTestFinished(() => journal.close());
  const { context, said } = await speaking(['Hello.', 'Ann.', 'In the fork.']);
  const options = { model: 'test://m', conversation: 'customer/42', context, journal };
  const first = await (await createChat(options)).send('I am Ann.');
  const chat = await createChat(options);
  await chat.send('Who am I?');
  expect(said(1)).toEqual(['user: I am Ann.', 'assistant: Hello.', 'user: Who am I?']);
  expect(journal.runs()).toHaveLength(2);
  expect(journal.conversations.list()).toMatchObject([{ key: 'customer/42', entries: 4, held_by: null }]);
  const fork = await chat.fork({ at: 2 });
  await fork.send('And if?');
  expect(said(2)).toEqual(['user: I am Ann.', 'assistant: Hello.', 'user: And if?']);
  expect(await chat.messages()).toHaveLength(4);
  await chat.drop();
  expect(await chat.messages()).toEqual([]);
  expect(first.run_id).toBe(journal.runs()[2]);
});

test('closing a chat cancels the message under way', async () => {
  const context = await createContext({ models: () => ({ complete: () => new Promise(() => {}) }) });
  const chat = await createChat({ model: 'test://m', context });
  const reply = chat.send('Hi');
  setTimeout(() => chat.close(), 20);
  expect((await reply).error).toMatchObject({ variant: 'Cancelled' });
});

test('a chat may be a flow, whose agents say themselves what they remember', async () => {
  const { context, said } = await speaking(['Hello.', 'Ann.']);
  const agent = { model: 'test://m', mode: 'chat', prompt: '{question}', conversation: { scope: 'workspace', key: 'c' } } as const;
  const flow = flowOf([
    { kind: 'agent', from: ['A'], to: ['B'], body: { type: 'agent', agent } },
    work(
      'B',
      'Z',
      pure((answer: Json) => ({ answer, polite: true })),
    ),
  ]);
  const input = (question: string) => ({ question });
  const answer = (output: Json) => `<${(output as { answer: string }).answer}>`;
  const chat = await createChat({ flow, input, answer, conversation: 'c', context });
  expect(await chat.send('I am Ann.')).toMatchObject({ content: '<Hello.>', output: { answer: 'Hello.', polite: true }, error: null });
  expect((await chat.send('Who am I?')).content).toBe('<Ann.>');
  expect(said(1)).toEqual(['user: I am Ann.', 'assistant: Hello.', 'user: Who am I?']);
  expect(await chat.messages()).toHaveLength(4);
  expect((await chat.send('x', { key: 'k' })).error?.message).toContain('A chat with a flow has no keys');
  await expect(createChat({ context })).rejects.toThrow('either a model or a flow');
});

test('compact summarises a chat at once, but not its last messages, and adds nothing if there is nothing to replace', async () => {
  const { context, said, requests } = await speaking(['one', 'two', 'They counted.', 'three']);
  const chat = await createChat({ model: 'test://m', preamble: 'Count.', history: { last: 100, summarise: { keep: 2 } }, context });
  await chat.send('1');
  expect(await chat.compact()).toBe(null);
  await chat.send('2');
  expect(await chat.compact()).toBe('They counted.');
  expect(said(2)).toEqual([expect.stringContaining('Summarise the conversation'), 'user: user: 1\n\nassistant: one']);
  expect((await chat.messages()).map(({ entry, role }) => `${entry.kind} ${role}`).at(-1)).toBe('summary assistant');
  expect((await chat.messages()).at(-1)?.entry.ends).toBeUndefined();
  await chat.send('3');
  expect(said(3)).toEqual([
    'system: Count.',
    'user: Summary of the conversation so far:\nThey counted.',
    'user: 2',
    'assistant: two',
    'user: 3',
  ]);
  expect(requests).toHaveLength(4);
});

test.each(['in memory', 'in a journal'])('a snapshot of a chat that waits for an answer goes on elsewhere: %s', async (where) => {
  const call: MessagePart = { type: 'tool_call', tool_call_id: 'c', tool: 'ask_user', input: { question: 'Sure?' } };
  const folder = mkdtempSync(join(tmpdir(), 'pravah-chat-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const open = async () => {
    const opened = where === 'in memory' ? undefined : await openJournal(join(folder, 'runs.db'));
    onTestFinished(() => opened?.close());
    return opened ? { journal: opened } : {};
  };
  const first = await speaking(['Hello.', [call]]);
  const options = { model: 'test://m', tools: ['ask_user'] };
  const chat = await createChat({ ...options, context: first.context, ...(await open()) });
  await chat.send('I am Ann.');
  expect((await chat.send('Do it')).suspension).not.toBe(null);
  const snapshot = JSON.parse(JSON.stringify(await chat.snapshot()));
  const second = await speaking(['Done.', 'Ann.']);
  const restored = await createChat({ ...options, context: second.context, snapshot, ...(await open()) });
  expect(restored.conversation).toBe(chat.conversation);
  expect(await restored.resume('yes')).toMatchObject({ content: 'Done.', error: null });
  expect((await restored.send('Who am I?')).content).toBe('Ann.');
  expect(second.said(1)?.slice(0, 2)).toEqual(['user: I am Ann.', 'assistant: Hello.']);
});

test('a reply says how its output was validated', async () => {
  const { context } = await speaking(['{"n": "x"}', '{"n": 1}', 'no', 'no', 'no']);
  const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const chat = await createChat({ model: 'test://m', schema, context });
  expect((await chat.send('count')).validation).toEqual({ valid: true, schema_errors: [], attempts: 2, checks: [] });
  expect((await chat.send('count')).validation).toMatchObject({ valid: false, attempts: 3 });
});
