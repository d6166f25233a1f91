import type { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import type { Json } from '#shared/json.ts';
import type { FlowError } from '#shared/run/error.ts';

/** One call of a run, whichever is due: a transition, or an answer that depends only on what was asked. */
async function callOnce(runtime: FlowRuntime, ctx: Context): Promise<Json> {
  const [waiting] = runtime.snapshot().control.suspensions;
  try {
    if (!waiting) return (await runtime.next(ctx)) as unknown as Json;
    const { value } = waiting;
    const shows = typeof value === 'object' && value !== null && 'n' in value;
    const payload = shows ? { n: 7, path: ['answered'] } : `answer to ${waiting.tool_call_id}`;
    return (await runtime.resume(ctx, waiting.tool_id, payload, { tool_call_id: waiting.tool_call_id })) as unknown as Json;
  } catch (error) {
    return (error as FlowError).toJSON() as unknown as Json;
  }
}

/** The results of a run's calls, and the run after them. */
export interface RestOfRun {
  readonly outcomes: readonly Json[];
  readonly snapshot: Json;
  readonly history: Json;
}

/** Calls a run until it has ended or failed, at most the given number of times. `before` receives the run each time. */
export async function callToEnd(runtime: FlowRuntime, ctx: Context, calls: number, before?: () => void): Promise<RestOfRun> {
  const outcomes: Json[] = [];
  for (let made = 0; made < calls; made += 1) {
    before?.();
    const outcome = (await callOnce(runtime, ctx)) as { readonly type: string };
    outcomes.push(outcome);
    if (outcome.type !== 'continue' && outcome.type !== 'suspend') break;
  }
  return { outcomes, snapshot: runtime.snapshot() as unknown as Json, history: runtime.history() as unknown as Json };
}
