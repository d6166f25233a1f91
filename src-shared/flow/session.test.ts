import { describe, expect, it } from 'vitest';
import { nodeFaults } from '#shared/flow/checks/format.ts';
import type { Json } from '#shared/json.ts';
import { buildFlow } from './build-flow.ts';
import type { FlowEnvironment } from './environment.ts';
import { parseFlow } from './parse-flow.ts';

const environment: FlowEnvironment = {
  readFile: () => ({ ok: false, reason: 'missing', message: 'there are no files' }),
  trusted: false,
  tools: new Set(['storage']),
  mcpServers: new Set(),
  checkSchema: () => null,
  stripTypes: (source) => ({ ok: true, code: source }) as never,
  sha256: (text) => text,
};

const session = (value: Json, more: object = {}) => ({ kind: 'work', from: 'A', to: 'B', session: value, ...more }) as Json;

describe('a session written by hand', () => {
  it.each<[string, Json]>([
    ['begin', session({ begin: {} })],
    ['an expression', session({ expr: '1', output: 'x' })],
    ['a tool', session({ tool: 'storage', with: { path: 'a' }, output: 'x' })],
    ['a merge', { kind: 'join', from: ['A', 'B'], to: 'C', session: { merge: 'last', by: 'list' } }],
    ['a loop', { kind: 'either', from: 'A', to: ['B', 'C'], session: { leave: 'l', check: 'round', max: 3 } }],
  ])('may have %s', (_what, node) => {
    expect(nodeFaults(node)).toEqual([]);
  });

  it.each<[string, Json, string]>([
    ['no output', session({ expr: '1' }), '/session'],
    ['a merge at a work node', session({ merge: 'last' }), '/session'],
    ['another body', session({ expr: '1', output: 'x' }, { expr: '2' }), '/session'],
    ['one branch', { kind: 'fork', from: 'A', to: ['B', 'C'], session: { branches: ['b'] } }, '/session/branches'],
  ])('is refused with %s', (_what, node, path) => {
    expect(nodeFaults(node).map((fault) => fault.path)).toEqual([path]);
  });

  const problemsOf = (value: Json) => {
    const document = { pravah: 1, name: 'N', input: 'A', output: 'B', schemas: { A: {}, B: {} }, nodes: [session(value)] };
    return buildFlow(parseFlow(JSON.stringify(document), 'a.flow.json'), environment).problems.map(({ code, path }) => `${code} ${path}`);
  };

  it.each<[Json, string[]]>([
    [{ expr: 'sum(a)', inputs: ['a'], output: 'x' }, []],
    [{ expr: '1 +', output: 'x' }, ['bad_expr /nodes/0/session/expr']],
    [{ tool: 'teleport', output: 'x' }, ['unknown_tool /nodes/0/session/tool']],
    [{ code: 'shop.f', output: 'x' }, ['needs_trust /nodes/0/session/code']],
  ])('with %j has the problems %j', (value, problems) => {
    expect(problemsOf(value)).toEqual(problems);
  });
});
