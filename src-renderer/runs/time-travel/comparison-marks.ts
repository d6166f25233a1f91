import type { RunMarks } from '#renderer/runs/model/run-marks.ts';
import type { ComparedStep } from '#shared/contract/time-travel.ts';
import { drawnNode } from '#shared/run/node-id.ts';
import { texts } from './texts.ts';

interface Tally {
  both: number;
  here: number;
  there: number;
  differs: number;
}

/** The marks of a run with the comparison of each node: that it ran in only one of the runs, or differs. */
export function withComparison(marks: RunMarks, lines: Iterable<ComparedStep>): RunMarks {
  const tallies = new Map<string, Tally>();
  for (const { node, seq, other_seq, differs } of lines) {
    const drawn = drawnNode(node);
    const tally = tallies.get(drawn) ?? { both: 0, here: 0, there: 0, differs: 0 };
    if (other_seq === null) tally.here += 1;
    else if (seq === null) tally.there += 1;
    else tally.both += 1;
    if (differs.length > 0) tally.differs += 1;
    tallies.set(drawn, tally);
  }
  const nodes = { ...marks.nodes };
  for (const [node, tally] of tallies) {
    const badge = badgeOf(tally);
    if (badge) nodes[node] = { ...(nodes[node] ?? { status: 'ran', count: 0 }), badge, differs: true };
  }
  return { ...marks, nodes };
}

function badgeOf({ both, here, there, differs }: Tally): string | null {
  if (both === 0 && there === 0) return texts.compare.badges.here;
  if (both === 0 && here === 0) return texts.compare.badges.there;
  return differs > 0 ? texts.compare.badges.differs : null;
}
