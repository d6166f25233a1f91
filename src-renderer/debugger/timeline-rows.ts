import type { RunView } from '#renderer/stores/run-fold.ts';
import type { TimelineEntry } from '#shared/contract/runs.ts';
import { durationText } from './durations.ts';
import type { NodeTitles } from './node-titles.ts';

/** One line of the timeline, ready to be drawn. */
export interface TimelineRow {
  readonly seq: number;
  readonly type: 'start' | TimelineEntry['type'] | 'running' | 'failed';
  readonly node: string;
  readonly kind: string;
  readonly title: string;
  /** Where in an agent's turns it falls; empty outside of agents. */
  readonly part: string;
  /** What the step produced, or what else there is to say of it. */
  readonly produced: string;
  readonly duration: string;
  readonly tokens: string;
  /** True for the row that waits for a person now. */
  readonly waiting: boolean;
}

const number = new Intl.NumberFormat('en');

/** Number of lines: the start, each record, and what is under way or has failed since. */
export function rowCount(view: RunView): number {
  return 1 + view.timeline.length + (view.activity || failedAtEnd(view) ? 1 : 0);
}

function failedAtEnd(view: RunView): boolean {
  return view.status === 'error' && view.error?.node != null;
}

/** The line at a position. Rows are made as they come into sight, so that ten thousand cost nothing. */
export function rowAt(view: RunView, index: number, titles: NodeTitles): TimelineRow {
  if (index === 0) return startRow(view);
  const entry = view.timeline[index - 1];
  if (!entry) return lastRow(view, titles);
  const waiting = entry.type === 'suspended' && view.status === 'suspended' && index === view.timeline.length;
  const produced = entry.produced.join(', ') || entry.note;
  return {
    seq: entry.seq,
    type: entry.type,
    node: entry.node,
    kind: entry.kind,
    title: titles(entry.node),
    part: partOf(entry),
    produced: entry.type === 'resumed' ? entry.note || 'answered' : produced,
    duration: entry.type === 'transition' ? durationText(entry.duration_ms) : '–',
    tokens: entry.tokens > 0 ? number.format(entry.tokens) : '',
    waiting,
  };
}

function partOf({ phase, turn }: TimelineEntry): string {
  if (phase === 'reason') return turn === undefined ? 'turn' : `turn ${turn}`;
  return phase === 'act' ? 'tools' : '';
}

function startRow(view: RunView): TimelineRow {
  const entry = view.timeline[0];
  const begins = entry?.seq === 1 ? entry.consumed.join(', ') || entry.node : '';
  const produced = entry ? begins : view.waiting.map(({ name }) => name).join(', ');
  return { seq: 0, type: 'start', node: '', kind: '', title: 'Input', part: '', produced, duration: '', tokens: '', waiting: false };
}

function lastRow(view: RunView, titles: NodeTitles): TimelineRow {
  const seq = view.seq + 1;
  if (view.activity) {
    const { node, kind, turn } = view.activity;
    const part = turn === null ? '' : `turn ${turn}`;
    return { seq, type: 'running', node, kind, title: titles(node), part, produced: 'running', duration: '', tokens: '', waiting: false };
  }
  const node = view.error?.node ?? '';
  return {
    seq,
    type: 'failed',
    node,
    kind: '',
    title: titles(node),
    part: '',
    produced: 'failed',
    duration: '',
    tokens: '',
    waiting: false,
  };
}
