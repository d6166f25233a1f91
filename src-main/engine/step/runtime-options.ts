import type { Recorder } from '#main/engine/ports/recorder.ts';
import type { SpanPlace } from '#main/engine/ports/telemetry.ts';
import type { Caller } from './caller.ts';
import type { EngineVersion } from './engine-version.ts';

/** A run's options besides its flow. */
export interface RuntimeOptions {
  /** Where the run writes itself down. Without one it lives in memory only. */
  readonly recorder?: Recorder;
  /** Default: a random UUID. */
  readonly run_id?: string;
  /** Model URLs that replace those of the flow's agents in this run, by node id; `*` for all that have none of their own. */
  readonly models?: Readonly<Record<string, string>>;
  /** The rules under which the run makes its records. Default: those of new runs. */
  readonly engine?: EngineVersion;
  /** Returns where the run was traced before it rested. Asked at most once, when telemetry begins. */
  readonly tracedAt?: () => SpanPlace | undefined;
  /** Set for the run of a flow that another run calls as a tool. */
  readonly caller?: Caller;
}

export interface RestoreOptions extends RuntimeOptions {
  /** Restores although the flow is not the one that the snapshot was made with (`SnapLoadError` otherwise). */
  readonly accept_changed_flow?: boolean;
}

/** Which suspension is answered, where several wait. */
export interface ResumeOptions {
  /** The call that is answered. One that is not the call that waits is refused. */
  readonly tool_call_id?: string;
}
