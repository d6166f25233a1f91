import type { RunDetail, RunSummary, TimelineEntry } from '#shared/contract/runs.ts';
import { timeText } from '#shared/contract/server/common.ts';
import type { ServedRun, ServedRunDetail, ServedStep } from '#shared/contract/server/runs.ts';
import type { JsonObject } from '#shared/json.ts';

/** A run as the server's API has it. `nameOf` names a flow of its folder by its path. */
export function servedRun(summary: RunSummary, nameOf: (path: string) => string): ServedRun {
  const { flow_path, flow_name, created_at, updated_at, suspensions, supplied, stop } = summary;
  return {
    run_id: summary.run_id,
    flow: nameOf(flow_path),
    flow_name,
    status: summary.status,
    seq: summary.seq,
    created_at: timeText(created_at),
    updated_at: timeText(updated_at),
    error: summary.error && withoutStack(summary.error),
    suspensions: suspensions.map((suspension) => ({ ...suspension, since: timeText(suspension.since) })),
    tokens: summary.tokens,
    forked_from: summary.forked_from,
    read_only: summary.read_only,
    ...(supplied !== undefined && { supplied }),
    ...(stop && { stop }),
  };
}

export function servedDetail(detail: RunDetail, nameOf: (path: string) => string, metadata: JsonObject): ServedRunDetail {
  return {
    ...servedRun(detail, nameOf),
    input: detail.input,
    output: detail.output,
    states: detail.current.states.map(({ name, value }) => ({ name, value })),
    next: detail.current.next,
    metadata,
  };
}

export function servedStep({ started_at, ...entry }: TimelineEntry): ServedStep {
  return { ...entry, started_at: timeText(started_at) };
}

/** Callers are told what failed, not where in the server's code. */
function withoutStack<Failure extends NonNullable<RunSummary['error']>>(error: Failure): Failure {
  const { stack: _stack, ...details } = error.details;
  return { ...error, details };
}
