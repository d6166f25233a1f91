import { describe, expect, it } from 'vitest';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { applyEdits } from '#shared/flow/edit/apply-edit.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import { addNode } from './add-node.ts';
import { connect } from './connect.ts';
import type { EditPlan } from './edit-plan.ts';
import { followEnd, mayMoveEnd } from './move-end.ts';
import { removeNodes } from './remove.ts';

const document = {
  pravah: 1,
  name: 'Letters',
  input: 'Draft',
  output: 'Letter',
  schemas: { Draft: { type: 'object' }, Checked: { type: 'object' }, Letter: { type: 'object' } },
  nodes: [
    { kind: 'work', from: 'Draft', to: 'Checked' },
    { kind: 'work', from: 'Checked', to: 'Letter' },
  ],
};
const letters = parseFlow(JSON.stringify(document), 'letters.flow.json');
const readable = (flow: ParsedFlow) => readableFlow(flow) as ReadableFlow;
const at = { x: 0, y: 0 };

function carriedOut(plan: EditPlan, flow = letters): { edited: ParsedFlow; output: string | undefined } {
  if (!plan.ok) throw new Error(plan.reason);
  const edited = applyEdits(flow, plan.edits);
  const following: FlowEdit[] = mayMoveEnd(plan.edits) ? followEnd(readable(flow), readable(edited)) : [];
  const done = applyEdits(edited, following);
  return { edited: done, output: done.outline.output };
}

describe('the end of a flow', () => {
  it.each(['work', 'agent', 'suspend'] as const)('moves with a %s node that is added after it', (kind) => {
    const { edited, output } = carriedOut(addNode(readable(letters), { kind, at, consumes: 'Letter' }));
    expect(edited.outline.nodes?.at(-1)?.to).toEqual([output]);
    expect(edited.problems).toEqual([]);
  });

  it('stays while the flow could end in two states, and moves once there is one end again', () => {
    const branched = carriedOut(addNode(readable(letters), { kind: 'either', at, consumes: 'Letter' }));
    expect(branched.output).toBe('Letter');
    const looped = connect(readable(branched.edited), { source: 2, source_port: 1, target: 1, target_port: 0 });
    expect(carriedOut(looped, branched.edited).output).toBe('Yes');
  });

  it('moves when the end is connected to a separate node', () => {
    const apart = carriedOut(addNode(readable(letters), { kind: 'work', at }));
    expect(apart.output).toBe('Letter');
    const connected = connect(readable(apart.edited), { source: 1, source_port: 0, target: 2, target_port: 0 });
    expect(carriedOut(connected, apart.edited).output).toBe('Result');
  });

  it('moves back when the last node is deleted, and removes its empty schema', () => {
    const { edited, output } = carriedOut(removeNodes(readable(letters), [1]));
    expect(output).toBe('Checked');
    expect(Object.keys(edited.outline.schemas ?? {})).toEqual(['Draft', 'Checked']);
  });

  it('is not changed by edits elsewhere, even if it is invalid', () => {
    expect(carriedOut(addNode(readable(letters), { kind: 'work', at, consumes: 'Draft' })).output).toBe('Letter');
    const wrong = parseFlow(JSON.stringify({ ...document, output: 'Checked' }), 'letters.flow.json');
    expect(carriedOut(addNode(readable(wrong), { kind: 'work', at }), wrong).output).toBe('Checked');
    const planned = parseFlow(JSON.stringify({ ...document, output: 'Sent' }), 'letters.flow.json');
    expect(carriedOut(addNode(readable(planned), { kind: 'work', at, consumes: 'Letter' }), planned).output).toBe('Sent');
  });
});
