import {
  callAgent,
  createContext,
  defineFlow,
  defineTool,
  FlowError,
  FlowRuntime,
  type JsonObject,
  jsonSchema,
  left,
  type ModelClient,
  type ModelResponse,
  right,
  state,
} from '#main/sdk/engine.ts';

const count = { type: 'object', properties: { n: { type: 'integer', minimum: 0 } }, required: ['n'] } as const;
const number = jsonSchema<{ n: number }>(count);
const A = state('A', number);
const B = state('B', number);
const C = state('C', number);
const D = state('D', number);
const E = state('E', number);
const Mail = state(
  'Mail',
  jsonSchema<{ mail: string }>({ type: 'object', properties: { mail: { type: 'string', format: 'email' } }, required: ['mail'] }),
);
const Reply = state(
  'Reply',
  jsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }),
);

const chain = defineFlow({ input: A, output: C })
  .work(A, B, ({ n }) => ({ n: n + 1 }))
  .work(B, C, async ({ n }) => ({ n: n * 2 }))
  .build();

const loop = defineFlow({ input: A, output: C })
  .either(A, [B, C], ({ n }) => (n < 20 ? left({ n: n + 1 }) : right({ n })))
  .work(B, A, (each) => each)
  .build();

const forked = defineFlow({ input: A, output: E })
  .fork(A, [B, C], ({ n }) => [{ n }, { n: n + 1 }])
  .join([B, C], E, (b, c) => ({ n: b.n + c.n }))
  .build();

const asking = defineFlow({ input: A, output: D })
  .work(A, B, ({ n }) => ({ n: n + 1 }))
  .suspend(B, C)
  .work(C, D, ({ n }) => ({ n: n + 1 }))
  .build();

const customers = defineTool({
  name: 'customers',
  description: 'The customer who has a mail address.',
  effect: 'read',
  input: jsonSchema<{ mail: string }>({ type: 'object', properties: { mail: { type: 'string' } }, required: ['mail'] }),
  output: jsonSchema<{ name: string }>({ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }),
  call: async ({ mail }) => ({ name: mail.split('@')[0] ?? '' }),
});

const agent = defineFlow({ input: Mail, output: Reply, tools: [customers] })
  .agent(Mail, Reply, { model: 'openai://m', prompt: 'Greet {{mail}}', tools: ['customers'] })
  .build();

/** Calls the tool first, then answers with what its result says. */
const model: ModelClient = {
  async complete({ messages, tools }) {
    const usage = { tokens_in: 1, tokens_out: 1 };
    const call = (tool_call_id: string, tool: string, input: JsonObject): ModelResponse => ({
      message: { role: 'assistant', content: [{ type: 'tool_call', tool_call_id, tool, input }] },
      usage,
      finish_reason: 'tool',
    });
    const hasResult = messages.some(({ content }) => content.some(({ type }) => type === 'tool_result'));
    if (!hasResult && tools.length > 0) return call('1', 'customers', { mail: 'ada@example.org' });
    if (hasResult) return call('2', 'submit', { text: 'Hello ada' });
    return { message: { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] }, usage, finish_reason: 'stop' };
  },
};

/** Restores the run from JSON after each transition. */
async function restoredEachTime(): Promise<unknown> {
  const ctx = createContext();
  let run = FlowRuntime.new(asking, { n: 1 });
  for (;;) {
    let outcome = await run.next(ctx);
    if (outcome.type === 'suspend') outcome = await run.resume(ctx, outcome.tool_id, { n: 10 });
    if (outcome.type === 'done') return outcome.output;
    run = FlowRuntime.fromSnapshot(asking, JSON.parse(JSON.stringify(run.snapshot())));
  }
}

/** Uses the engine as a page or a worker would. */
export async function program(): Promise<unknown> {
  const ctx = createContext({ tools: [customers], models: () => model });
  const types: string[] = [];
  for await (const event of chain.start({ n: 1 }, ctx).stream()) types.push(event.type);
  let wrong = '';
  try {
    agent.start({ mail: 'no address' }, ctx);
  } catch (error) {
    wrong = error instanceof FlowError ? error.message : String(error);
  }
  const answer = await callAgent(
    { mode: 'chat', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] },
    { model: 'openai://m', context: ctx },
  );
  return {
    chain: await chain.start({ n: 1 }, ctx).toEnd(),
    loop: await loop.start({ n: 0 }, ctx).toEnd(),
    fork: await forked.start({ n: 1 }, ctx).toEnd(),
    agent: await agent.start({ mail: 'ada@example.org' }, ctx).toEnd(),
    restored: await restoredEachTime(),
    // The hash covers the handlers' text, which a bundler changes.
    hash: chain.hash.length,
    id: chain.start({ n: 1 }, ctx).run_id.replace(/[0-9a-f]/g, 'x'),
    types,
    wrong,
    answer: answer.content,
  };
}
