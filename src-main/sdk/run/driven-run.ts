import type { Context } from '#main/engine/ports/context.ts';
import type { ResumeOptions } from '#main/engine/step/runtime-options.ts';
import type { ReplayReport } from '#shared/contract/time-travel.ts';
import type { Json } from '#shared/json.ts';
import type { History } from '#shared/run/message.ts';
import type { RunOutcome, Snapshot } from '#shared/run/snapshot.ts';

/** What a `Run` drives: a run in memory, or one of a journal. */
export interface DrivenRun<Output> extends Disposable {
  next(ctx: Context): Promise<RunOutcome<Output>>;
  resume(ctx: Context, toolId: string, payload: Json, options?: ResumeOptions): Promise<RunOutcome<Output>>;
  snapshot(): Snapshot;
  history(): History;
  workAhead(ctx: Context): void;
  stopAhead(): Promise<void>;
  /** Releases what it holds between two drives: a recorded run's lease. */
  rest?(): void;
  /** Replays the run from its recorded effects. */
  replay?(): Promise<ReplayReport>;
  /** Records that the run was cancelled. */
  cancel?(): void;
}
