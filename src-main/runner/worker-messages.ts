import type { MessagePort } from 'node:worker_threads';
import type { CommandRule } from '#main/engine/ports/context.ts';
import type { ToolPreview } from '#main/engine/ports/tool.ts';
import type { TraceContext } from '#main/platform/trace-context.ts';
import type { Breakpoint } from '#shared/contract/breakpoint.ts';
import type { RunSummary } from '#shared/contract/runs.ts';
import type { Supplied } from '#shared/contract/supplied.ts';
import type { Json } from '#shared/json.ts';
import type { TransferableError } from '#shared/run/error.ts';
import type { AheadEvent, RunEvent } from '#shared/run/event.ts';
import type { BodyPlace } from './body-clock.ts';
import type { DriveResult } from './drive-result.ts';
import type { PostedOperation } from './posted-telemetry.ts';
import type { StepMode } from './step-target.ts';

/** What a run is debugged with. */
export interface DebugSettings {
  readonly breakpoints: readonly Breakpoint[];
  /** Pins and mocks; empty while they are switched off. */
  readonly supplied: readonly Supplied[];
}

/** Worker data of a run's thread. */
export interface RunWorkerData {
  /** Real path of the workspace. */
  readonly folder: string;
  /** The workspace of which `folder` is a copy, and whose trust counts; null: `folder` is the workspace itself. */
  readonly copy_of: string | null;
  /** The journal that contains the run, or will. */
  readonly journal_path: string;
  /** Identifies this thread in the lease. */
  readonly token: string;
  /** Token of an earlier, terminated thread. */
  readonly take_over: string | null;
  /** The user has agreed to what the flow may do in this folder; see `ContextOptions.consented`. */
  readonly consented: boolean;
  readonly allow_commands: readonly CommandRule[];
  readonly allow_hosts: readonly string[];
  /** What the run is debugged with at first; see the request `debug`. */
  readonly debug: DebugSettings;
  /** Port to the thread that owns the workspace's MCP servers; null: this thread starts its own. */
  readonly mcp: MessagePort | null;
  /** Port to the store of which the journal is a working copy; null: the journal is all there is. */
  readonly run_store: MessagePort | null;
  /** One 32-bit number; not 0 once the run should stop. Read while a body computes. */
  readonly stop: SharedArrayBuffer;
  /** The thread reports its running bodies here; see `BodyClock`. */
  readonly bodies: SharedArrayBuffer;
  /** Bodies for which earlier threads were terminated. They fail when the run reaches them. */
  readonly overrun: readonly BodyPlace[];
  /** Whether the thread posts its operations, and with contents; null: it posts none. */
  readonly telemetry: { readonly content: boolean } | null;
}

/** Requests to a run's thread. The first is `start` or `open`. */
export type WorkerRequest =
  | {
      readonly type: 'start';
      /** Id of the new run. Default: a new one. */
      readonly run_id?: string;
      /** Relative to the workspace. */
      readonly flow_path: string;
      /** The document, saved or not. */
      readonly text: string;
      readonly input: Json;
      readonly models?: Readonly<Record<string, string>>;
    }
  | { readonly type: 'open'; readonly run_id: string }
  | { readonly type: 'step'; readonly mode: StepMode }
  /** `until`: further breakpoints, for this call only. */
  | { readonly type: 'continue'; readonly max_steps?: number; readonly until?: readonly Breakpoint[] }
  | {
      readonly type: 'resume';
      readonly tool_id: string;
      readonly tool_call_id: string;
      readonly payload: Json;
      readonly then_continue: boolean;
    }
  /** Replaces the breakpoints, pins and mocks. */
  | ({ readonly type: 'debug' } & DebugSettings)
  /** Continues a run that is held inside a step. False if it isn't held. */
  | { readonly type: 'continue_held'; readonly mode: StepMode | 'continue' }
  /** Leaves the step in which the run is held. False if it isn't held. */
  | { readonly type: 'leave_hold' }
  | { readonly type: 'pause' }
  | { readonly type: 'cancel' }
  /** What approving this input would change on disk; null for a call that writes no file. */
  | { readonly type: 'preview'; readonly tool_call_id: string; readonly input: Json };

/** Result of each request. */
export interface WorkerAnswers {
  readonly start: { readonly run_id: string };
  readonly open: { readonly run_id: string };
  readonly step: DriveResult;
  readonly continue: DriveResult;
  readonly resume: DriveResult;
  readonly continue_held: { readonly continued: boolean };
  readonly leave_hold: { readonly left: boolean };
  readonly pause: null;
  readonly debug: null;
  readonly cancel: DriveResult;
  readonly preview: ToolPreview | null;
}

export type WorkerRequestType = WorkerRequest['type'];

/** A request on its way to the thread. */
export interface WorkerCall {
  readonly id: number;
  readonly request: WorkerRequest;
  /** What the request belongs to. */
  readonly trace?: TraceContext;
}

/**
 * Messages to a run's thread: a request; to end with the run; or to leave the run and wait for another one, which begins with data of its own.
 */
export type ThreadMessage = WorkerCall | 'close' | 'leave' | { readonly type: 'begin'; readonly data: RunWorkerData };

/** Messages from the thread, in order. */
export type WorkerMessage =
  /** The thread has left its run, and nothing of it remains. */
  | { readonly type: 'left' }
  | { readonly type: 'answer'; readonly id: number; readonly answer: WorkerAnswers[WorkerRequestType] }
  | { readonly type: 'failure'; readonly id: number; readonly error: TransferableError }
  /** Events with their values filled in. A thread that emits more than can be delivered sends a `gap` instead. */
  | { readonly type: 'events'; readonly events: readonly RunEvent[] }
  /** Events of steps that are made before their turn. */
  | { readonly type: 'ahead'; readonly event: AheadEvent }
  /** Only with `RunWorkerData.telemetry`. */
  | { readonly type: 'operation'; readonly operation: PostedOperation }
  /** The run's summary changed: the run started or stopped. */
  | { readonly type: 'changed'; readonly summary: RunSummary };
