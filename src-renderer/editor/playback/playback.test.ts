import { afterEach, describe, expect, it } from 'vitest';
import type { GraphNodeKind } from '#shared/flow/document.ts';
import { type FlowGraph, type GraphNode, nodeIdOf } from '#shared/flow/graph.ts';
import { defaultLimits } from '#shared/flow/limits.ts';
import type { ProblemCode } from '#shared/flow/problem.ts';
import { analyse } from '#shared/flow/soundness/analyse.ts';
import { playTrace } from '#shared/flow/soundness/play-trace.ts';
import { describePlayback, playbackTitle } from './describe-playback.ts';
import { endPlayback, type Playback, playbackStore, playOn, showFiring, startPlayback, togglePlaying } from './playback.ts';
import { playbackMarks } from './playback-marks.ts';

type Sketch = readonly [kind: GraphNodeKind, from: string, to: string];

/** The first counterexample, of the given kind if any, that the proof finds in a flow from A to Z. */
function counterexample(sketches: readonly Sketch[], code?: ProblemCode): Omit<Playback, 'at'> {
  const nodes = sketches.map(
    ([kind, from, to], index): GraphNode => ({
      id: nodeIdOf(from.split(' ')),
      kind,
      from: from.split(' '),
      to: to.split(' '),
      body: { type: 'default' },
      path: `/nodes/${index}`,
    }),
  );
  const graph: FlowGraph = { name: 'T', input: 'A', output: 'Z', schemas: {}, nodes, limits: defaultLimits, hash: '' };
  const problem = analyse(graph).problems.find((candidate) => code === undefined || candidate.code === code);
  const played = problem?.trace && playTrace(graph, problem.trace);
  if (!problem || !played) throw new Error('This flow is sound.');
  return { path: 't.flow.yaml', text: '', problem, played, running: true };
}

const titles = (id: string) => id.toLowerCase();
const lastSentence = (playback: Omit<Playback, 'at'>) => describePlayback({ ...playback, at: playback.played.steps.length }, titles);

const deadlock: readonly Sketch[] = [
  ['fork', 'A', 'B C'],
  ['either', 'B', 'D E'],
  ['either', 'C', 'F G'],
  ['join', 'D F', 'Z'],
  ['join', 'E G', 'Z'],
];

describe('playbackMarks', () => {
  it('moves the tokens with each step', () => {
    const playback = counterexample(deadlock);
    const at = (step: number) => playbackMarks({ ...playback, at: step });
    expect(Object.keys(at(0).tokens)).toEqual(['A']);
    expect(at(0).nodes).toEqual({ A: { status: 'next', count: 0, badge: 'next' } });
    expect(at(1).tokens).toEqual({ B: { preview: '', fresh: true }, C: { preview: '', fresh: true } });
    expect(at(1).nodes).toMatchObject({ A: { status: 'ran', count: 1 }, B: { status: 'next' } });
  });

  it('marks stuck nodes and unused tokens at the end', () => {
    const playback = counterexample(deadlock);
    const { nodes, tokens } = playbackMarks({ ...playback, at: 3 });
    expect(nodes['D+F']).toMatchObject({ status: 'failed', badge: 'stuck' });
    expect(nodes['E+G']).toMatchObject({ status: 'failed', badge: 'stuck' });
    expect(tokens).toEqual({ D: { preview: '', fresh: false, wrong: true }, G: { preview: '', fresh: true, wrong: true } });
  });

  it('shows states inside a nested flow on its card', () => {
    const playback = counterexample([
      ['fork', 'A', 'A::B A::C'],
      ['work', 'A::B', 'Z'],
      ['join', 'A::C A::D', 'Z'],
    ]);
    const { nodes } = playbackMarks({ ...playback, at: 1 });
    expect(Object.keys(nodes)).toEqual(['A']);
    expect(nodes.A).toMatchObject({ status: 'next', detail: 'inside: B, C' });
  });
});

describe('describePlayback', () => {
  it('describes what each step consumes and produces', () => {
    const playback = counterexample(deadlock);
    const sentence = (at: number) => describePlayback({ ...playback, at }, titles);
    expect(sentence(0)).toBe('The flow starts: A waits.');
    expect(sentence(1)).toBe('Step 1 of 3: “a” splits A into B and C.');
    expect(sentence(2)).toBe('Step 2 of 3: “b” consumes B and takes the branch D.');
  });

  it('describes which join waits for which state', () => {
    expect(lastSentence(counterexample(deadlock))).toBe(
      'Step 3 of 3: “c” consumes C and takes the branch G. “d+f” has D and waits for F, which no remaining node can produce. ' +
        '“e+g” has G and waits for E, which no remaining node can produce. Nothing else can run, and Z is never reached.',
    );
  });

  it('names the state that is left unused', () => {
    const playback = counterexample([
      ['fork', 'A', 'B C'],
      ['work', 'B', 'Z'],
      ['work', 'C', 'D'],
      ['join', 'D E', 'F'],
      ['work', 'F', 'E'],
    ]);
    expect(playbackTitle(playback)).toBe('How a state is left unused');
    expect(lastSentence(playback)).toMatch(/Z is produced and the run ends while C is unused\.$/);
  });

  it('names the state that would be produced twice', () => {
    const twice: readonly Sketch[] = [
      ['fork', 'A', 'B C'],
      ['work', 'B', 'D'],
      ['work', 'C', 'D'],
      ['work', 'D', 'Z'],
    ];
    expect(lastSentence(counterexample(twice, 'state_collision'))).toMatch(
      /“[bc]” consumes [BC] and produces D\. That would be a second D while one still waits: the run fails here\.$/,
    );
  });

  it('names the surrounding each node once', () => {
    const playback = counterexample(deadlock);
    const outer = (name: string) => `Items::${name}`;
    const [step] = playback.played.steps;
    if (!step) throw new Error('There is no step.');
    const first = { ...step, node: outer(step.node), consumed: step.consumed.map(outer), produced: step.produced.map(outer) };
    const played = { ...playback.played, inside: 'Items', steps: [first, ...playback.played.steps.slice(1)] };
    expect(describePlayback({ ...playback, played, at: 1 }, (id) => id)).toBe(
      'In the flow of “Items”: Step 1 of 3: “A” splits A into B and C.',
    );
  });

  it('describes a loop without a way out', () => {
    const playback = counterexample([
      ['either', 'A', 'B Z'],
      ['work', 'B', 'C'],
      ['work', 'C', 'B'],
    ]);
    expect(lastSentence(playback)).toBe(
      'Step 1 of 1: “a” consumes A and takes the branch B. “b” can still run, but no path leads from here to Z.',
    );
  });
});

describe('playback', () => {
  afterEach(endPlayback);
  const now = () => playbackStore.getState().playback;

  it('advances, stops at the end and restarts from there', () => {
    startPlayback(counterexample(deadlock));
    for (const at of [1, 2]) {
      playOn();
      expect(now()).toMatchObject({ at, running: true });
    }
    playOn();
    expect(now()).toMatchObject({ at: 3, running: false });
    togglePlaying();
    expect(now()).toMatchObject({ at: 0, running: true });
  });

  it('pauses at the step that the user selects', () => {
    startPlayback(counterexample(deadlock));
    showFiring(2);
    expect(now()).toMatchObject({ at: 2, running: false });
    showFiring(99);
    expect(now()?.at).toBe(3);
    showFiring(-1);
    expect(now()?.at).toBe(0);
  });
});
