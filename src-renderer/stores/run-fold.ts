import type { RunDetail, RunStatus, RunSummary, StateAt, TimelineEntry } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/runtime/error.ts';
import type { RunEvent, RunEventOf } from '#shared/runtime/event.ts';

/** A state that waits, by name only: values are read for the step that is looked at. */
export interface WaitingName {
  readonly name: string;
  readonly written_at: number;
}

/** The transition under way. */
export interface Activity {
  readonly node: string;
  readonly kind: string;
  readonly phase?: 'reason' | 'act';
  readonly turn: number | null;
  readonly started_at: number;
  /** What a model has said so far in this transition. */
  readonly reasoning: string;
  readonly text: string;
}

/** A line that a handler logged, or a failure, in the order of happening. */
export type OutputLine =
  | {
      readonly type: 'log';
      readonly seq: number;
      readonly timestamp: number;
      readonly node: string;
      readonly level: RunEventOf<'log'>['level'];
      readonly values: readonly Json[];
    }
  | {
      readonly type: 'error';
      readonly seq: number;
      readonly timestamp: number;
      readonly node: string | null;
      readonly error: TransferableError;
    }
  | { readonly type: 'gap'; readonly seq: number; readonly timestamp: number; readonly from: number; readonly to: number };

/** The run that the debugger shows: what the journal says, and on top of it what has happened since. */
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
  readonly tokens: number;
  readonly input: Json;
  readonly output: Json | null;
  readonly timeline: readonly TimelineEntry[];
  /** The state map as last read; it stands at `current.seq`, which lags behind `seq` while the run goes on. */
  readonly current: StateAt;
  readonly waiting: readonly WaitingName[];
  readonly agents: RunDetail['agents'];
  readonly activity: Activity | null;
  readonly lines: readonly OutputLine[];
  /** Tokens of the transition under way, which its timeline entry will carry. */
  readonly pending_tokens: number;
  /** True when events said that more has changed than they carry: the run is to be read again. */
  readonly stale: boolean;
}

/** More lines than this are not kept in the window; the journal has them all. */
export const keptLines = 5000;

const endedStatuses: readonly RunStatus[] = ['success', 'error', 'cancelled'];

/** True for a run that will never make another transition. */
export function hasEnded(status: RunStatus): boolean {
  return endedStatuses.includes(status);
}

/** The view of a run as just read. `before`, the same run's earlier view, keeps its output lines. */
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
    tokens: detail.tokens,
    input: detail.input,
    output: detail.output,
    timeline: detail.timeline,
    current: detail.current,
    waiting: detail.current.states.map(({ name, written_at }) => ({ name, written_at })),
    agents: detail.agents,
    activity: detail.status === 'running' ? (same?.activity ?? null) : null,
    lines: same?.lines ?? [],
    pending_tokens: 0,
    stale: false,
  };
}

/** Takes what was read of the run, unless the view already knows more than that. */
export function foldDetail(view: RunView, detail: RunDetail): RunView {
  if (detail.run_id !== view.run_id) return view;
  if (detail.seq < view.seq || (detail.seq === view.seq && detail.updated_at < view.updated_at)) return view;
  return viewOf(detail, view);
}

/** Takes a run's summary: its status at once, the rest by reading the run again. */
export function foldSummary(view: RunView, summary: RunSummary): RunView {
  if (summary.run_id !== view.run_id) return view;
  if (summary.seq < view.seq || (summary.seq === view.seq && summary.updated_at < view.updated_at)) return view;
  const settled = summary.status !== 'running';
  const unknown = summary.seq > view.seq || summary.status !== view.status || summary.suspensions.length !== view.suspensions.length;
  return {
    ...view,
    status: summary.status,
    error: summary.error,
    suspensions: summary.suspensions,
    updated_at: summary.updated_at,
    activity: settled ? null : view.activity,
    stale: view.stale || (settled && unknown),
  };
}

function namesOf(values: readonly string[] | Readonly<Record<string, Json>>): readonly string[] {
  return Array.isArray(values) ? values : Object.keys(values);
}

function addLine(lines: readonly OutputLine[], line: OutputLine): readonly OutputLine[] {
  const kept = lines.length >= keptLines ? lines.slice(lines.length - keptLines + 1) : lines;
  return [...kept, line];
}

function foldExit(view: RunView, event: RunEventOf<'node_exit'>): RunView {
  const consumed = namesOf(event.consumed);
  const produced = namesOf(event.produced);
  const entry: TimelineEntry = {
    seq: event.seq,
    type: 'transition',
    node: event.node,
    kind: event.kind,
    ...(event.phase && { phase: event.phase }),
    consumed: [...consumed],
    produced: [...produced],
    started_at: event.timestamp - event.duration_ms,
    duration_ms: event.duration_ms,
    tokens: view.pending_tokens,
    note: '',
  };
  return {
    ...view,
    seq: event.seq,
    updated_at: event.timestamp,
    timeline: [...view.timeline, entry],
    waiting: [...view.waiting.filter(({ name }) => !consumed.includes(name)), ...produced.map((name) => ({ name, written_at: event.seq }))],
    activity: null,
    pending_tokens: 0,
  };
}

function foldNew(view: RunView, event: RunEvent): RunView {
  switch (event.type) {
    case 'node_enter':
      return {
        ...view,
        status: 'running',
        activity: {
          node: event.node,
          kind: event.kind,
          phase: event.phase,
          turn: null,
          started_at: event.timestamp,
          reasoning: '',
          text: '',
        },
      };
    case 'inference_start':
      return view.activity ? { ...view, activity: { ...view.activity, turn: event.turn } } : view;
    case 'reasoning':
      return view.activity ? { ...view, activity: { ...view.activity, reasoning: view.activity.reasoning + event.content } } : view;
    case 'message':
      return view.activity ? { ...view, activity: { ...view.activity, text: view.activity.text + event.content } } : view;
    case 'inference_end': {
      const tokens = event.tokens_in + event.tokens_out;
      return { ...view, tokens: view.tokens + tokens, pending_tokens: view.pending_tokens + tokens };
    }
    case 'node_exit':
      return foldExit(view, event);
    case 'suspended':
    case 'resumed':
    case 'end_stream':
      return { ...view, stale: true };
    default:
      return view;
  }
}

/** Takes one event. Events that the view has seen already only add their output lines, and those once. */
export function foldEvent(view: RunView, event: RunEvent): RunView {
  if (event.run_id !== view.run_id) return view;
  switch (event.type) {
    case 'log':
      return { ...view, lines: addLine(view.lines, { ...event, type: 'log' }) };
    case 'error':
      return { ...view, stale: true, lines: addLine(view.lines, { ...event, type: 'error' }) };
    case 'gap':
      return { ...view, stale: true, lines: addLine(view.lines, { ...event, type: 'gap' }) };
    default:
      return event.seq > view.seq || event.type === 'end_stream' ? foldNew(view, event) : view;
  }
}
