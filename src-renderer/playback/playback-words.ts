import type { Playback } from '#renderer/stores/playback.ts';
import { listed } from '#shared/flow/checks/report.ts';
import type { PlayedTrace } from '#shared/flow/soundness/played-trace.ts';

type Titles = (id: string) => string;

/** What the counterexample shows, in a few words. */
export function playbackTitle({ problem }: Pick<Playback, 'problem'>): string {
  switch (problem.code) {
    case 'deadlock_possible':
      return 'How it gets stuck';
    case 'improper_completion':
      return 'How something is left behind';
    case 'state_collision':
      return 'How a state comes twice';
    default:
      return 'Why a node never runs';
  }
}

/** What has just happened in a counterexample, in a sentence; at its end also what is wrong there. */
export function playbackWords(playback: Pick<Playback, 'played' | 'problem' | 'at'>, titles: Titles): string {
  const { inside } = playback.played;
  const words = wordsOf(playback, titles);
  // Inside the flow of an each node all names begin alike: said once.
  return inside === null ? words : `In the flow of “${titles(inside)}”: ${words.replaceAll(`${inside}::`, '')}`;
}

function wordsOf({ played, problem, at }: Pick<Playback, 'played' | 'problem' | 'at'>, titles: Titles): string {
  const happened = at === 0 ? `The flow begins: ${played.input} waits.` : firingWords(played, at, titles);
  return at < played.steps.length ? happened : `${happened} ${endWords(problem, played, titles)}`;
}

function firingWords(played: PlayedTrace, at: number, titles: Titles): string {
  const step = played.steps[at - 1];
  if (!step) return '';
  const number = `Step ${at} of ${played.steps.length}:`;
  const consumed = listed(step.consumed);
  const produced = listed(step.produced);
  const title = `“${titles(step.node)}”`;
  if (step.kind === 'either') return `${number} ${title} consumes ${consumed} and takes the branch ${produced}.`;
  if (step.kind === 'fork') return `${number} ${title} splits ${consumed} into ${produced}.`;
  if (step.kind === 'join') return `${number} ${title} joins ${consumed} into ${produced}.`;
  return `${number} ${title} consumes ${consumed} and produces ${produced}.`;
}

/** What is wrong at the end. */
function endWords(problem: Playback['problem'], played: PlayedTrace, titles: Titles): string {
  const left = played.left.map(({ state }) => state).filter((state) => state !== played.output);
  const wait = left.length === 1 ? 'waits' : 'wait';
  switch (problem.code) {
    case 'state_collision':
      return `That would be a second ${played.collision} while one still waits: the run fails here.`;
    case 'improper_completion':
      return `${played.output} is there and the run ends, while ${listed(left)} still ${wait}: it is left behind.`;
    case 'dead_node':
      return `${waitingWords(played, titles)} “${titles(problem.nodes[0] ?? '')}” has not run, and no other run comes to it either.`.trimStart();
    default:
      return played.able.length > 0
        ? `${listed(played.able.map((node) => `“${titles(node)}”`))} can still run, but no way leads from here to ${played.output}.`
        : `${waitingWords(played, titles)} Nothing else can run, and ${played.output} is never reached.`.trimStart();
  }
}

/** Who waits for what. */
function waitingWords({ left, able, output }: PlayedTrace, titles: Titles): string {
  const byNode = new Map<string, { have: string[]; missing: readonly string[] }>();
  for (const { state, node, missing } of left) {
    if (node === null || able.includes(node) || state === output) continue;
    const known = byNode.get(node);
    if (known) known.have.push(state);
    else byNode.set(node, { have: [state], missing });
  }
  return [...byNode]
    .map(([node, { have, missing }]) =>
      missing.length > 0
        ? `“${titles(node)}” has ${listed(have)} and waits for ${listed(missing)}, which nothing that is left can produce.`
        : `“${titles(node)}” cannot take ${listed(have)}: what it produces would be there twice.`,
    )
    .join(' ');
}
