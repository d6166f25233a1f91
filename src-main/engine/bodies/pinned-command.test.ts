import { describe, expect, it } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import type { HandlerContext } from '#main/engine/ports/handler-context.ts';
import { flowOf, work } from '#main/engine/testing/flows.ts';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';
import { TestWorkspace } from '#main/engine/testing/workspace.ts';
import type { ToolUse } from '#shared/flow/document.ts';
import type { NodeBody } from '#shared/flow/graph.ts';

const commands = [{ name: 'echo', args: ['hello', '*'] }, 'true'];
const source = 'async ({ command, args }, ctx) => (await ctx.tools.run_command({ command, args })).stdout';
const plain = async (input: { command: string; args: string[] }, ctx: HandlerContext) => {
  const result = await ctx.tools.run_command?.(input);
  return (result as { stdout: string }).stdout;
};

const bodies: readonly (readonly [string, (use: ToolUse) => NodeBody])[] = [
  ['plain code', (use) => ({ type: 'function', call: plain as never, pure: false, tools: [use] })],
  ['a sandboxed body', (use) => ({ type: 'run', source, tools: [use] })],
];

async function call(body: NodeBody, input: { command: string; args: string[] }, overrides: Partial<Context> = {}) {
  using space = new TestWorkspace({ commands, ...overrides });
  return await FlowRuntime.new(flowOf([work('A', 'Z', body)]), input).next(space.context);
}

describe.each(bodies)('run_command in %s', (kind, bodyOf) => {
  it('runs a command whose arguments a rule pins down without asking', async () => {
    const outcome = await call(bodyOf('run_command'), { command: 'echo', args: ['hello', 'Ada'] });
    expect(outcome).toEqual({ type: 'done', output: 'hello Ada\n' });
  });

  it('asks about a command of which any use is allowed', async () => {
    const outcome = call(bodyOf('run_command'), { command: 'true', args: [] });
    if (kind === 'a sandboxed body') expect(await outcome).toMatchObject({ type: 'suspend', reason: 'approval' });
    else expect(await failureFrom(outcome)).toMatchObject({ message: expect.stringContaining('"approve": "never"') });
  });

  it.each([
    ['the author of the flow', { use: 'run_command', approve: 'never' }, {}],
    ['the program', 'run_command', { approve: { run_command: 'never' } }],
  ] as const)('does not ask where %s says so', async (_, use, options) => {
    const outcome = await call(bodyOf(use), { command: 'true', args: [] }, { trusted: false, from_program: true, ...options });
    expect(outcome).toEqual({ type: 'done', output: '' });
  });

  it('asks where the folder must be trusted for a lift and is not', async () => {
    const outcome = call(bodyOf({ use: 'run_command', approve: 'never' }), { command: 'true', args: [] }, { trusted: false });
    if (kind === 'a sandboxed body') expect(await outcome).toMatchObject({ type: 'suspend', reason: 'approval' });
    else expect(await failureFrom(outcome)).toMatchObject({ variant: 'HandlerError' });
  });
});
