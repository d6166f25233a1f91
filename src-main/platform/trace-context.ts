import { AsyncLocalStorage } from 'node:async_hooks';

/** Identifies the span that a request belongs to (W3C Trace Context). */
export interface TraceContext {
  readonly trace_id: string;
  readonly span_id: string;
  readonly sampled: boolean;
}

const active = new AsyncLocalStorage<TraceContext>();

/** Calls `work`, and what it begins, with a trace context. */
export function inTrace<Result>(context: TraceContext | undefined, work: () => Result): Result {
  return context ? active.run(context, work) : work();
}

/** The trace context in which the caller runs. */
export function activeTrace(): TraceContext | undefined {
  return active.getStore();
}

/** The header that gives the active trace context on to another service; none without one. */
export function traceHeaders(): { readonly traceparent?: string } {
  const context = activeTrace();
  return context ? { traceparent: `00-${context.trace_id}-${context.span_id}-${context.sampled ? '01' : '00'}` } : {};
}

/** Reads the header `traceparent`. Undefined if it is missing or invalid, as the standard asks. */
export function parseTraceparent(header: string | undefined): TraceContext | undefined {
  const match = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/.exec(header ?? '');
  if (!match) return undefined;
  const [, trace_id = '', span_id = '', flags = ''] = match;
  return { trace_id, span_id, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
