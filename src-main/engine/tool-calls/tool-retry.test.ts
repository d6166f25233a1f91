import { expect, test } from 'vitest';
import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Tool } from '#main/engine/ports/tool.ts';
import { flowOf, quietContext, work } from '#main/engine/testing/flows.ts';
import { failureFrom } from '#main/engine/testing/run-to-end.ts';
import { defineTool } from '#main/sdk/builder/define-tool.ts';
import { jsonSchema } from '#main/sdk/builder/state.ts';
import type { Json } from '#shared/json.ts';
import { ToolError } from '#shared/run/error.ts';

/** How a step fails whose tool says that its service is down. */
async function failing(more: Partial<Pick<Tool, 'effect' | 'idempotent'>>) {
  const tool = defineTool({
    name: 'service',
    description: 'Is down.',
    input: jsonSchema<Json>({ type: 'object' }),
    output: jsonSchema<Json>({}),
    approve: 'never',
    ...more,
    call: async () => {
      throw new ToolError('Http', 'The service answered with status 503.');
    },
  });
  const graph = flowOf([work('A', 'Z', { type: 'tool', tool: 'service', with: {} })]);
  return failureFrom(FlowRuntime.new(graph, {}).next(quietContext({ tools: new Map([['service', tool]]) })));
}

test('the failure of a tool can be retried only where calling it again does nothing twice', async () => {
  const http = { variant: 'Http', code: 'TOOL_HTTP_FAILED' };
  for (const effect of ['none', 'read'] as const) expect(await failing({ effect })).toMatchObject({ ...http, retryable: true });
  expect(await failing({ effect: 'write' })).toMatchObject({ ...http, retryable: false });
  expect(await failing({ effect: 'write', idempotent: true })).toMatchObject({ ...http, retryable: true });
});
