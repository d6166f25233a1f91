import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { History } from '#shared/run/message.ts';
import type { RunOutcome, Snapshot } from '#shared/run/snapshot.ts';
import type { RunJournal } from './run-journal.ts';

/** A run of a message, in a journal or in memory. */
export interface ChatRun {
  readonly id: string;
  readonly flow: FlowGraph;
  next(context: Context): Promise<RunOutcome>;
  resume(context: Context, toolId: string, payload: Json, options: { readonly tool_call_id?: string }): Promise<RunOutcome>;
  snapshot(): Snapshot;
  history(): History;
  close(): void;
}

/** A run as plain JSON; a journal has its own. */
export interface StoredRun {
  /** Null for the chat's own flow, which has code. */
  readonly flow: FlowGraph | null;
  readonly run_id: string;
  readonly memory: { readonly snapshot: Snapshot; readonly history: History } | null;
}

/** Starts the run of a message. */
export function startChatRun(flow: FlowGraph, input: Json, { newId }: Context, journal: RunJournal | undefined): ChatRun {
  if (!journal) return inMemory(flow, FlowRuntime.new<Json>(flow, input, { run_id: newId() }));
  return inJournal(flow, journal.start<Json, Json>(flow as never, input));
}

/** Opens a run that was stored while it waited. */
export function reopenChatRun(
  { flow: stored, run_id, memory }: StoredRun,
  own: FlowGraph | undefined,
  journal: RunJournal | undefined,
): ChatRun {
  const flow = stored ?? own;
  if (!flow) throw new FlowError('SnapLoadError', 'The chat was stored with a flow. Pass the same flow to createChat.');
  if (journal) return inJournal(flow, journal.open<Json>(flow as never, run_id));
  if (!memory) throw new FlowError('SnapLoadError', 'The chat was stored with a journal. Pass the same journal to createChat.');
  return inMemory(flow, FlowRuntime.fromSnapshot<Json>(flow, memory.snapshot).withHistory(memory.history));
}

function inMemory(flow: FlowGraph, runtime: FlowRuntime): ChatRun {
  return {
    id: runtime.runId,
    flow,
    next: (ctx) => runtime.next(ctx),
    resume: (ctx, toolId, payload, more) => runtime.resume(ctx, toolId, payload, more),
    snapshot: () => runtime.snapshot(),
    history: () => runtime.history(),
    close: () => runtime.dispose(),
  };
}

function inJournal(flow: FlowGraph, run: ReturnType<RunJournal['start']>): ChatRun {
  return {
    id: run.run_id,
    flow,
    next: (ctx) => run.next(ctx) as Promise<RunOutcome>,
    resume: (ctx, toolId, payload, more) => run.resume(ctx, toolId, payload, more) as Promise<RunOutcome>,
    snapshot: () => run.snapshot(),
    history: () => run.history(),
    close: () => run.close(),
  };
}
