import { describe, expect, it } from 'vitest';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { applyEdits } from '#shared/flow/edit/apply-edit.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import { addNode } from './add-node.ts';
import type { EditPlan } from './edit-plan.ts';
import { type InnerFlow, innerFlowOf, newInnerFlowText } from './inner-flow.ts';
import { switchNesting } from './switch-nesting.ts';

const file = './mail.flow.yaml';
const mail = { type: 'object', properties: { subject: { type: 'string' } } };
const inner: InnerFlow = { input: 'Mail', output: 'Reply', schemas: { Mail: mail, Reply: { type: 'string' } } };
const ports = { [file]: inner };

const outer = parseFlow(
  JSON.stringify({
    pravah: 1,
    name: 'Mails',
    input: 'Query',
    output: 'Found',
    schemas: { Query: { type: 'object' }, Found: { type: 'object' } },
    nodes: [{ kind: 'work', from: 'Query', to: 'Found' }],
  }),
  'mails.flow.json',
);
const at = { x: 40, y: 80 };
const readable = (flow: ParsedFlow) => readableFlow(flow, ports) as ReadableFlow;

function carriedOut(plan: EditPlan, flow = outer): ParsedFlow {
  if (!plan.ok) throw new Error(plan.reason);
  return applyEdits(flow, plan.edits);
}

const wiresOf = (flow: ParsedFlow) => graphView(readable(flow)).wires.map(({ state }) => state);

describe('a node that runs a flow', () => {
  it('consumes and produces lists if it runs for each item', () => {
    const plan = addNode(readable(outer), { kind: 'each', at, file, inner, consumes: 'Found' });
    const flow = carriedOut(plan);
    expect(plan).toMatchObject({ label: 'Add for each', select: ['Found'], places: { Found: at } });
    expect(flow.outline.nodes?.[1]?.raw).toEqual({ kind: 'each', from: 'Found', to: 'Results', flow: file });
    expect(flow.outline.schemas).toMatchObject({
      Found: { type: 'array', items: mail },
      Results: { type: 'array', items: { type: 'string' } },
    });
    expect(wiresOf(flow)).toEqual(['Found']);
  });

  it('has the states of the flow if it runs once, is placed where it was dropped and is selected', () => {
    const plan = addNode(readable(outer), { kind: 'flow', at, file, inner, consumes: 'Found' });
    const flow = carriedOut(plan);
    expect(plan).toMatchObject({ select: ['Mail'], places: { Mail: at } });
    expect(flow.outline).toMatchObject({ output: 'Mail', schemas: { Query: {} } });
    expect(flow.outline.schemas).not.toHaveProperty('Found');
    expect(wiresOf(flow)).toEqual(['Mail']);
  });

  it('has a unique key if the flow is used twice', () => {
    const once = carriedOut(addNode(readable(outer), { kind: 'flow', at, file, inner }));
    expect(addNode(readable(once), { kind: 'flow', at, file, inner })).toMatchObject({ select: ['Mail#2'], places: { 'Mail#2': at } });
  });

  it('connects input and output of an empty flow', () => {
    const empty = parseFlow('pravah: 1\nname: New\ninput: Input\noutput: Output\nschemas: {}\nnodes: []\n', 'new.flow.yaml');
    expect(carriedOut(addNode(readable(empty), { kind: 'flow', at, file, inner }), empty).outline).toMatchObject({
      input: 'Mail',
      output: 'Reply',
    });
  });
});

describe('switching between once and for each item', () => {
  const once = carriedOut(addNode(readable(outer), { kind: 'flow', at, file, inner, consumes: 'Found' }));

  it('preserves the wires, turns the states into lists, and back', () => {
    const each = carriedOut(switchNesting(readable(once), 1, inner), once);
    expect(each.outline.nodes?.[1]?.raw).toEqual({ kind: 'each', flow: file, from: 'Mail', to: 'Reply' });
    expect(each.outline.schemas).toMatchObject({ Mail: { type: 'array', items: mail } });
    expect(wiresOf(each)).toEqual(['Mail']);
    const back = carriedOut(switchNesting(readable(each), 1, inner), each);
    expect(back.outline.nodes?.[1]?.raw).toEqual({ kind: 'flow', flow: file });
    expect(Object.keys(back.outline.schemas ?? {})).toEqual(['Query']);
    expect(wiresOf(back)).toEqual(['Mail']);
  });

  it('does not rename a state to a name that is taken', () => {
    const text = { ...(once.root?.value as object), nodes: [{ kind: 'each', from: 'Query', to: 'Mail', flow: file }] };
    const each = parseFlow(JSON.stringify(text), 'mails.flow.json');
    const flow = carriedOut(switchNesting(readable(each), 0, inner), each);
    expect(flow.outline).toMatchObject({ input: 'Query', nodes: [{ kind: 'flow' }] });
    expect(flow.outline.schemas).toHaveProperty('Query');
  });

  it('is rejected if the file cannot be read', () => {
    expect(switchNesting(readable(once), 1, null)).toMatchObject({ ok: false, reason: expect.stringContaining(file) });
  });
});

describe('a new flow for a node to run', () => {
  it('consumes the input of the node, or the items of its list', () => {
    const list = carriedOut(addNode(readable(outer), { kind: 'each', at, file, inner, consumes: 'Found' }));
    const item = innerFlowOf(parseFlow(newInnerFlowText(readable(list), 'One', true, { consumes: 'Found' }), 'one.flow.yaml'));
    expect(item).toEqual({ input: 'Item', output: 'Result', schemas: { Item: mail, Result: { type: 'object' } } });
    const whole = innerFlowOf(parseFlow(newInnerFlowText(readable(outer), 'Next', false, { consumes: 'Found' }), 'next.flow.yaml'));
    expect(whole).toMatchObject({ input: 'Found', output: 'Result' });
  });
});
