import { describe, expect, it } from 'vitest';
import type { FlowDocument } from '#shared/flow/document.ts';
import { parseFlow } from '#shared/flow/parse-flow.ts';
import { graphView } from './graph-view.ts';
import { type InnerPorts, type ReadableFlow, readableFlow } from './readable-flow.ts';
import { shareStructure } from './share-structure.ts';

const triage: FlowDocument = {
  pravah: 1,
  name: 'Triage',
  input: 'Ticket',
  output: 'Answer',
  schemas: { Ticket: true, Hard: true, Easy: true, Answer: true },
  nodes: [
    { kind: 'either', from: 'Ticket', to: ['Hard', 'Easy'], expr: 'score > 3' },
    { kind: 'agent', title: 'Think', from: 'Hard', to: 'Answer', agent: { model: 'script://a.json' } },
    { kind: 'work', from: 'Easy', to: 'Answer', tool: 'run_command', with: { command: 'git', args: ['log', '--oneline'] } },
  ],
};

function view(document: FlowDocument, inner?: InnerPorts) {
  return graphView(readableFlow(parseFlow(JSON.stringify(document), 'triage.flow.json'), inner) as ReadableFlow);
}

describe('graphView', () => {
  it('connects every output to the inputs of the same name', () => {
    expect(view(triage).wires.map((wire) => wire.key)).toEqual(['Ticket:0>Hard:0', 'Ticket:1>Easy:0']);
  });

  it('marks the entry at its consumer and the terminal at each of its producers', () => {
    const [either, agent, work] = view(triage).nodes;
    expect(either?.inputs).toEqual([{ state: 'Ticket', open: true, entry: true, terminal: false }]);
    expect([agent, work].map((node) => node?.outputs[0])).toEqual([
      { state: 'Answer', open: true, entry: false, terminal: true },
      { state: 'Answer', open: true, entry: false, terminal: true },
    ]);
  });

  it('derives only the edited node again while nodes consume and produce what they did', () => {
    const of = (document: FlowDocument) => readableFlow(parseFlow(JSON.stringify(document), 'triage.flow.json')) as ReadableFlow;
    const titled = { ...triage, nodes: triage.nodes.map((node, at) => (at === 1 ? { ...node, title: 'Consider' } : node)) } as FlowDocument;
    const joined = { ...titled, nodes: [...titled.nodes.slice(0, 2), { kind: 'work' as const, from: 'Hard', to: 'Answer' }] };
    let before = graphView(of(triage));
    for (const document of [titled, joined, triage, { ...triage, output: 'Easy' }]) {
      const after = graphView(of(document), before);
      expect(after).toEqual(graphView(of(document)));
      if (document === titled) {
        expect(after.wires).toBe(before.wires);
        expect(after.nodes.map((node, at) => node === before.nodes[at])).toEqual([true, false, true]);
      }
      before = after;
    }
  });

  it('reads none of the nodes that an edit left alone', () => {
    const flow = readableFlow(parseFlow(JSON.stringify(triage), 'triage.flow.json')) as ReadableFlow;
    let reads = 0;
    const watched = flow.nodes.map(
      (node) =>
        new Proxy(node, {
          get(target, field) {
            reads += 1;
            return Reflect.get(target, field);
          },
        }),
    );
    const before = graphView({ ...flow, nodes: watched });
    reads = 0;
    const agent = flow.nodes[1] as (typeof flow.nodes)[number];
    const edited = { ...agent, raw: { ...agent.raw, title: 'Consider' } };
    const after = graphView({ ...flow, nodes: watched.map((node, at) => (at === 1 ? edited : node)) }, before);
    expect(after.nodes[1]?.title).toBe('Consider');
    // Of the edited node, what it consumed and produced.
    expect(reads).toBeLessThanOrEqual(3);
  });

  it('gives two nodes that consume one state different keys and the same id', () => {
    const nodes = [...triage.nodes, { kind: 'work' as const, from: 'Easy', to: 'Answer' }];
    const graph = view({ ...triage, nodes });
    expect(graph.nodes.slice(2).map(({ key, id }) => [key, id])).toEqual([
      ['Easy', 'Easy'],
      ['Easy#2', 'Easy'],
    ]);
    expect(graph.wires.filter((wire) => wire.state === 'Easy').map((wire) => wire.target)).toEqual(['Easy', 'Easy#2']);
  });

  it('draws both parents of a join as inputs and names it by both', () => {
    const join = { kind: 'join' as const, from: ['Hard', 'Easy'], to: 'Answer' };
    const [node] = view({ ...triage, nodes: [join] }).nodes;
    expect(node?.id).toBe('Hard+Easy');
    expect(node?.title).toBe('Hard and Easy');
    expect(node?.inputs.map((port) => port.state)).toEqual(['Hard', 'Easy']);
  });

  it('takes the ports of a nested flow from its file, and has none while that is unknown', () => {
    const nested: FlowDocument = { ...triage, nodes: [{ kind: 'flow', flow: './look-up.flow.yaml' }] };
    expect(view(nested).nodes[0]).toMatchObject({ title: 'Look-up', inputs: [], outputs: [] });
    const known = view(nested, { './look-up.flow.yaml': { input: 'Ticket', output: 'Answer' } });
    expect(known.nodes[0]).toMatchObject({ id: 'Ticket', inputs: [{ state: 'Ticket' }], outputs: [{ state: 'Answer' }] });
  });

  it('describes what each node runs', () => {
    expect(view(triage).nodes.map((node) => node.detail?.text)).toEqual(['score > 3', 'script://a.json', 'run_command git log']);
  });

  it('describes an agent of a workflow by its model, the key that it writes, and the first line of its instruction', () => {
    const agent = { model: 'gemini://gemini-2.5-flash', preamble: 'Report the rate.\nBe short.', tools: [] };
    const node = {
      kind: 'agent' as const,
      from: 'Ticket',
      to: 'Answer',
      agent,
      session: { output: 'report', contents: 'default' as const },
    };
    expect(view({ ...triage, nodes: [node] }).nodes[0]?.detail).toEqual({
      type: 'model',
      text: 'gemini-2.5-flash · Report the rate.',
      writes: 'report',
      model: 'gemini://gemini-2.5-flash',
    });
  });
});

describe('readableFlow', () => {
  it('contains the readable nodes at their document positions if others have errors', () => {
    const text = JSON.stringify({ ...triage, nodes: [{ kind: 'wrok' }, ...triage.nodes], colour: 'red' });
    const flow = readableFlow(parseFlow(text, 'a.flow.json'));
    expect(flow?.nodes.map((node) => node.index)).toEqual([1, 2, 3]);
    expect(flow?.length).toBe(4);
  });

  it('is null for a text that is not a document', () => {
    expect(readableFlow(parseFlow('{', 'a.flow.json'))).toBeNull();
  });
});

describe('shareStructure', () => {
  it('preserves the identity of every unedited node', () => {
    const before = view(triage);
    const nodes = triage.nodes.map((node, index) => (index === 1 ? { ...node, title: 'Think hard' } : structuredClone(node)));
    const after = shareStructure(before, view({ ...triage, nodes } as FlowDocument));
    expect(after.nodes.map((node, index) => node === before.nodes[index])).toEqual([true, false, true]);
    expect(after.wires).toBe(before.wires);
  });

  it('does not mistake a missing key for an undefined one', () => {
    const next = { a: undefined };
    expect(Object.hasOwn(shareStructure({}, next), 'a')).toBe(true);
  });
});

describe('a view after an edit', () => {
  const chain = (count: number, title?: string): FlowDocument => ({
    ...triage,
    input: 'S0',
    output: `S${count}`,
    nodes: Array.from({ length: count }, (_, index) => ({
      kind: 'work' as const,
      from: `S${index}`,
      to: `S${index + 1}`,
      ...(index === 1 && title ? { title } : {}),
    })),
  });

  it('is the same object if nothing visible changed, and shares unchanged nodes and wires', () => {
    const before = view(chain(4));
    const readable = readableFlow(parseFlow(JSON.stringify(chain(4)), 'triage.flow.json')) as ReadableFlow;
    expect(graphView(readable, before)).toBe(before);
    const titled = readableFlow(parseFlow(JSON.stringify(chain(4, 'Second')), 'triage.flow.json')) as ReadableFlow;
    const after = graphView(titled, before);
    expect(after.nodes.map((node, index) => node === before.nodes[index])).toEqual([true, false, true, true]);
    expect(after.wires).toBe(before.wires);
  });

  it('keeps the wires after a removed one', () => {
    const before = view(chain(4));
    const cut = chain(4);
    const [first, ...others] = cut.nodes;
    const readable = readableFlow(parseFlow(JSON.stringify({ ...cut, nodes: [{ ...first, to: 'Elsewhere' }, ...others] }), 'x.flow.json'));
    const after = graphView(readable as ReadableFlow, before);
    expect(after.wires).toEqual(before.wires.slice(1));
    expect(after.wires.every((wire) => before.wires.includes(wire))).toBe(true);
  });
});
