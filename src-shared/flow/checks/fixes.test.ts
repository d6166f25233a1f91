import { describe, expect, it } from 'vitest';
import { buildFlow } from '#shared/flow/build-flow.ts';
import { applyEdits } from '#shared/flow/edit/apply-edit.ts';
import type { FlowEnvironment } from '#shared/flow/environment.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import type { ProblemCode } from '#shared/flow/problem.ts';

const anything = { type: 'object' };
const inner = {
  pravah: 1,
  name: 'Item',
  input: 'Item',
  output: 'Out',
  schemas: { Item: anything, Out: { type: 'string' } },
  nodes: [{ kind: 'work', from: 'Item', to: 'Out' }],
};
const environment = {
  readFile: (path: string) =>
    path === 'item.flow.json' ? { ok: true, text: JSON.stringify(inner) } : { ok: false, reason: 'missing', message: '' },
  checkSchema: () => null,
  sha256: (text: string) => text,
  tools: new Set(),
  mcpServers: new Set(),
} as unknown as FlowEnvironment;

function flowOf(change: object): ParsedFlow {
  const whole = { pravah: 1, name: 'A', input: 'A', output: 'B', schemas: { A: anything, B: anything }, ...change };
  return parseFlow(JSON.stringify(whole), 'a.flow.json');
}

const work = (from: string, to: string) => ({ kind: 'work', from, to });
const problemsOf = (flow: ParsedFlow) => buildFlow(flow, environment).problems;

/** The fixes of a problem by title, each with the codes that are left when it is carried out. */
function fixed(flow: ParsedFlow, code: ProblemCode): Record<string, string[]> {
  const problem = problemsOf(flow).find((candidate) => candidate.code === code);
  return Object.fromEntries(
    (problem?.fixes ?? []).map(({ title, edits }) => [title, problemsOf(applyEdits(flow, edits)).map((left) => left.code)]),
  );
}

describe('the fixes of problems', () => {
  it('make the end of a flow its output', () => {
    const flow = flowOf({ output: 'A', nodes: [work('A', 'B')] });
    expect(fixed(flow, 'terminal_mismatch')).toEqual({ 'Make B the output': [] });
  });

  it('make what nothing produces the input', () => {
    const flow = flowOf({ input: 'B', output: 'B', nodes: [work('A', 'B')] });
    expect(fixed(flow, 'missing_entry')).toEqual({ 'Make A the input': [] });
  });

  it('connect a node that nothing leads to, or remove it', () => {
    const schemas = { A: anything, B: anything, C: anything, D: anything };
    const flow = flowOf({ schemas, output: 'D', nodes: [work('A', 'B'), work('C', 'D')] });
    expect(fixed(flow, 'unreachable_node')).toEqual({
      'Connect B to this node': ['unused_schema'],
      'Remove this work node': ['terminal_mismatch', 'unused_schema'],
    });
  });

  it('add a missing schema, or rename the state to the one that was meant', () => {
    const schemas = { A: anything, Beginning: anything };
    const flow = flowOf({ schemas, output: 'Begining', nodes: [work('A', 'Begining')] });
    expect(fixed(flow, 'unknown_schema')).toEqual({ 'Rename Begining to Beginning': [], 'Add a schema for Begining': ['unused_schema'] });
  });

  it('remove a schema that is not used', () => {
    const flow = flowOf({ schemas: { A: anything, B: anything, C: anything }, nodes: [work('A', 'B')] });
    expect(fixed(flow, 'unused_schema')).toEqual({ 'Remove the schema C': [] });
  });

  it('make a list of what an each node takes', () => {
    const flow = flowOf({
      schemas: { A: anything, B: { type: 'array' } },
      nodes: [{ kind: 'each', from: 'A', to: 'B', flow: './item.flow.json' }],
    });
    expect(fixed(flow, 'bad_schema')).toEqual({ 'Make A a list of Item': [] });
  });

  it('are not offered for problems of another file, whose paths they would have', () => {
    const broken = { ...environment, readFile: () => ({ ok: true, text: JSON.stringify({ ...inner, output: 'Item' }) }) };
    const flow = flowOf({ schemas: {}, nodes: [{ kind: 'flow', flow: './item.flow.json' }] });
    const { problems } = buildFlow(flow, broken as unknown as FlowEnvironment);
    const inside = problems.filter(({ message }) => message.startsWith('In item.flow.json'));
    expect(inside.length).toBeGreaterThan(0);
    for (const problem of inside) expect(problem.fixes).toBeUndefined();
  });
});
