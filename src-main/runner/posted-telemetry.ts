import { randomBytes } from 'node:crypto';
import type { OperationEnd, OperationStart, RunningOperation, Telemetry } from '#main/engine/ports/telemetry.ts';
import { inTrace, type TraceContext } from '#main/platform/trace-context.ts';

/** An operation of a run's thread, on its way to the thread that exports it. Times are in milliseconds since 1970. */
export type PostedOperation =
  | {
      readonly type: 'begin';
      readonly start: OperationStart;
      readonly place: TraceContext;
      readonly parent: TraceContext | undefined;
      readonly time: number;
    }
  | { readonly type: 'end'; readonly span_id: string; readonly end: OperationEnd; readonly time: number };

/** Where the operations of runs in threads go. */
export interface RunTelemetry {
  readonly content: boolean;
  readonly onOperation: (operation: PostedOperation) => void;
}

/** Telemetry of a run in its own thread, which does not load OpenTelemetry: it chooses the ids and posts what happens. */
export class PostedTelemetry implements Telemetry {
  readonly content: boolean;
  /** What the next run's operation belongs to. */
  parent: TraceContext | undefined;
  readonly #post: (operation: PostedOperation) => void;

  constructor(content: boolean, post: (operation: PostedOperation) => void) {
    this.content = content;
    this.#post = post;
  }

  begin(start: OperationStart): RunningOperation {
    return this.#begin(start, this.parent);
  }

  #begin(start: OperationStart, parent: TraceContext | undefined): RunningOperation {
    const place: TraceContext = {
      trace_id: parent?.trace_id ?? randomBytes(16).toString('hex'),
      span_id: randomBytes(8).toString('hex'),
      sampled: parent?.sampled ?? true,
    };
    this.#post({ type: 'begin', start, place, parent, time: now() });
    return {
      place,
      begin: (inner) => this.#begin(inner, place),
      within: (work) => inTrace(place, work),
      end: (end) => this.#post({ type: 'end', span_id: place.span_id, end, time: now() }),
    };
  }
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
