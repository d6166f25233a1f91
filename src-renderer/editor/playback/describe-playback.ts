import { listed } from '#shared/flow/checks/report.ts';
import type { PlayedTrace } from '#shared/flow/soundness/played-trace.ts';
import type { Playback } from './playback.ts';
import { texts } from './texts.ts';

type Titles = (id: string) => string;

/** A short title for the counterexample. */
export function playbackTitle({ problem }: Pick<Playback, 'problem'>): string {
  switch (problem.code) {
    case 'deadlock_possible':
      return texts.titles.stuck;
    case 'improper_completion':
      return texts.titles.unused;
    case 'state_collision':
      return texts.titles.twice;
    default:
      return texts.titles.neverRuns;
  }
}

/** Describes the latest step of a counterexample and, at its end, the fault. */
export function describePlayback(playback: Pick<Playback, 'played' | 'problem' | 'at'>, titles: Titles): string {
  const { inside } = playback.played;
  const sentence = describeStep(playback, titles);
  // Inside the flow of an each node all names have the same prefix: show it once.
  return inside === null ? sentence : texts.inside(titles(inside), sentence.replaceAll(`${inside}::`, ''));
}

function describeStep({ played, problem, at }: Pick<Playback, 'played' | 'problem' | 'at'>, titles: Titles): string {
  const happened = at === 0 ? texts.start(played.input) : describeTransition(played, at, titles);
  return at < played.steps.length ? happened : `${happened} ${describeEnd(problem, played, titles)}`;
}

function describeTransition(played: PlayedTrace, at: number, titles: Titles): string {
  const step = played.steps[at - 1];
  if (!step) return '';
  const number = texts.stepNumber(at, played.steps.length);
  const consumed = listed(step.consumed);
  const produced = listed(step.produced);
  const title = `“${titles(step.node)}”`;
  if (step.kind === 'either') return `${number} ${texts.takesBranch(title, consumed, produced)}`;
  if (step.kind === 'fork') return `${number} ${texts.splits(title, consumed, produced)}`;
  if (step.kind === 'join') return `${number} ${texts.joins(title, consumed, produced)}`;
  return `${number} ${texts.produces(title, consumed, produced)}`;
}

/** Describes the fault at the end. */
function describeEnd(problem: Playback['problem'], played: PlayedTrace, titles: Titles): string {
  const left = played.left.map(({ state }) => state).filter((state) => state !== played.output);
  switch (problem.code) {
    case 'state_collision':
      return texts.collision(String(played.collision));
    case 'improper_completion':
      return texts.unused(played.output, listed(left), left.length);
    case 'dead_node':
      return `${describeWaiting(played, titles)} ${texts.neverRuns(titles(problem.nodes[0] ?? ''))}`.trimStart();
    default:
      return played.able.length > 0
        ? texts.noWayOut(listed(played.able.map((node) => `“${titles(node)}”`)), played.output)
        : `${describeWaiting(played, titles)} ${texts.deadEnd(played.output)}`.trimStart();
  }
}

/** Describes which nodes wait for which states. */
function describeWaiting({ left, able, output }: PlayedTrace, titles: Titles): string {
  const byNode = new Map<string, { have: string[]; missing: readonly string[] }>();
  for (const { state, node, missing } of left) {
    if (node === null || able.includes(node) || state === output) continue;
    const known = byNode.get(node);
    if (known) known.have.push(state);
    else byNode.set(node, { have: [state], missing });
  }
  return [...byNode]
    .map(([node, { have, missing }]) =>
      missing.length > 0 ? texts.waitsFor(titles(node), listed(have), listed(missing)) : texts.cannotConsume(titles(node), listed(have)),
    )
    .join(' ');
}
