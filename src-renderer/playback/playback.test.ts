import { afterEach, describe, expect, it } from 'vitest';
import { endPlayback, type Playback, playbackStore, playOn, showFiring, startPlayback, togglePlaying } from '#renderer/stores/playback.ts';
import { type FlowGraph, type GraphNode, type GraphNodeKind, nodeIdOf } from '#shared/flow/graph.ts';
import { defaultLimits } from '#shared/flow/limits.ts';
import type { ProblemCode } from '#shared/flow/problem.ts';
import { analyse } from '#shared/flow/soundness/analyse.ts';
import { playTrace } from '#shared/flow/soundness/play-trace.ts';
import { playbackMarks } from './playback-marks.ts';
import { playbackTitle, playbackWords } from './playback-words.ts';

type Sketch = readonly [kind: GraphNodeKind, from: string, to: string];

/** The first counterexample of some kind that the proof finds in a flow from A to Z. */
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
  const problem = analyse(graph).problems.find((one) => code === undefined || one.code === code);
  const played = problem?.trace && playTrace(graph, problem.trace);
  if (!problem || !played) throw new Error('This flow is sound.');
  return { path: 't.flow.yaml', text: '', problem, played, running: true };
}

const titles = (id: string) => id.toLowerCase();
const lastWords = (playback: Omit<Playback, 'at'>) => playbackWords({ ...playback, at: playback.played.steps.length }, titles);

const deadlock: readonly Sketch[] = [
  ['fork', 'A', 'B C'],
  ['either', 'B', 'D E'],
  ['either', 'C', 'F G'],
  ['join', 'D F', 'Z'],
  ['join', 'E G', 'Z'],
];

describe('what the canvas shows of a counterexample', () => {
  it('moves the tokens with each firing', () => {
    const playback = counterexample(deadlock);
    const at = (step: number) => playbackMarks({ ...playback, at: step });
    expect(Object.keys(at(0).tokens)).toEqual(['A']);
    expect(at(0).nodes).toEqual({ A: { status: 'next', count: 0, badge: 'next' } });
    expect(at(1).tokens).toEqual({ B: { preview: '', fresh: true }, C: { preview: '', fresh: true } });
    expect(at(1).nodes).toMatchObject({ A: { status: 'ran', count: 1 }, B: { status: 'next' } });
  });

  it('marks at the end who is stuck and what is never taken', () => {
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

describe('the words of a counterexample', () => {
  it('say of each firing what it consumes and produces', () => {
    const playback = counterexample(deadlock);
    const words = (at: number) => playbackWords({ ...playback, at }, titles);
    expect(words(0)).toBe('The flow begins: A waits.');
    expect(words(1)).toBe('Step 1 of 3: “a” splits A into B and C.');
    expect(words(2)).toBe('Step 2 of 3: “b” consumes B and takes the branch D.');
  });

  it('say which join waits for what', () => {
    expect(lastWords(counterexample(deadlock))).toBe(
      'Step 3 of 3: “c” consumes C and takes the branch G. “d+f” has D and waits for F, which nothing that is left can produce. ' +
        '“e+g” has G and waits for E, which nothing that is left can produce. Nothing else can run, and Z is never reached.',
    );
  });

  it('say what is left behind', () => {
    const playback = counterexample([
      ['fork', 'A', 'B C'],
      ['work', 'B', 'Z'],
      ['work', 'C', 'D'],
      ['join', 'D E', 'F'],
      ['work', 'F', 'E'],
    ]);
    expect(playbackTitle(playback)).toBe('How something is left behind');
    expect(lastWords(playback)).toMatch(/Z is there and the run ends, while C still waits: it is left behind\.$/);
  });

  it('say what would be there twice', () => {
    const twice: readonly Sketch[] = [
      ['fork', 'A', 'B C'],
      ['work', 'B', 'D'],
      ['work', 'C', 'D'],
      ['work', 'D', 'Z'],
    ];
    expect(lastWords(counterexample(twice, 'state_collision'))).toMatch(
      /“[bc]” consumes [BC] and produces D\. That would be a second D while one still waits: the run fails here\.$/,
    );
  });

  it('say once inside of which each node it happens', () => {
    const playback = counterexample(deadlock);
    const outer = (name: string) => `Items::${name}`;
    const [step] = playback.played.steps;
    if (!step) throw new Error('There is no step.');
    const first = { ...step, node: outer(step.node), consumed: step.consumed.map(outer), produced: step.produced.map(outer) };
    const played = { ...playback.played, inside: 'Items', steps: [first, ...playback.played.steps.slice(1)] };
    expect(playbackWords({ ...playback, played, at: 1 }, (id) => id)).toBe(
      'In the flow of “Items”: Step 1 of 3: “A” splits A into B and C.',
    );
  });

  it('say where one can only go round', () => {
    const playback = counterexample([
      ['either', 'A', 'B Z'],
      ['work', 'B', 'C'],
      ['work', 'C', 'B'],
    ]);
    expect(lastWords(playback)).toBe(
      'Step 1 of 1: “a” consumes A and takes the branch B. “b” can still run, but no way leads from here to Z.',
    );
  });
});

describe('playing', () => {
  afterEach(endPlayback);
  const now = () => playbackStore.getState().playback;

  it('goes on by itself, stops at the end, and begins anew from there', () => {
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

  it('stays where somebody has put it', () => {
    startPlayback(counterexample(deadlock));
    showFiring(2);
    expect(now()).toMatchObject({ at: 2, running: false });
    showFiring(99);
    expect(now()?.at).toBe(3);
    showFiring(-1);
    expect(now()?.at).toBe(0);
  });
});
