import { z } from 'zod';
import { prepared } from '#main/journal/database.ts';
import { IterationReader, type IterationSubject, isWithin, within } from '#main/journal/iterations.ts';
import type { Journal } from '#main/journal/journal.ts';
import { nodeStatsBetween } from '#main/journal/node-stats.ts';
import { checked, type RunRow } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { FoldedRun } from '#main/journal/state-fold.ts';
import type { Iteration, IterationDetail, IterationPage } from '#shared/contract/iterations.ts';
import type { NodeTally } from '#shared/contract/node-tally.ts';
import type { NamedState } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';
import { enclosingFrame, enclosingFrameKey } from '#shared/run/node-id.ts';
import { valueInFrame } from './inner-nodes.ts';

interface Subject extends IterationSubject {
  readonly run_id: string;
}

/** Log lines and records with events that are read at most. */
const linesShown = 100;
const recordsWithEvents = 500;
/** Characters of a log line that are shown. */
const lineLength = 2000;

/** Returns iterations of a node, from number `from` on. Throws `NotFound` for a run that does not exist. */
export function iterationsOf(
  journal: Journal,
  { from, limit, ...subject }: Subject & { readonly from: number; readonly limit: number },
): IterationPage {
  return open(journal, subject).iterations.page(from, limit);
}

/** Returns iteration number `index` with its values and log; without `index`, the last one that had begun at record `seq`. */
export function iterationOf(
  journal: Journal,
  { index, seq, ...subject }: Subject & { readonly index?: number | undefined; readonly seq?: number | undefined },
): { total: number; iteration: IterationDetail | null } {
  const { iterations, reader, now } = open(journal, subject);
  const total = iterations.total();
  const number = index ?? (seq === undefined || seq >= now.seq ? total : iterations.indexAt(seq));
  const first = Math.max(1, number - 1);
  const shown = number === 0 ? [] : iterations.page(first, number - first + 1).iterations;
  const iteration = shown.find((candidate) => candidate.index === number);
  if (!iteration) return { total, iteration: null };
  const before = shown.find((candidate) => candidate.index === number - 1);
  const log = logOf(journal, reader.row, subject, iteration);
  return {
    total,
    iteration: {
      ...iteration,
      input: inputOf(reader, subject.node, iteration),
      output: iteration.status === 'done' ? outputOf(reader, subject, iteration) : [],
      previous_output: before ? outputOf(reader, subject, before) : null,
      log: log.slice(0, linesShown),
      log_cut: log.length > linesShown,
      ...modelsOf(journal, reader.row, subject, iteration),
      ...suppliedOf(journal, reader.row, subject, iteration),
    },
  };
}

const agentSchema = z.object({ node: z.string() });
const recordSchema = z.object({ seq: z.int(), node: z.string() });
/** Agents of a stretch that are listed. */
const mostAgents = 1000;
const selectAgents = `SELECT node FROM steps WHERE run = ? AND seq >= ? AND seq <= ? AND phase = 'reason'
  GROUP BY node ORDER BY min(seq) LIMIT ${mostAgents}`;
const selectLastInside = 'SELECT seq, node FROM steps WHERE run = ? AND seq <= ? AND node >= ? AND node < ? ORDER BY seq DESC LIMIT 1';

interface Stretch {
  readonly run_id: string;
  readonly from_seq: number;
  readonly to_seq: number;
  readonly inside?: string | undefined;
}

/** Returns the statistics of a stretch of a run, in its own flow or in the frame `inside`, and the agents that asked a model in it. Throws `NotFound`. */
export function ranBetween(
  journal: Journal,
  { run_id, from_seq, to_seq, inside }: Stretch,
): { tallies: Record<string, NodeTally>; agents: string[] } {
  const { run } = journal.row(run_id);
  return journal.reading(() => ({
    tallies: nodeStatsBetween(journal.database, journal.path, run, { from: from_seq, to: to_seq, inside }),
    agents: prepared(journal.database, selectAgents)
      .all(run, from_seq, to_seq)
      .map((raw) => checked(agentSchema, raw, journal.path).node),
  }));
}

/** Returns the last record up to `to_seq` of a node whose id begins with a text; null if there is none. Throws `NotFound`. */
export function lastInside(
  journal: Journal,
  { run_id, begins_with, to_seq }: { readonly run_id: string; readonly begins_with: string; readonly to_seq: number },
): { seq: number; node: string } | null {
  const { run } = journal.row(run_id);
  const found = journal.reading(() =>
    prepared(journal.database, selectLastInside).get(run, to_seq, begins_with, `${begins_with}\u{10ffff}`),
  );
  return found === undefined ? null : checked(recordSchema, found, journal.path);
}

function open(journal: Journal, { run_id, ...subject }: Subject) {
  const row = journal.row(run_id);
  const reader = new RunReader(journal, row);
  const now = reader.foldAt(row.last_seq);
  return { reader, now, iterations: new IterationReader(journal, row, subject, now.control) };
}

function inputOf(reader: RunReader, node: string, { from_seq }: Iteration): NamedState[] {
  const before = reader.foldAt(Math.min(from_seq, reader.row.last_seq + 1) - 1);
  const frame = enclosingFrame(node);
  const own = node.slice(node.lastIndexOf(']::') + (frame ? 3 : 1));
  return own.split('+').flatMap((name) => {
    const value = frame ? valueInFrame(before.control.frames, before.states, node, name) : before.states.get(name)?.value;
    return value === undefined ? [] : [{ name, value }];
  });
}

function outputOf(reader: RunReader, { node, nested }: IterationSubject, { to_seq }: Iteration): NamedState[] {
  const frame = enclosingFrameKey(node);
  if (frame === null) {
    const produced = reader.step(to_seq)?.produced ?? [];
    return nested ? produced.filter(({ name }) => !name.startsWith(`${node}::`)) : [...produced];
  }
  return outputInside(reader.foldAt(to_seq - 1), reader.foldAt(to_seq), frame);
}

/** What a record inside a frame wrote: new states of the frame, or its result when it finished. */
function outputInside(before: FoldedRun, after: FoldedRun, key: string): NamedState[] {
  const [was, now] = [before.control.frames[key], after.control.frames[key]];
  if (!now) return [];
  if (now.index !== (was?.index ?? 0)) {
    const value = now.results.at(-1)?.at(-1);
    return value === undefined ? [] : [{ name: '', value }];
  }
  const known = new Set(was?.states.map(({ value }) => value));
  const names = new Set(was?.states.map(({ name }) => name));
  return now.states.filter(({ name, value }) => !names.has(name) || !known.has(value));
}

const eventsSchema = z.object({ seq: z.int(), events: z.string() });
const selectLogged = `SELECT seq, events FROM steps WHERE run = ? AND seq >= ? AND seq <= ? AND events <> '[]' AND ${isWithin}
  ORDER BY seq LIMIT ${recordsWithEvents}`;
const selectFailed = 'SELECT seq, events FROM failures WHERE run = ? AND seq = ? ORDER BY attempt DESC LIMIT 1';

function logOf(journal: Journal, row: RunRow, subject: IterationSubject, { from_seq, to_seq, status }: Iteration): IterationDetail['log'] {
  const rows = journal.reading(() => [
    ...prepared(journal.database, selectLogged).all(row.run, from_seq, to_seq, ...within(subject)),
    ...(status === 'failed' ? prepared(journal.database, selectFailed).all(row.run, to_seq) : []),
  ]);
  const log: IterationDetail['log'] = [];
  for (const raw of rows) {
    const { seq, events } = checked(eventsSchema, raw, journal.path);
    for (const event of journal.values.readAs<RunEvent[]>(events)) {
      if (event.type === 'log') log.push({ seq, level: event.level, text: event.values.map(textOf).join(' ').slice(0, lineLength) });
      if (log.length > linesShown) return log;
    }
  }
  return log;
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const calledSchema = z.object({ name: z.string(), calls: z.int() });
const selectModels = `SELECT name, count(DISTINCT seq) AS calls FROM effects
  WHERE run = ? AND seq >= ? AND seq <= ? AND kind = 'model' AND ${isWithin} GROUP BY name`;

function modelsOf(journal: Journal, row: RunRow, subject: IterationSubject, { from_seq, to_seq }: Iteration) {
  const rows = journal.reading(() => prepared(journal.database, selectModels).all(row.run, from_seq, to_seq, ...within(subject)));
  const called = rows.map((raw) => checked(calledSchema, raw, journal.path));
  return { models: called.map(({ name }) => name), turns: called.reduce((sum, { calls }) => sum + calls, 0) };
}

const marksSchema = z.object({ pins: z.int(), mocks: z.int() });
const selectMarks = `SELECT count(*) FILTER (WHERE key = '') AS pins, count(*) FILTER (WHERE key <> '') AS mocks
  FROM (SELECT DISTINCT supplied.seq, key FROM supplied JOIN steps ON steps.run = supplied.run AND steps.seq = supplied.seq
    WHERE supplied.run = ? AND supplied.seq >= ? AND supplied.seq <= ? AND ${isWithin})`;

function suppliedOf(journal: Journal, row: RunRow, subject: IterationSubject, { from_seq, to_seq }: Iteration) {
  const raw = journal.reading(() => prepared(journal.database, selectMarks).get(row.run, from_seq, to_seq, ...within(subject)));
  const { pins, mocks } = checked(marksSchema, raw, journal.path);
  return { pinned: pins > 0, mocked: mocks };
}
