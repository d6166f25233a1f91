import { expect, test } from 'vitest';
import { type OpenFlow, openFlow, withText } from '#renderer/document/editing/open-flow.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { flowChange } from './flow-change.ts';

function opened(path: string, text: string): OpenFlow {
  return openFlow({ path, text, hash: 'h', layout: null, code: null, revision: null, draft: null, others: [] });
}

function edited(flow: OpenFlow): OpenFlow {
  return withText(flow, parseFlow(`${flow.parsed.text}# fixed\n`, flow.path), { label: 'Fix', at: 0 });
}

const flowWith = (nodes: string) => `pravah: 1\nname: A\ninput: A\noutput: B\nschemas: { A: {}, B: {} }\nnodes:\n${nodes}`;
const simple = opened('a.flow.yaml', flowWith('  - { kind: work, from: A, to: B }\n'));
const outer = opened('outer.flow.yaml', flowWith('  - { kind: flow, from: A, to: B, flow: ./middle.flow.yaml }\n'));
const middle = opened('middle.flow.yaml', flowWith('  - { kind: each, from: A, to: B, flow: ./a.flow.yaml }\n'));

const recorded = (...files: OpenFlow[]) => Object.fromEntries(files.map(({ path, parsed }) => [path, parsed.text]));
const changeOf = (run: OpenFlow, ...flows: OpenFlow[]) =>
  flowChange(
    { flow_path: run.path, flow_text: run.parsed.text },
    { flows: Object.fromEntries(flows.map((flow) => [flow.path, flow])) },
    run === middle ? recorded(simple) : {},
  );

test('a flow is edited once its text on the screen differs from the run’s, saved or not', () => {
  expect(changeOf(simple, simple)).toBe('none');
  expect(changeOf(simple, edited(simple))).toBe('edited');
  expect(changeOf(simple, opened(simple.path, `${simple.parsed.text}# saved\n`))).toBe('edited');
  expect(changeOf(simple)).toBe('none');
});

test('an unsaved edit of a flow that it runs, at any depth, is an edit, too', () => {
  expect(changeOf(outer, outer, middle, simple)).toBe('nested');
  expect(changeOf(outer, outer, middle, edited(simple))).toBe('edited');
  expect(changeOf(middle, outer, middle, edited(opened('other.flow.yaml', simple.parsed.text)))).toBe('nested');
});

test('a saved edit of a flow that it runs is found by the text that was recorded', () => {
  const saved = opened(simple.path, `${simple.parsed.text}# saved\n`);
  expect(changeOf(middle, middle, saved)).toBe('edited');
  expect(changeOf(middle, middle, simple)).toBe('nested');
});
