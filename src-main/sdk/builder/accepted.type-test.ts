// What must compile. Each line marked `@ts-expect-error` in refused.type-test.ts is the counterpart.
import { z } from 'zod';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { callAgent } from '#main/sdk/call-agent.ts';
import { createContext } from '#main/sdk/create-context.ts';
import { defineFlow } from './define-flow.ts';
import { defineTool } from './define-tool.ts';
import { services } from './flow-types.ts';
import { left, right } from './sides.ts';
import { jsonSchema, state } from './state.ts';

const Ticket = state('Ticket', z.object({ subject: z.string(), body: z.string().optional() }));
const Scored = state('Scored', z.object({ subject: z.string(), score: z.number() }));
const Urgent = state('Urgent', z.object({ subject: z.string() }));
const Page = state('Page', z.object({ to: z.string() }));
const Draft = state('Draft', z.object({ text: z.string() }));
const Reply = state('Reply', jsonSchema<{ readonly text: string }>({ type: 'object' }));

const flow = defineFlow({ input: Ticket, output: Reply })
  .work(Ticket, Scored, async (ticket, ctx) => ({ subject: ticket.subject, score: ctx.random() }), { pure: true })
  .either(Scored, [Urgent, Ticket], (scored) =>
    scored.score > 0.5 ? left({ subject: scored.subject }) : right({ subject: scored.subject }),
  )
  .fork(Urgent, [Page, Draft], (urgent) => [{ to: 'me' }, { text: urgent.subject }])
  .join([Page, Draft], Reply, (page, draft) => ({ text: `${page.to}: ${draft.text}` }))
  .build();

export async function outputOf(ctx: Context): Promise<string> {
  const run = FlowRuntime.new(flow, { subject: 'Help' });
  const outcome = await run.next(ctx);
  return outcome.type === 'done' ? outcome.output.text : '';
}

// A branch may be consumed before the fork is written down, by an inner flow too.
const Note = state('Note', z.object({ text: z.string() }));
const Kept = state('Kept', z.object({ text: z.string() }));
const inner = defineFlow({ input: Note, output: Kept }).work(Note, Kept).build();
const Both = state('Both', z.object({ text: z.string() }));
defineFlow({ input: Draft, output: Both })
  .join([Kept, Page], Both, (kept) => kept)
  .fork(Draft, [Note, Page], (draft) => [draft, { to: 'x' }])
  .flow(inner)
  .build();

// Without a handler, where the value fits as it is.
const Loose = state('Loose', z.looseObject({ text: z.string() }));
defineFlow({ input: Note, output: Loose }).work(Note, Loose).build();
const Merged = state('Merged', z.object({ to: z.string(), text: z.string() }));
defineFlow({ input: Draft, output: Merged })
  .fork(Draft, [Page, Note], () => [{ to: 'x' }, { text: 'y' }])
  .join([Page, Note], Merged)
  .build();

// Lists, tools by name, agents and people.
const Notes = state('Notes', z.array(z.object({ text: z.string() })));
const Many = state('Many', z.array(z.object({ text: z.string() })));
const Answer = state('Answer', z.object({ text: z.string() }));
const Done = state('Done', z.string());
defineFlow({ input: Notes, output: Done })
  .each(Notes, Many, inner)
  .work(Many, Draft, async (_, ctx) => ({ text: String(await ctx.tools.read_file({ path: 'a.md' })) }), { tools: ['read_file'] })
  .agent(Draft, Answer, { model: 'openai://gpt-4o', preamble: 'Be brief.' })
  .suspend(Answer, Done)
  .build();

// Tools in code: what they take and give follows their schemas.
export const crm = defineTool({
  name: 'crm',
  description: 'Looks a customer up.',
  input: z.object({ mail: z.string(), fields: z.array(z.string()).optional() }),
  output: z.object({ name: z.string() }),
  effect: 'read',
  timeout: 5,
  call: async ({ mail, fields = [] }, ctx) => ({ name: `${mail} ${fields.length} ${ctx.tool_call_id}` }),
});
export const anything = defineTool({
  name: 'anything',
  description: 'Gives what it gets.',
  input: jsonSchema<{ readonly value: string }>({ type: 'object' }),
  call: ({ value }, ctx) => (value === '' ? ctx.suspend({ question: 'Which?' }) : [value, 1]),
  resume: ({ value }, payload) => [value, payload],
});
const withTools: Promise<Context> = createContext({ tools: [crm, anything] });
await withTools;
await createContext({
  working_dir: '.',
  builtin: ['read_file', 'run_command'],
  approve: { crm: 'never' },
  settings: { commands: [{ name: 'git', args: ['status'] }], providers: { house: { base_url: 'https://house.example/v1' } } },
  keys: ({ provider, base_url }) => (base_url.startsWith('https://') ? `key of ${provider}` : undefined),
  onSuspend: ({ reason }) => ({ approve: reason === 'approval' }),
});
await callAgent(
  { mode: 'chat', messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }] },
  { model: 'openai://m', context: await createContext({ keys: { openai: 'key' }, env_file: false }), trust_content: true },
);

// Names that the compiler does not know: a chain made in a loop.
const states = Array.from({ length: 3 }, (_, index) => state(`S${index}`, z.number()));
let chain: ReturnType<typeof looseFlow> = looseFlow();
for (const [index, to] of states.slice(1).entries()) {
  const from = states[index];
  if (from) chain = chain.work(from, to, (count) => count + 1);
}
function looseFlow() {
  const [first, second] = states;
  if (!first || !second) throw new Error('no states');
  return defineFlow({ input: first, output: second }).work<string, number, string, number>(first, second);
}
chain.build();

// Tools and services with their types, questions, joins of several, and runs.
interface Db {
  send(to: string): Promise<{ id: string }>;
}
declare const db: Db;
const asking = defineFlow({ input: Note, output: Answer, tools: [crm], services: services<{ db: Db }>() })
  .work(
    Note,
    Answer,
    async ({ text }, ctx) => {
      const { name } = await ctx.tools.crm({ mail: text });
      const answer = await ctx.suspend({ question: `Write to ${name}?` }, z.object({ send: z.boolean() }));
      const sent = answer.send ? await ctx.effect('sent', () => ctx.services.db.send(text)) : { id: '' };
      return { text: `${name} ${sent.id}` };
    },
    { tools: ['crm', 'read_file'], asks: true },
  )
  .build();
const asked = asking.start({ text: 'x' }, await createContext({ tools: [crm], services: { db } }));
for await (const event of asked.stream()) if (event.type === 'message') event.content.length;
const result = await asked.result();
if (result.status === 'success') result.output.text.length;
if (result.status === 'suspended') await asked.resume(result.suspension, { send: true });
(await asked.toEnd()).text.length;
const Named = state('Named', z.object({ name: z.string() }));
defineFlow({ input: Note, output: Named, tools: [crm] })
  .tool(Note, Named, crm, ({ text }) => ({ mail: text }))
  .build();
const Third = state('Third', z.object({ n: z.number() }));
defineFlow({ input: Draft, output: Done })
  .fork(Draft, [Note, Page, Third], (draft) => [draft, { to: 'x' }, { n: 1 }])
  .join([Note, Page, Third], Done, (note, page, third, ctx) => `${note.text} ${page.to} ${third.n} ${ctx.now()}`)
  .build();

// Plans: the types of steps are known to the planner and to a fixed plan.
defineFlow({ input: Note, output: Kept })
  .agent(Note, Kept, {
    model: 'openai://m',
    mode: 'plan',
    plan: {
      steps: { look: { agent: { model: 'openai://m', tools: ['read_file'] } }, tell: { flow: inner } },
      planner: async (_request, ctx) => ({ rationale: `${ctx.now()}`, steps: [{ name: 'a', type: 'look', input: 'x', needs: [] }] }),
    },
  })
  .build();
defineFlow({ input: Note, output: Kept })
  .agent(Note, Kept, { model: 'openai://m', mode: 'plan', plan: { planner: { flow: inner }, parallel: 2 } })
  .build();

// Functions of an agent: checks and settings.
defineFlow({ input: Note, output: Kept })
  .agent(Note, Kept, {
    model: 'openai://m',
    models: ['openai://n'],
    settings: async (input, ctx) => ({
      model: 'openai://n',
      params: { temperature: 0 },
      memory: `${JSON.stringify(input)} ${ctx.now()}`,
      tools: [],
    }),
    guards: {
      input: [(value) => ({ pass: value !== null })],
      output: [
        { name: 'rule', expr: 'true' },
        { name: 'short', check: async () => ({ pass: false, reason: 'x' }), on_fail: 'ask_again' },
      ],
    },
  })
  .build();
