import type { NodeTitles } from '#renderer/document/graph/node-titles.ts';
import type { RunView } from '#renderer/runs/model/run-fold.ts';
import { shortRunName } from '#renderer/runs/model/run-name.ts';
import { durationText } from '#renderer/ui/values/durations.ts';
import type { TimelineEntry } from '#shared/contract/runs.ts';
import { texts } from './texts.ts';

/** One line of the timeline, ready to be drawn. */
export interface TimelineRow {
  readonly seq: number;
  readonly type: 'start' | TimelineEntry['type'] | 'running' | 'failed' | 'unread';
  readonly node: string;
  readonly kind: string;
  readonly title: string;
  /** Where in an agent's turns it falls; empty outside of agents. */
  readonly part: string;
  /** What the step produced, or a note about it. */
  readonly produced: string;
  readonly duration: string;
  readonly tokens: string;
  /** True for the row that waits for a person now. */
  readonly waiting: boolean;
}

const number = new Intl.NumberFormat('en');

/** Number of lines: the start, each record, and the step that is running or has failed. */
export function rowCount(view: RunView): number {
  return 1 + view.seq + (view.activity || failedAtEnd(view) ? 1 : 0);
}

function failedAtEnd(view: RunView): boolean {
  return view.status === 'error' && view.error?.node != null;
}

/**
 * The line at a position, which is the number of its record. `entryOf` answers with null for a record that has not been read. Rows are made as they come
 * into sight, so that a hundred thousand cost nothing.
 */
export function rowAt(view: RunView, seq: number, entryOf: (seq: number) => TimelineEntry | null, titles: NodeTitles): TimelineRow {
  if (seq > view.seq) return lastRow(view, titles);
  const entry = seq === 0 ? null : entryOf(seq);
  if (seq === 0) return startRow(view, view.seq === 0 ? null : entryOf(1));
  if (!entry) return { ...blank, seq, type: 'unread' };
  const produced = `${entry.produced.join(', ') || entry.note}${suppliedNote(entry)}`;
  return {
    seq,
    type: entry.type,
    node: entry.node,
    kind: entry.kind,
    title: titles(entry.node),
    part: partOf(entry),
    produced: entry.type === 'resumed' ? entry.note || texts.timeline.answered : produced,
    duration: entry.type === 'transition' ? durationText(entry.duration_ms) : '–',
    tokens: entry.tokens > 0 ? number.format(entry.tokens) : '',
    waiting: entry.type === 'suspended' && view.status === 'suspended' && seq === view.seq,
  };
}

/** Says that a pin or mocks supplied something of a step. */
function suppliedNote({ supplied, mocked }: TimelineEntry): string {
  if (supplied) return ` · ${texts.timeline.pinned}`;
  return mocked ? ` · ${texts.timeline.mocked(mocked)}` : '';
}

const blank: TimelineRow = {
  seq: 0,
  type: 'unread',
  node: '',
  kind: '',
  title: '',
  part: '',
  produced: '',
  duration: '',
  tokens: '',
  waiting: false,
};

function partOf({ phase, turn }: TimelineEntry): string {
  if (phase === 'compact') return texts.timeline.summary;
  if (phase === 'guard') return texts.timeline.check;
  if (phase === 'reason') return texts.timeline.turn(turn);
  return phase === 'act' ? texts.timeline.tools : '';
}

function startRow(view: RunView, first: TimelineEntry | null): TimelineRow {
  const begins = first ? first.consumed.join(', ') || first.node : '';
  const waits = view.waiting.map(({ name }) => name).join(', ');
  const { forked_from } = view;
  const title = forked_from ? texts.timeline.forkStart(shortRunName(forked_from.run_id)) : texts.timeline.start;
  const part = forked_from ? texts.timeline.step(forked_from.seq) : '';
  return { ...blank, type: 'start', title, part, produced: view.seq === 0 ? waits : forked_from ? '' : begins };
}

function lastRow(view: RunView, titles: NodeTitles): TimelineRow {
  const seq = view.seq + 1;
  if (!view.activity) {
    const node = view.error?.node ?? '';
    return { ...blank, seq, type: 'failed', node, title: titles(node), produced: texts.timeline.failed };
  }
  const { node, kind, turn } = view.activity;
  return {
    ...blank,
    seq,
    type: 'running',
    node,
    kind,
    title: titles(node),
    part: turn === null ? '' : texts.timeline.turn(turn),
    produced: texts.timeline.running,
  };
}
