import { expect, test } from 'vitest';
import { nodeOfPointer, workflowExcerpt } from './workflow-source.ts';

const source = `name: a
agents:
  - name: first
    type: expr
  - name: second
    expression: 'x'
orchestration: { type: sequential }
`;

test('an agent’s part of a workflow is cut out with its first line', () => {
  expect(workflowExcerpt(source, '/agents/1')).toEqual({ line: 5, text: "- name: second\n  expression: 'x'" });
  expect(workflowExcerpt(source, '/agents/7')).toBeNull();
  expect(workflowExcerpt('a: [', '/a')).toBeNull();
});

test('a problem inside an agent leads to the agent’s node, any other to none', () => {
  const origins = ['/orchestration', '/agents/1', '/agents/10'];
  expect(nodeOfPointer(origins, '/agents/10/expression')).toBe(2);
  expect(nodeOfPointer(origins, '/agents/1')).toBe(1);
  expect(nodeOfPointer(origins, '/orchestration/agents/0')).toBeUndefined();
});
