import { describe, expect, it } from 'vitest';
import { graphView } from '#renderer/document/graph/graph-view.ts';
import { type ReadableFlow, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { applyEdits } from '#shared/flow/edit/apply-edit.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import { addNode } from './add-node.ts';
import { copiedText, paste } from './clipboard.ts';
import { connect, disconnect } from './connect.ts';
import type { EditPlan } from './edit-plan.ts';
import { removeNodes } from './remove.ts';
import { renameState } from './rename-state.ts';

const text = `pravah: 1
name: Triage
input: Ticket
output: Answer
schemas:
  Ticket: { type: object, properties: { subject: { type: string } } }
  Hard: { type: object }
  Easy: { type: object }
  Answer: { type: string }
  Rows: { type: array }
nodes:
  # decides
  - kind: either
    from: Ticket
    to: [Hard, Easy]
    expr: "true"
  - kind: work
    from: Hard
    to: Answer
`;

const readable = (flow: ParsedFlow) => readableFlow(flow) as ReadableFlow;
const flow = parseFlow(text, 'triage.flow.yaml');

function done(plan: EditPlan, on: ParsedFlow = flow) {
  if (!plan.ok) throw new Error(plan.reason);
  const parsed = applyEdits(on, plan.edits);
  return { parsed, flow: readable(parsed), view: graphView(readable(parsed)), plan };
}

function reason(plan: EditPlan): string {
  if (plan.ok) throw new Error('The plan was made.');
  return plan.reason;
}

describe('adding a node', () => {
  it('gives it new states with schemas and preserves every existing line', () => {
    const { parsed, view, plan } = done(addNode(readable(flow), { kind: 'fork', at: { x: 8, y: 4 } }));
    expect(view.nodes[2]).toMatchObject({ kind: 'fork', id: 'State', outputs: [{ state: 'First' }, { state: 'Second' }] });
    for (const line of text.split('\n')) expect(parsed.text.split('\n')).toContain(line);
    expect(plan).toMatchObject({ places: { State: { x: 8, y: 4 } }, select: ['State'] });
  });

  it('consumes the state of the dropped wire', () => {
    const { view } = done(addNode(readable(flow), { kind: 'work', at: { x: 0, y: 0 }, consumes: 'Easy' }));
    expect(view.wires.some((wire) => wire.state === 'Easy' && wire.target === 'Easy')).toBe(true);
  });

  it('connects the first node of an empty flow to its input and output', () => {
    const empty = parseFlow('pravah: 1\nname: New\ninput: Input\noutput: Output\nschemas: {}\nnodes: []\n', 'new.flow.yaml');
    const { parsed, view } = done(addNode(readable(empty), { kind: 'work', at: { x: 0, y: 0 } }), empty);
    expect(view.nodes[0]).toMatchObject({ inputs: [{ state: 'Input', entry: true }], outputs: [{ state: 'Output', terminal: true }] });
    expect(parsed.problems).toEqual([]);
  });

  it('writes valid documents for every kind', () => {
    for (const kind of ['work', 'either', 'fork', 'join', 'agent', 'suspend'] as const) {
      expect(done(addNode(readable(flow), { kind, at: { x: 0, y: 0 } })).parsed.problems).toEqual([]);
    }
    const nested = addNode(readable(flow), { kind: 'flow', at: { x: 0, y: 0 }, file: './inner.flow.yaml' });
    expect(done(nested).parsed.problems).toEqual([]);
  });

  it('gives an agent the offered model, or a script', () => {
    const modelOf = (model?: string) =>
      done(addNode(readable(flow), { kind: 'agent', at: { x: 0, y: 0 }, ...(model && { model }) })).view.nodes[2]?.detail;
    expect(modelOf('ollama://small')).toMatchObject({ type: 'model', text: 'ollama://small' });
    expect(modelOf()).toMatchObject({ type: 'model', text: 'script://model.json' });
  });
});

describe('connecting', () => {
  const added = done(addNode(readable(flow), { kind: 'work', at: { x: 0, y: 0 } }));

  it('renames an input without producer and schema to the output', () => {
    const { parsed, view } = done(connect(added.flow, { source: 0, source_port: 1, target: 2, target_port: 0 }), added.parsed);
    expect(view.nodes[2]?.id).toBe('Easy');
    expect(parsed.text).not.toContain('State');
  });

  it('renames the output to an input that is in use', () => {
    const { view } = done(connect(added.flow, { source: 2, source_port: 0, target: 1, target_port: 0 }), added.parsed);
    expect(view.nodes[2]?.outputs[0]?.state).toBe('Hard');
    expect(view.nodes[1]?.id).toBe('Hard');
  });

  it('reports why two ports cannot be connected', () => {
    expect(reason(connect(readable(flow), { source: 0, source_port: 1, target: 1, target_port: 0 }))).toContain('two different states');
    expect(reason(connect(readable(flow), { source: 1, source_port: 0, target: 1, target_port: 0 }))).toContain('cannot produce the state');
    expect(reason(connect(readable(flow), { source: 0, source_port: 0, target: 1, target_port: 0 }))).toContain('already connected');
  });

  it('reports types that do not match', () => {
    const rows = parseFlow(`${text}  - kind: work\n    from: Rows\n    to: Other\n`, 'triage.flow.yaml');
    expect(reason(connect(readable(rows), { source: 1, source_port: 0, target: 2, target_port: 0 }))).toBe(
      'Answer is a string, but Rows is an array.',
    );
  });

  it('is reversible by cutting the wire: the output keeps its schema under a new name', () => {
    const { view, flow: cut } = done(disconnect(readable(flow), { source: 0, source_port: 0, target: 1, target_port: 0 }));
    expect(view.wires).toEqual([]);
    expect(view.nodes[0]?.outputs[0]?.state).toBe('Hard2');
    expect(cut.schemas.Hard2).toEqual({ type: 'object' });
  });
});

describe('deleting and renaming', () => {
  it('removes unused schemas without content, and no others', () => {
    const { flow: left } = done(removeNodes(readable(flow), [0]));
    expect(Object.keys(left.schemas)).toEqual(['Ticket', 'Hard', 'Answer', 'Rows']);
    expect(left.nodes).toHaveLength(1);
  });

  it('renames a state in nodes and schemas', () => {
    const { flow: renamed } = done(renameState(readable(flow), 'Hard', 'Difficult'));
    expect(renamed.nodes.map((node) => [node.from, node.to])).toEqual([
      [['Ticket'], ['Difficult', 'Easy']],
      [['Difficult'], ['Answer']],
    ]);
    expect(Object.keys(renamed.schemas)).toContain('Difficult');
  });

  it('rejects invalid names and names that are in use', () => {
    expect(reason(renameState(readable(flow), 'Hard', 'Easy'))).toContain('already');
    expect(reason(renameState(readable(flow), 'Hard', '2nd'))).toContain('digit');
  });
});

describe('copying and pasting', () => {
  const copied = copiedText(readable(flow), [0, 1]) ?? '';
  let made = 0;
  const pasteAt = { at: { x: 100, y: 200 }, freshId: (prefix: string) => `${prefix}new${made++}` };

  it('writes readable text with the schemas that the nodes use', () => {
    expect(copied).toContain('kind: either');
    expect(copied).toContain('subject');
    expect(copied).not.toContain('Rows');
  });

  it('adds the nodes under new names and preserves the wires between them', () => {
    const { view, flow: pasted, plan } = done(paste(readable(flow), copied, pasteAt));
    expect(view.nodes.slice(2).map((node) => node.id)).toEqual(['Ticket2', 'Hard2']);
    expect(view.wires.filter((wire) => wire.source === 'Ticket2').map((wire) => wire.target)).toEqual(['Hard2']);
    expect(pasted.schemas.Ticket2).toEqual(pasted.schemas.Ticket);
    expect(plan).toMatchObject({ added: { nodes: [{ index: 2 }, { index: 3 }] } });
  });

  it('preserves relative places, and brings notes and whole groups along', () => {
    const group = { id: 'g1', title: 'Both', colour: 'blue', nodes: ['Ticket', 'Hard'], folded: false } as const;
    const note = { id: 'n1', x: 40, y: -100, width: 200, height: 80, text: 'Why', colour: 'amber' } as const;
    const drawing = {
      positions: { Ticket: { x: 0, y: 0 }, Hard: { x: 300, y: 50 } },
      notes: [note],
      groups: [
        { ...group, nodes: [...group.nodes] },
        { ...group, id: 'g2', nodes: ['Ticket', 'Elsewhere'] },
      ],
    };
    const text = copiedText(readable(flow), [0, 1], ['Ticket', 'Hard'], drawing) ?? '';
    expect(text).toContain('Why');
    const plan = paste(readable(flow), text, pasteAt);
    if (!plan.ok || !plan.added) throw new Error('Nothing was planned.');
    expect(plan.label).toBe('Paste 2 nodes and 1 note');
    expect(plan.added.nodes.map(({ place }) => place)).toEqual([
      { x: 100, y: 300 },
      { x: 400, y: 350 },
    ]);
    expect(plan.added.notes).toMatchObject([{ x: 140, y: 200, text: 'Why' }]);
    expect(plan.added.notes[0]?.id).not.toBe('n1');
    expect(plan.added.groups).toMatchObject([{ title: 'Both', indices: [2, 3] }]);
  });

  it('pastes notes alone, and ignores a layout that cannot be read', () => {
    const note = { id: 'n1', x: 40, y: -100, width: 200, height: 80, text: 'Why', colour: 'amber' } as const;
    const text = copiedText(readable(flow), [], [], { positions: {}, notes: [note] }) ?? '';
    expect(paste(readable(flow), text, pasteAt)).toMatchObject({
      ok: true,
      label: 'Paste note',
      edits: [],
      added: { notes: [{ x: 100, y: 200 }] },
    });
    expect(copiedText(readable(flow), [], [], { positions: {}, notes: [] })).toBeNull();
    expect(paste(readable(flow), `${copied}layout: { nodes: 3 }\n`, pasteAt)).toMatchObject({ ok: true, added: { notes: [], groups: [] } });
  });

  it('rejects a clipboard with other content', () => {
    expect(reason(paste(readable(flow), 'Dear all,', pasteAt))).toContain('no nodes');
    expect(reason(paste(readable(flow), 'nodes: [', pasteAt))).toContain('no nodes');
  });
});
