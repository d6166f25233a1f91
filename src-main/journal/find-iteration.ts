import { z } from 'zod';
import { sameValue } from '#shared/value-changes.ts';
import { prepared } from './database.ts';
import { type IterationSubject, isWithin, within } from './iterations.ts';
import type { Journal } from './journal.ts';
import { checked, type RunRow } from './rows.ts';

/** Which iteration of a node is searched for. */
export type WhichIteration = 'first_failed' | 'slowest' | 'first_different';

/** A run in its journal. */
export interface RunIn {
  readonly journal: Journal;
  readonly row: RunRow;
}

const stepSchema = z.object({ ended: z.int(), duration_ms: z.number(), produced_values: z.string() });
const seqSchema = z.object({ seq: z.int().nullable() });

const isEnd = "type = 'transition' AND (phase IS NULL OR produced <> '[]')";
const selectSteps = `SELECT node = ? AND ${isEnd} AS ended, duration_ms, produced_values
  FROM steps WHERE run = ? AND ${isWithin} ORDER BY seq`;
const countEnds = `SELECT count(*) AS seq FROM steps WHERE run = ? AND node = ? AND seq < ? AND ${isEnd}`;
const selectFailed = 'SELECT seq, error FROM failures WHERE run = ? ORDER BY seq, attempt';
const failureSchema = z.object({ seq: z.int(), error: z.string() });

/**
 * Returns the number of an iteration of a node, from 1: the first one with a failed attempt, the slowest one, or the first one whose output differs from that
 * of the one before, or with `other` from the one of the same number in that run. Null if there is none. Reads the records of the node without events.
 */
export function findIteration(run: RunIn, subject: IterationSubject, which: WhichIteration, other?: RunIn): number | null {
  if (which === 'first_failed') return firstFailed(run, subject);
  const ended = endedIterations(run, subject);
  if (which === 'slowest') {
    const longest = Math.max(...ended.map(({ duration_ms }) => duration_ms));
    return ended.length === 0 ? null : ended.findIndex(({ duration_ms }) => duration_ms === longest) + 1;
  }
  const others = other ? endedIterations(other, subject) : null;
  for (const [index, { output }] of ended.entries()) {
    const [former, from] = others ? [others[index], other as RunIn] : [ended[index - 1], run];
    if (!former && (others || index > 0)) return index + 1;
    if (former && former.output !== output && !isSame(run, output, from, former.output)) return index + 1;
  }
  return others && others.length > ended.length ? ended.length + 1 : null;
}

interface Ended {
  readonly duration_ms: number;
  /** The values that it produced, as they are stored. */
  readonly output: string;
}

/** What the finished iterations took and produced, in order. All that happens between two firings belongs to the later one. */
function endedIterations({ journal, row }: RunIn, subject: IterationSubject): Ended[] {
  const ended: Ended[] = [];
  let duration = 0;
  const { node } = subject;
  // The iterator must not be interleaved with other statements of this connection.
  const rows = journal.reading(() => prepared(journal.database, selectSteps).all(node, row.run, ...within(subject)));
  for (const raw of rows) {
    const step = checked(stepSchema, raw, journal.path);
    duration += step.duration_ms;
    if (step.ended !== 1) continue;
    ended.push({ duration_ms: duration, output: step.produced_values });
    duration = 0;
  }
  return ended;
}

/** Long values are stored in pieces, so that texts of equal values may differ. */
function isSame(one: RunIn, text: string, other: RunIn, otherText: string): boolean {
  return sameValue(one.journal.values.read(text), other.journal.values.read(otherText));
}

function firstFailed({ journal, row }: RunIn, { node, nested }: IterationSubject): number | null {
  const inside = (id: string) => id === node || id.startsWith(`${node}[`) || (nested && id.startsWith(`${node}::`));
  for (const raw of journal.reading(() => prepared(journal.database, selectFailed).all(row.run))) {
    const { seq, error } = checked(failureSchema, raw, journal.path);
    const failed = journal.values.readAs<{ node?: string | null }>(error).node;
    if (failed == null || !inside(failed)) continue;
    const finished = journal.reading(() => prepared(journal.database, countEnds).get(row.run, node, seq));
    return (checked(seqSchema, finished, journal.path).seq ?? 0) + 1;
  }
  return null;
}
