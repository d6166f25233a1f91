import { expect, test } from 'vitest';
import { FlowError, isFlowError, isToolError, ToolError } from './error.ts';

const cause = new ToolError('Timeout', 'crm took longer than 5 s.', { node: 'A', tool_id: 'A::crm' });

test('a failure has its fields as properties, and its cause as an error', () => {
  const error: unknown = new FlowError('HandlerError', 'The handler of A failed.', {
    node: 'A',
    details: { path: '/n' },
    cause: cause.toJSON(),
  });
  if (!isFlowError(error)) throw error;
  const { code, category, retryable, node, tool_id, details } = error;
  expect({ code, category, retryable, node, tool_id, details }).toEqual({
    code: 'ORCHESTRATION_HANDLER_FAILED',
    category: 'orchestration',
    retryable: true,
    node: 'A',
    tool_id: null,
    details: { path: '/n' },
  });
  expect(isToolError(error.cause, 'Timeout') && error.cause.code).toBe('TOOL_TIMEOUT');
});

test('a failure is narrowed by its variant', () => {
  const error: unknown = new FlowError('Deadlock', 'No node can run.');
  expect([isFlowError(error), isFlowError(error, 'Deadlock'), isFlowError(error, 'Invalid'), isToolError(error)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  if (isFlowError(error, 'Deadlock')) {
    const variant: 'Deadlock' = error.variant;
    expect(variant).toBe('Deadlock');
  }
});

test('a failure of another copy of the package is recognised, and other errors are not', () => {
  const foreign = Object.assign(new Error('x'), { name: 'FlowError', variant: 'Invalid' });
  expect([isFlowError(foreign, 'Invalid'), isFlowError(new Error('x')), isFlowError({ name: 'FlowError', variant: 'Invalid' })]).toEqual([
    true,
    false,
    false,
  ]);
});
