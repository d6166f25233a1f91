// What must not compile: one expected error each. refused.type-test.test.ts counts them.
import { z } from 'zod';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { type AgentCallOptions, callAgent } from '#main/sdk/call-agent.ts';
import { createContext } from '#main/sdk/create-context.ts';
import { defineFlow } from './define-flow.ts';
import { defineTool } from './define-tool.ts';
import { services } from './flow-types.ts';
import { left, right } from './sides.ts';
import { state } from './state.ts';

const A = state('A', z.object({ n: z.number() }));
const B = state('B', z.object({ text: z.string() }));
const C = state('C', z.object({ ok: z.boolean() }));
const D = state('D', z.object({ text: z.string() }));
const flow = defineFlow({ input: A, output: D });

// @ts-expect-error a handler that returns another shape
flow.work(A, B, () => ({ text: 3 }));
// @ts-expect-error a handler that leaves a field out
flow.work(A, B, async () => ({}));
// @ts-expect-error a handler that returns what has no such field
flow.work(A, B, (a) => ({ text: a.text }));
// @ts-expect-error no handler, and the value does not fit
flow.work(A, B);
// @ts-expect-error a work node that produces what it consumes
flow.work(A, A, (a) => a);
// @ts-expect-error both branches the same
flow.either(A, [B, B], () => left({ text: 'x' }));
// @ts-expect-error a branch with another shape
flow.either(A, [B, C], () => left({ ok: true }));
// @ts-expect-error the second branch with the shape of the first
flow.either(A, [B, C], () => right({ text: 'x' }));
// @ts-expect-error neither left nor right
flow.either(A, [B, C], () => ({ text: 'x' }));
// @ts-expect-error an either without a handler
flow.either(A, [B, C]);
// @ts-expect-error a fork into one branch
flow.fork(A, [B]);
// @ts-expect-error values in the wrong order
flow.fork(A, [B, C], () => [{ ok: true }, { text: 'x' }]);
// @ts-expect-error a value too few
flow.fork(A, [B, C], () => [{ text: 'x' }]);
// @ts-expect-error a join whose target is its first parent
flow.join([B, C], B, (b) => b);
// @ts-expect-error a join whose target is its second parent
flow.join([B, C], C, (_, c) => c);
// @ts-expect-error a join of one state with itself
flow.join([B, B], D, (b) => b);
// @ts-expect-error a join of one
flow.join([A], D, () => ({ text: 'x' }));
// @ts-expect-error a join of three that returns another shape
flow.join([A, B, C], D, (_a, _b, c) => ({ text: c.ok }));
// @ts-expect-error a join of three into one of them
flow.join([A, B, C], C, (_a, _b, c) => c);
// @ts-expect-error a join that returns another shape
flow.join([A, B], D, (a) => ({ text: a.n }));
// @ts-expect-error a join without a handler, and the merge does not fit
flow.join([A, C], D);
// @ts-expect-error an agent that produces what it consumes
flow.agent(A, A, { model: 'openai://gpt-4o' });
// @ts-expect-error an agent without a model
flow.agent(A, B, {});
// @ts-expect-error a setting that agents do not have
flow.agent(A, B, { model: 'openai://gpt-4o', temprature: 1 });
// @ts-expect-error a suspend node that produces what it consumes
flow.suspend(A, A);
// @ts-expect-error a tool that the node does not name
flow.work(A, B, async (_, ctx) => ({ text: String(await ctx.tools.write_file()) }), { tools: ['read_file'] });
const forked = flow.fork(A, [B, C], () => [{ text: 'x' }, { ok: true }]).work(B, D);
// @ts-expect-error a fork's branch that no node consumes
forked.build();
// @ts-expect-error an option that nodes do not have
flow.work(A, B, () => ({ text: 'x' }), { pur: true });
// @ts-expect-error no output
defineFlow({ input: A });
// @ts-expect-error a limit that there is not
defineFlow({ input: A, output: D, limits: { step: 3 } });
// @ts-expect-error no schema
state('E', { type: 'object' });

const tool = { name: 'crm', description: 'Looks up.', input: z.object({ mail: z.string() }), output: z.object({ name: z.string() }) };
// @ts-expect-error a tool that gives another shape
defineTool({ ...tool, call: () => ({ name: 5 }) });
// @ts-expect-error a tool that gives another shape later
defineTool({ ...tool, call: async () => ({}) });
// @ts-expect-error a field that the input does not have
defineTool({ ...tool, call: ({ phone }) => ({ name: phone }) });
// @ts-expect-error an answer that is made into another shape
defineTool({ ...tool, call: () => ({ name: 'x' }), resume: () => 'x' });
// @ts-expect-error a tool that cannot be called
defineTool(tool);
// @ts-expect-error a tool without a description
defineTool({ name: 'crm', input: tool.input, call: () => 1 });
// @ts-expect-error an input without a schema
defineTool({ name: 'crm', description: 'x', input: { type: 'object' }, call: () => 1 });
// @ts-expect-error an effect that there is not
defineTool({ ...tool, effect: 'delete', call: () => ({ name: 'x' }) });
// @ts-expect-error what JSON cannot carry
defineTool({ name: 'crm', description: 'x', input: tool.input, call: () => new Date() });

// @ts-expect-error an option that does not exist
await createContext({ builtins: ['read_file'] });
// @ts-expect-error a built-in tool that does not exist
await createContext({ builtin: ['telepathy'] });
// @ts-expect-error a policy that does not exist
await createContext({ approve: { crm: 'sometimes' } });
// @ts-expect-error settings with an unknown key
await createContext({ settings: { command: ['git'] } });
// @ts-expect-error keys that are not text
await createContext({ keys: { openai: 5 } });
const asked: AgentCallOptions = { model: 'openai://m', context: await createContext() };
// @ts-expect-error an option that does not exist
await callAgent({ mode: 'chat', messages: [] }, { ...asked, onSuspended: () => null });
// @ts-expect-error a mode that does not exist
await callAgent({ mode: 'dream', messages: [] }, asked);

const crm = defineTool({ ...tool, name: 'crm', call: () => ({ name: 'x' }) });
const typed = defineFlow({ input: A, output: D, tools: [crm], services: services<{ readonly db: { size: number } }>() });
// @ts-expect-error an input that the tool does not take
typed.work(A, D, async (_, ctx) => ({ text: (await ctx.tools.crm({ phone: 'x' })).name }), { tools: ['crm'] });
// @ts-expect-error an output that the tool does not give
typed.work(A, D, async (_, ctx) => ({ text: (await ctx.tools.crm({ mail: 'x' })).text }), { tools: ['crm'] });
// @ts-expect-error a tool that the flow does not have
typed.work(A, D, () => ({ text: 'x' }), { tools: ['crn'] });
// @ts-expect-error a tool node with another input
typed.tool(A, B, crm, ({ n }) => ({ mail: n }));
// @ts-expect-error a tool node whose state is not what the tool gives
typed.tool(A, C, crm, ({ n }) => ({ mail: String(n) }));
// @ts-expect-error a tool node with a tool that the flow does not have
flow.tool(A, D, crm, () => ({ mail: 'x' }));
// @ts-expect-error a service that the flow does not declare
typed.work(A, D, (_, ctx) => ({ text: ctx.services.mail }));
// @ts-expect-error a question in a handler that does not say that it asks
typed.work(A, D, async (_, ctx) => ({ text: String(await ctx.suspend('Really?')) }));
// @ts-expect-error an effect in a handler that does not say that it asks
typed.work(A, D, async (_, ctx) => ({ text: await ctx.effect('sent', () => 'x') }));
// @ts-expect-error an answer of another shape than its schema
typed.work(A, D, async (_, ctx) => ({ text: (await ctx.suspend('Really?', z.object({ ok: z.boolean() }))).ok }), { asks: true });
const needsDb = typed.work(A, D, () => ({ text: 'x' })).build();
// @ts-expect-error a context without the services of the flow
needsDb.start({ n: 1 }, await createContext());
// @ts-expect-error a context with another service
needsDb.start({ n: 1 }, await createContext({ services: { db: { size: 'x' } } }));
// @ts-expect-error an input of another shape
needsDb.start({ n: 'x' }, await createContext({ services: { db: { size: 1 } } }));

const look = { look: { agent: { model: 'openai://m' } } };
// @ts-expect-error a fixed plan with a type that the plan does not have
flow.agent(A, D, { model: 'openai://m', mode: 'plan', plan: { steps: look, fixed: [{ name: 'a', type: 'sing', input: 'x' }] } });
const sings = () => ({ steps: [{ name: 'a', type: 'sing' as const, input: 'x' }] });
// @ts-expect-error a planner that gives a type that the plan does not have
flow.agent(A, D, { model: 'openai://m', mode: 'plan', plan: { steps: look, planner: sings } });

// @ts-expect-error a check that says yes or no, and not whether the value passes
flow.agent(A, D, { model: 'openai://m', guards: { output: [() => true] } });
// @ts-expect-error a check of the input that would ask the model again
flow.agent(A, D, { model: 'openai://m', guards: { input: [{ name: 'a', check: () => ({ pass: true }), on_fail: 'ask_again' }] } });
// @ts-expect-error a settings function that returns a limit of the wrong type
flow.agent(A, D, { model: 'openai://m', settings: () => ({ limits: { turns: 'many' } }) });

const built = flow
  .work(A, B, () => ({ text: 'x' }))
  .work(B, D)
  .build();
const Numbers = state('Numbers', z.array(z.number()));
const Texts = state('Texts', z.array(z.object({ text: z.string() })));
// @ts-expect-error items that the inner flow does not take
defineFlow({ input: Numbers, output: Texts }).each(Numbers, Texts, built);
// @ts-expect-error an input of another shape
FlowRuntime.new(built, { n: 'three' });

export async function wrongField(ctx: Context): Promise<unknown> {
  const outcome = await FlowRuntime.new(built, { n: 3 }).next(ctx);
  // @ts-expect-error a field that the output does not have
  return outcome.type === 'done' ? outcome.output.missing : null;
}
