import type { Context } from '#main/engine/ports/context.ts';
import type { OperationEnd, OperationStart, RunningOperation, SpanPlace, Telemetry } from '#main/engine/ports/telemetry.ts';
import { maskSecrets } from '#main/engine/secrets/mask.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { type Json, toJson } from '#shared/json.ts';
import { toTransferable } from '#shared/run/error.ts';
import type { Step } from './step.ts';

/** The operations of a run that are in progress: one for the run while it is driven, and one for each agent that is visited. */
export class RunTrace {
  #run: RunningOperation | undefined;
  readonly #visits = new Map<string, RunningOperation>();
  #previous: (() => SpanPlace | undefined) | undefined;

  /** `previous` returns where the run was traced before, in another process. Asked once. */
  constructor(previous?: () => SpanPlace | undefined) {
    this.#previous = previous;
  }

  /** Where the run is being traced. */
  get place(): SpanPlace | undefined {
    return this.#run?.place;
  }

  /** Begins the run's operation, if it rests. */
  begin(telemetry: Telemetry, { name, hash }: Pick<FlowGraph, 'name' | 'hash'>, run_id: string): void {
    this.#run ??= telemetry.begin({ kind: 'workflow', name, flow_hash: hash, run_id, previous: this.#previous?.() });
  }

  /** The operation to which what a step does belongs: of an agent, its visit. */
  of(step: Step): RunningOperation | undefined {
    if (!this.#run || step.plan.node.kind !== 'agent') return this.#run;
    const open = this.#visits.get(step.node);
    if (open) return open;
    const begun = this.#run.begin({ kind: 'agent', name: step.plan.node.id, node: step.node, run_id: step.contextRunId });
    this.#visits.set(step.node, begun);
    return begun;
  }

  /** Ends the visit of a node. */
  leave(node: string, end: OperationEnd): void {
    this.#visits.get(node)?.end(end);
    this.#visits.delete(node);
  }

  /** Ends all operations: the run rests. When it continues, its next operation refers to this one. */
  end(end: OperationEnd): void {
    const run = this.#run;
    if (!run) return;
    this.#run = undefined;
    for (const visit of this.#visits.values()) visit.end(end);
    this.#visits.clear();
    run.end(end);
    this.#previous = () => run.place;
  }

  /** Ends all operations with the failure of a transition. */
  fail(error: unknown): void {
    if (!this.#run) return;
    const { code, variant } = toTransferable(error);
    this.end(variant === 'Cancelled' ? { status: 'cancelled' } : { status: 'error', error: code });
  }
}

/** An operation inside a step. */
interface StepOperation<Result> {
  readonly start: Omit<OperationStart, 'run_id' | 'node' | 'input'>;
  readonly input: () => Json;
  readonly end: (result: Result) => Omit<OperationEnd, 'output'>;
  readonly output: (result: Result) => Json;
}

/** Does the work of a step as an operation. Without telemetry, just does it. */
export async function traced<Result>(step: Step, operation: StepOperation<Result>, work: () => Promise<Result>): Promise<Result> {
  const { telemetry } = step.ctx;
  const parent = telemetry && step.run.trace.of(step);
  if (!telemetry || !parent) return work();
  const content = (value: () => Json): Json | undefined => (telemetry.content ? masked(step.ctx, value()) : undefined);
  const { start, input, end, output } = operation;
  const running = parent.begin({ ...start, run_id: step.contextRunId, node: step.node, input: content(input) });
  try {
    const result = await running.within(work);
    running.end({ ...end(result), output: content(() => output(result)) });
    return result;
  } catch (error) {
    running.end({ error: toTransferable(error).code });
    throw error;
  }
}

/** A context in which a called run's operations belong to the step that calls it. */
export function tracedInside(step: Step): Pick<Context, 'telemetry'> {
  const { telemetry } = step.ctx;
  const parent = telemetry && step.run.trace.of(step);
  return telemetry && parent ? { telemetry: { content: telemetry.content, begin: (start) => parent.begin(start) } } : {};
}

function masked({ secrets }: Context, value: Json): Json {
  return secrets.size > 0 ? toJson(maskSecrets(secrets, value)) : value;
}
