import type { NodeTally } from '#shared/contract/node-tally.ts';
import type { RunDetail, RunStatus, RunSummary, StateAt, TimelineEntry } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';
import type { AgentPhase } from '#shared/run/agent-phase.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { RunEvent, RunEventOf } from '#shared/run/event.ts';
import { outermostNode } from '#shared/run/node-id.ts';
import { isOwnEvent } from '#shared/run/step-frame.ts';
import type { Stop } from '#shared/run/stop.ts';
import type { AheadActivity } from './ahead-fold.ts';

/** A waiting state, by name only: values are loaded for the selected step. */
export interface WaitingName {
  readonly name: string;
  readonly written_at: number;
}

/** The running transition. */
export interface Activity {
  readonly node: string;
  readonly kind: string;
  readonly phase?: AgentPhase;
  readonly turn: number | null;
  readonly started_at: number;
  /** The model's text so far in this transition. */
  readonly reasoning: string;
  readonly text: string;
}

/** A line of the Output panel: a log line, a failure, or a gap, in order of time. */
export type OutputLine = RunEventOf<'log' | 'error' | 'gap'>;

/** The last record up to `to_seq` of a node whose id begins with a text (`Items[`); null for none. */
export interface KnownRecord {
  readonly begins_with: string;
  readonly to_seq: number;
  readonly record: { readonly seq: number; readonly node: string } | null;
}

/** The run that the debugger shows: the state from the journal, with the events since applied. */
export interface RunView {
  readonly run_id: string;
  readonly flow_path: string;
  readonly flow_name: string;
  readonly flow_text: string;
  readonly status: RunStatus;
  /** Number of the last record. */
  readonly seq: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly error: TransferableError | null;
  readonly suspensions: RunSummary['suspensions'];
  /** Why it stands still after `seq`; null while it runs, and if this studio has not driven it there. */
  readonly stop: Stop | null;
  readonly tokens: number;
  readonly forked_from: RunSummary['forked_from'];
  /** It can be viewed and forked, but not driven. */
  readonly read_only: boolean;
  readonly input: Json;
  readonly output: Json | null;
  /** The last rows of the timeline, contiguous up to `seq`; earlier ones load as they become visible. */
  readonly timeline: readonly TimelineEntry[];
  /** Single records that were read besides `timeline`, the latest first. */
  readonly known: readonly KnownRecord[];
  /** Statistics by node of the flow. */
  readonly tallies: Readonly<Record<string, NodeTally>>;
  /** Nodes that have called a model, in the order of their first call. */
  readonly conversations: RunDetail['conversations'];
  /** The state map as last loaded, for step `current.seq`, which lags behind `seq` while the run continues. */
  readonly current: StateAt;
  readonly waiting: readonly WaitingName[];
  readonly titles: RunDetail['titles'];
  readonly agents: RunDetail['agents'];
  readonly activity: Activity | null;
  /** Steps that are made before their turn, by node. */
  readonly ahead: Readonly<Record<string, AheadActivity>>;
  readonly lines: readonly OutputLine[];
  /** Tokens of the running transition, for its timeline entry. */
  readonly pending_tokens: number;
  /** True when more has changed than the events carry: the run must be reloaded. */
  readonly stale: boolean;
}

/** The most lines kept in the window; the journal has them all. */
export const keptLines = 5000;

/** The most timeline rows kept from events; beyond it only the last `keptRows` stay. */
const mostRows = 4000;
const keptRows = 1000;

const endedStatuses: readonly RunStatus[] = ['success', 'error', 'cancelled'];

/** True for a run that will never make another transition. */
export function hasEnded(status: RunStatus): boolean {
  return endedStatuses.includes(status);
}

/** True for a run that is running or queued. */
export function isActive(status: RunStatus): boolean {
  return status === 'running' || status === 'queued';
}

/** The view of a run as just loaded. It keeps the output lines of `before`, the run's previous view. */
export function viewOf(detail: RunDetail, before?: RunView): RunView {
  const same = before?.run_id === detail.run_id ? before : undefined;
  return {
    run_id: detail.run_id,
    flow_path: detail.flow_path,
    flow_name: detail.flow_name,
    flow_text: detail.flow_text,
    status: detail.status,
    seq: detail.seq,
    created_at: detail.created_at,
    updated_at: detail.updated_at,
    error: detail.error,
    suspensions: detail.suspensions,
    stop: detail.stop ?? null,
    tokens: detail.tokens,
    forked_from: detail.forked_from,
    read_only: detail.read_only,
    input: detail.input,
    output: detail.output,
    timeline: detail.timeline.entries,
    known: same?.known ?? [],
    tallies: detail.current.tallies,
    conversations: detail.conversations,
    current: detail.current,
    waiting: detail.current.states.map(({ name, written_at }) => ({ name, written_at })),
    titles: detail.titles,
    agents: detail.agents,
    activity: detail.status === 'running' ? (same?.activity ?? null) : null,
    ahead: detail.status === 'running' ? (same?.ahead ?? {}) : {},
    lines: same?.lines ?? [],
    pending_tokens: 0,
    stale: false,
  };
}

/**
 * Whether a snapshot is older than the view. A run settles a moment after its last record, perhaps within the same
 * millisecond: of two snapshots with equal time and step, the settled one is newer.
 */
function isOlder(reading: RunSummary, view: RunView): boolean {
  if (reading.seq !== view.seq) return reading.seq < view.seq;
  if (reading.updated_at !== view.updated_at) return reading.updated_at < view.updated_at;
  return reading.status === 'running' && view.status !== 'running';
}

/** Applies a loaded snapshot of the run, unless the view is newer. */
export function foldDetail(view: RunView, detail: RunDetail): RunView {
  if (detail.run_id !== view.run_id) return view;
  if (isOlder(detail, view)) return view;
  return viewOf(detail, view);
}

/** Applies a run's summary: its status at once; the rest requires a reload. */
export function foldSummary(view: RunView, summary: RunSummary): RunView {
  if (summary.run_id !== view.run_id) return view;
  if (isOlder(summary, view)) return view;
  const settled = summary.status !== 'running';
  const unknown = summary.seq > view.seq || summary.status !== view.status || summary.suspensions.length !== view.suspensions.length;
  return {
    ...view,
    status: summary.status,
    error: summary.error,
    suspensions: summary.suspensions,
    stop: summary.stop ?? null,
    updated_at: summary.updated_at,
    activity: settled ? null : view.activity,
    ahead: settled ? {} : view.ahead,
    // A run that continues sends events; one whose command was refused has settled again without any.
    stale: view.stale || (settled ? unknown : view.status !== 'running'),
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A view while a batch of events is applied: its lists are copied once for each batch, not for each event. */
type Draft = Mutable<Omit<RunView, 'timeline' | 'tallies' | 'waiting' | 'lines'>> & {
  timeline: TimelineEntry[];
  tallies: Record<string, NodeTally>;
  waiting: WaitingName[];
  lines: OutputLine[];
};

function namesOf(values: RunEventOf<'node_exit'>['consumed']): string[] {
  return Array.isArray(values) ? values : Object.keys(values);
}

/** The turn of an agent's transition that has just ended. */
function turnOf(draft: Draft, { node }: RunEventOf<'node_exit'>): number | undefined {
  if (draft.activity?.node === node && draft.activity.turn !== null) return draft.activity.turn;
  return draft.timeline.findLast((entry) => entry.node === node)?.turn;
}

function addToTally(draft: Draft, event: RunEventOf<'node_exit'>, inside: boolean, finished: boolean): void {
  const node = outermostNode(event.node);
  const { count, turns, tokens, duration_ms } = draft.tallies[node] ?? { count: 0, turns: 0, tokens: 0, duration_ms: 0 };
  draft.tallies[node] = {
    count: count + (!inside && (event.phase === undefined || finished) ? 1 : 0),
    turns: turns + (!inside && event.phase === 'reason' ? 1 : 0),
    tokens: tokens + draft.pending_tokens,
    duration_ms: duration_ms + event.duration_ms,
  };
}

function takeExit(draft: Draft, event: RunEventOf<'node_exit'>): void {
  // A step inside a frame does not change the run's own states; its note says what it consumed and produced.
  const inside = outermostNode(event.node) !== event.node;
  const consumed = inside ? [] : namesOf(event.consumed);
  const produced = inside ? [] : namesOf(event.produced);
  const exchange = `${namesOf(event.consumed).join(' + ')} → ${namesOf(event.produced).join(' + ')}`;
  const turn = event.kind === 'agent' ? turnOf(draft, event) : undefined;
  // After skipped records (an answer, or a reader that fell behind) the rows start over, as they must be contiguous.
  if (event.seq !== draft.seq + 1) draft.timeline = [];
  draft.timeline.push({
    seq: event.seq,
    type: 'transition',
    node: event.node,
    kind: event.kind,
    ...(event.phase && { phase: event.phase }),
    ...(turn !== undefined && { turn }),
    consumed,
    produced,
    started_at: event.timestamp - event.duration_ms,
    duration_ms: event.duration_ms,
    tokens: draft.pending_tokens,
    note: inside && !event.phase ? exchange : '',
  });
  addToTally(draft, event, inside, produced.length > 0);
  if (event.kind === 'agent' && !draft.conversations.some(({ node }) => node === event.node))
    draft.conversations = [...draft.conversations, { node: event.node, since: event.seq }];
  draft.waiting = draft.waiting.filter(({ name }) => !consumed.includes(name));
  for (const name of produced) draft.waiting.push({ name, written_at: event.seq });
  draft.seq = event.seq;
  draft.activity = null;
  draft.pending_tokens = 0;
}

function takeInference(draft: Draft, event: RunEventOf<'inference_start' | 'inference_end' | 'reasoning' | 'message'>): void {
  if (event.type === 'inference_end') {
    draft.tokens += event.tokens_in + event.tokens_out;
    draft.pending_tokens += event.tokens_in + event.tokens_out;
  }
  if (!draft.activity) return;
  if (event.type === 'inference_start') draft.activity = { ...draft.activity, turn: event.turn };
  if (event.type === 'reasoning') draft.activity = { ...draft.activity, reasoning: draft.activity.reasoning + event.content };
  if (event.type === 'message') draft.activity = { ...draft.activity, text: draft.activity.text + event.content };
}

/** Events of the transition after the last known one. */
function takeNew(draft: Draft, event: RunEvent): void {
  switch (event.type) {
    case 'node_enter': {
      const { node, kind, phase, timestamp } = event;
      draft.status = 'running';
      // A hold is reported by the run's summary, which may arrive before this event.
      if (draft.stop?.point !== 'hold') draft.stop = null;
      draft.activity = { node, kind, ...(phase && { phase }), turn: null, started_at: timestamp, reasoning: '', text: '' };
      break;
    }
    case 'inference_start':
    case 'inference_end':
    case 'reasoning':
    case 'message':
      takeInference(draft, event);
      break;
    case 'node_exit':
      takeExit(draft, event);
      break;
    case 'suspended':
    case 'resumed':
      draft.stale = true;
      break;
  }
}

/** Events of a flow that a tool call runs within one step: they end no transition of this run, but use its tokens. */
function takeCalled(draft: Draft, event: RunEvent): void {
  if (event.type === 'inference_end') takeInference(draft, event);
}

function take(draft: Draft, event: RunEvent): void {
  switch (event.type) {
    case 'log':
      draft.lines.push(event);
      break;
    case 'error':
    case 'gap':
      draft.lines.push(event);
      draft.stale = true;
      break;
    case 'lifecycle':
      if (event.from === 'held' || event.to === 'held') draft.stale = true;
      break;
    case 'end_stream':
      draft.stop = event.stop ?? null;
      draft.stale = true;
      break;
    default:
      if (event.seq <= draft.seq) break;
      if (!('node' in event) || typeof event.node !== 'string' || isOwnEvent(event, event.node)) takeNew(draft, event);
      else takeCalled(draft, event);
  }
}

/** Applies a batch of events. Known ones are ignored, so a stream may start before the view. */
export function foldEvents(view: RunView, events: readonly RunEvent[]): RunView {
  const draft: Draft = {
    ...view,
    timeline: [...view.timeline],
    tallies: { ...view.tallies },
    waiting: [...view.waiting],
    lines: [...view.lines],
  };
  for (const event of events) if (event.run_id === view.run_id) take(draft, event);
  if (draft.timeline.length > mostRows) draft.timeline = draft.timeline.slice(-keptRows);
  if (draft.lines.length > keptLines) draft.lines = draft.lines.slice(-keptLines);
  return draft;
}

/** Removes the output lines that a stream starting after record `seq` will send again. */
export function rewindLines(view: RunView, seq: number): RunView {
  return { ...view, lines: view.lines.filter((line) => line.seq <= seq) };
}
