import { type NodeMark, type RunMarks, type TokenMark, withStatesInside } from '#renderer/runs/model/run-marks.ts';
import { drawnNode } from '#shared/run/node-id.ts';
import type { Playback } from './playback.ts';
import { texts } from './texts.ts';

/** The marks of a counterexample on the canvas: nodes that have run, tokens, the next node and, at the end, the fault. */
export function playbackMarks({ played, problem, at }: Playback): RunMarks {
  const nodes: Record<string, NodeMark> = {};
  const mark = (id: string, status: NodeMark['status'], badge?: string) => {
    const node = drawnNode(id);
    nodes[node] = { ...nodes[node], status, count: nodes[node]?.count ?? 0, ...(badge && { badge }) };
  };
  for (const { node } of played.steps.slice(0, at)) {
    const drawn = drawnNode(node);
    nodes[drawn] = { status: 'ran', count: (nodes[drawn]?.count ?? 0) + 1 };
  }
  const next = played.steps[at];
  if (next) mark(next.node, 'next', texts.badges.next);
  else for (const [node, badge] of wrongNodes({ played, problem })) mark(node, 'failed', badge);

  const marking = at === 0 ? [played.input] : (played.steps[at - 1]?.marking ?? []);
  const fresh: readonly string[] = at === 0 ? [] : (played.steps[at - 1]?.produced ?? []);
  const wrong = next ? new Set<string>() : wrongStates({ played, problem });
  const tokens: Record<string, TokenMark> = {};
  for (const state of marking) {
    tokens[state] = { preview: '', fresh: fresh.includes(state), ...(wrong.has(state) && { wrong: true }) };
  }
  return { nodes: withStatesInside(nodes, marking), tokens };
}

type Ending = Pick<Playback, 'played' | 'problem'>;

/** The nodes that show the fault at the end, each with a badge. */
function wrongNodes({ played, problem }: Ending): readonly (readonly [node: string, badge: string])[] {
  const last = played.steps.at(-1);
  switch (problem.code) {
    case 'state_collision':
      return last ? [[last.node, texts.badges.fails]] : [];
    case 'improper_completion':
      return played.left.flatMap(({ state, node }) =>
        node === null || state === played.output ? [] : [[node, texts.badges.unused] as const],
      );
    case 'dead_node':
      return problem.nodes.map((node) => [node, texts.badges.neverRuns]);
    default:
      return played.left.flatMap(({ node }) =>
        node === null ? [] : [[node, played.able.includes(node) ? texts.badges.noWayOut : texts.badges.stuck] as const],
      );
  }
}

function wrongStates({ played, problem }: Ending): ReadonlySet<string> {
  if (problem.code === 'state_collision') return new Set(played.collision === null ? [] : [played.collision]);
  return new Set(played.left.flatMap(({ state }) => (state === played.output ? [] : [state])));
}
