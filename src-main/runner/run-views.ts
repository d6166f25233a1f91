import { readableFailure } from '#main/debug/readable-failure.ts';
import { errorOf, type Journal, type RunFilter } from '#main/journal/journal.ts';
import { leaseHolder } from '#main/journal/lease.ts';
import { checked, type RunRow, readNames, suspensionListSchema, type TimelineRow, type WrittenState } from '#main/journal/rows.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import { countMarks, readMark } from '#main/journal/supplied-marks.ts';
import type { RunDetail, RunStatus, RunSummary, StateAt, StateEntry, TimelineEntry, TimelinePage } from '#shared/contract/runs.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { nextNode } from '#shared/flow/next-node.ts';
import { runNodeTitle } from '#shared/flow/run-node-title.ts';
import type { Message } from '#shared/run/message.ts';
import { restingStatus } from './drive-result.ts';
import { framesInProgress, innerTitles } from './inner-nodes.ts';

/** Read-only views of runs in a journal, for the studio and the command line. */

/** Number of timeline rows included in a run's detail. */
const timelineTail = 500;

/** Returns the status to display: a run whose executor died is shown as paused or suspended. */
export function statusOf(row: RunRow, now: number): RunStatus {
  return row.status === 'running' && leaseHolder(row, now) ? 'running' : restingStatus(row);
}

export function summaryOf(journal: Journal, row: RunRow, now: number): RunSummary {
  const supplied = journal.reading(() => countMarks(journal.database, row.run));
  return {
    run_id: row.run_id,
    flow_path: row.flow_path,
    flow_name: row.flow_name,
    status: statusOf(row, now),
    seq: row.last_seq,
    created_at: row.created_at,
    updated_at: row.updated_at,
    error: readableErrorOf(journal, row),
    suspensions: suspensionsOf(journal, row),
    tokens: row.tokens,
    forked_from: journal.runOriginOf(row),
    read_only: journal.readonly,
    ...(supplied > 0 && { supplied }),
  };
}

/** The failure of a run, with titles in the place of ids. */
function readableErrorOf(journal: Journal, row: RunRow): RunSummary['error'] {
  const error = errorOf(journal, row);
  return error && readableFailure(journal.graphOf(row), error);
}

/** Returns a run's pending questions with their nodes' titles, for readers without the flow. */
function suspensionsOf(journal: Journal, row: RunRow): RunSummary['suspensions'] {
  const waiting = checked(suspensionListSchema, journal.values.read(row.suspensions), journal.path);
  return waiting.map((suspension) => ({ ...suspension, title: titleOf(journal, row, suspension.node) }));
}

/** Titles by run and node. They never change, but reading them needs the graph, and summaries are created at every change. */
const titles = new WeakMap<Journal, Map<string, string>>();
const titlesKept = 1000;

function titleOf(journal: Journal, row: RunRow, node: string): string {
  const known = titles.get(journal) ?? new Map<string, string>();
  titles.set(journal, known);
  const key = `${row.run_id} ${node}`;
  const title = known.get(key) ?? runNodeTitle(journal.graphOf(row), node);
  if (known.size >= titlesKept) known.clear();
  known.set(key, title);
  return title;
}

/** Returns the newest runs of several journals, newest first. */
export function listRuns(journals: readonly Journal[], filter: RunFilter, now: number): RunSummary[] {
  return journals
    .flatMap((journal) => journal.rows(filter).map((row) => summaryOf(journal, row, now)))
    .sort((one, other) => other.created_at - one.created_at || (other.run_id < one.run_id ? -1 : 1))
    .slice(0, filter.limit);
}

export function detailOf(journal: Journal, runId: string, now: number): RunDetail {
  const row = journal.row(runId);
  const reader = new RunReader(journal, row);
  const { control } = reader.foldAt(row.last_seq);
  return {
    ...summaryOf(journal, row, now),
    flow_text: journal.flowTextOf(row),
    input: journal.inputOf(row),
    output: row.output === null ? null : journal.values.read(row.output),
    timeline: pageOf(journal, reader, Math.max(1, row.last_seq - timelineTail + 1), timelineTail),
    current: stateAt(journal, runId, row.last_seq),
    titles: innerTitles(journal.graphOf(row)),
    agents: Object.fromEntries(Object.entries(control.agents).map(([node, { phase, turn }]) => [node, { phase, turn }])),
    conversations: reader.conversations(),
  };
}

/** Returns at most `limit` rows of a run's timeline from record `from` on. */
export function timelineOf(journal: Journal, runId: string, from: number, limit: number): TimelinePage {
  return pageOf(journal, new RunReader(journal, journal.row(runId)), from, limit);
}

/** Returns the state map after record `seq` (0: the run's start), with the writer of each state and what the record consumed. */
export function stateAt(journal: Journal, runId: string, seq: number): StateAt {
  const row = journal.row(runId);
  const reader = new RunReader(journal, row);
  const after = reader.foldAt(seq);
  const before = seq > 0 ? reader.foldAt(seq - 1) : null;
  const step = reader.step(seq);
  const consumed = step?.consumed ?? [];
  const isOver = seq === row.last_seq && ['success', 'cancelled'].includes(row.status);
  const waits = after.control.suspensions.length > 0;
  return {
    seq,
    node: step?.node ?? null,
    states: [...after.states.values()].map((state) => withPrevious(state, before?.states.get(state.name), seq)),
    consumed: consumed.flatMap((name) => before?.states.get(name) ?? []),
    next: isOver || waits ? null : nextOf(journal.graphOf(row), after.states),
    tallies: reader.nodeStats(seq),
    items: Object.keys(after.control.frames).length > 0 ? framesInProgress(journal.graphOf(row), after.control.frames, after.states) : [],
  };
}

/** Returns an agent's messages up to record `seq` (default: all). */
export function conversation(journal: Journal, runId: string, node: string, seq?: number): Message[] {
  return new RunReader(journal, journal.row(runId)).conversation(node, seq);
}

function nextOf(graph: FlowGraph, states: ReadonlyMap<string, WrittenState>): string | null {
  return nextNode(graph, states.keys())?.id ?? null;
}

function withPrevious(state: WrittenState, previous: WrittenState | undefined, seq: number): StateEntry {
  return state.written_at === seq && previous && seq > 0 ? { ...state, previous: previous.value } : { ...state };
}

function pageOf(journal: Journal, reader: RunReader, from: number, limit: number): TimelinePage {
  const entries = reader.timeline(from, limit).map((row) => timelineEntry(row, journal.path));
  return { total: reader.row.last_seq, from, entries };
}

function timelineEntry(row: TimelineRow, path: string): TimelineEntry {
  const { phase, turn, consumed, produced, supplied, mocked, ...rest } = row;
  return {
    ...rest,
    ...(phase && { phase }),
    ...(turn !== null && { turn }),
    consumed: readNames(consumed, path),
    produced: readNames(produced, path),
    ...(supplied !== null && { supplied: readMark(supplied, path) }),
    ...(mocked > 0 && { mocked }),
  };
}
