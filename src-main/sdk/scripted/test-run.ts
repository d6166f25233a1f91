import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { Run } from '#main/sdk/run/run.ts';
import { outputOrThrow } from '#main/sdk/run/run-result.ts';
import type { FlowGraph, TypedFlowGraph } from '#shared/flow/graph.ts';
import { analyse } from '#shared/flow/soundness/analyse.ts';
import { canonicalJson, type Json, toJson } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { Snapshot } from '#shared/run/snapshot.ts';

/** Answers to a run's questions by `tool_id` (`Ticket::ask`) or node; lists are used in order. */
export type Answers = Readonly<Record<string, Json | readonly Json[]>>;

/** The context and the answers of a test run. */
export interface TestRunOptions {
  readonly context: Context;
  readonly answers?: Answers;
}

/** Runs a flow to its end and answers its questions from a table. Throws what fails, and for a question that the table does not answer. */
export async function testRun<Input, Output>(
  flow: TypedFlowGraph<Input, Output>,
  input: NoInfer<Input>,
  { context, answers = {} }: TestRunOptions,
): Promise<{ readonly output: Output; readonly events: readonly RunEvent[]; readonly run: Run<Output> }> {
  const run = new Run(FlowRuntime.new<Input, Output>(flow, input, { run_id: context.newId() }), context);
  const events: RunEvent[] = [];
  run.subscribe((event) => events.push(event));
  const answerTo = answering(answers);
  let result = await run.result();
  while (result.status === 'suspended') {
    const { suspension } = result;
    await run.resume(suspension, answerTo(suspension));
    result = await run.result();
  }
  return { output: outputOrThrow(result), events, run };
}

/**
 * Runs a flow twice: in one piece, and restored from JSON before every transition. Throws if the snapshots differ. The context's models and tools are
 * used twice, so `context` makes a new one for each run, with the same ids and clock.
 */
export async function restartEverywhere<Input, Output>(
  flow: TypedFlowGraph<Input, Output>,
  input: NoInfer<Input>,
  { context, answers = {} }: { readonly context: () => Context | Promise<Context>; readonly answers?: Answers },
): Promise<{ readonly transitions: number; readonly output: Output }> {
  const drive = async (restart: boolean) => {
    const ctx = await context();
    const answerTo = answering(answers);
    const snapshots: string[] = [];
    let runtime = FlowRuntime.new<Input, Output>(flow, input, { run_id: 'test' });
    for (;;) {
      const [question] = runtime.snapshot().control.suspensions;
      const outcome = question
        ? await runtime.resume(ctx, question.tool_id, answerTo(question), { tool_call_id: question.tool_call_id })
        : await runtime.next(ctx);
      const snapshot = runtime.snapshot();
      snapshots.push(canonicalJson(toJson(withoutTimes(snapshot))));
      if (outcome.type === 'done') return { snapshots, output: outcome.output };
      if (restart) {
        const copy = JSON.parse(JSON.stringify({ snapshot, history: runtime.history() })) as ReturnType<
          () => { snapshot: Snapshot; history: ReturnType<typeof runtime.history> }
        >;
        runtime.dispose();
        runtime = FlowRuntime.fromSnapshot<Output>(flow, copy.snapshot).withHistory(copy.history);
      }
    }
  };
  const whole = await drive(false);
  const restarted = await drive(true);
  const at = whole.snapshots.findIndex((snapshot, index) => snapshot !== restarted.snapshots[index]);
  if (at >= 0 || whole.snapshots.length !== restarted.snapshots.length) {
    const index = at < 0 ? Math.min(whole.snapshots.length, restarted.snapshots.length) : at;
    throw new Error(
      `The restored run differs after transition ${index + 1}: expected ${whole.snapshots[index]}, found ${restarted.snapshots[index]}.`,
    );
  }
  return { transitions: whole.snapshots.length, output: whole.output };
}

/** Throws with the shortest counterexample if the flow is not proved sound. */
export function expectSound(flow: FlowGraph): void {
  const proof = analyse(flow);
  if (proof.status !== 'sound') throw new Error(`The flow ${flow.name} is not proved sound (${proof.status}): ${JSON.stringify(proof)}`);
}

/** Time that was spent is not the same twice. */
function withoutTimes({ control, ...rest }: Snapshot): object {
  const { counters, agents, ...others } = control;
  const timeless = Object.entries(agents).map(([node, agent]) => [node, { ...agent, seconds: 0 }]);
  return { ...rest, control: { ...others, agents: Object.fromEntries(timeless), counters: { ...counters, seconds: 0 } } };
}

function answering(answers: Answers): (question: { readonly tool_id: string; readonly node: string; readonly value: Json }) => Json {
  const used = new Map<string, number>();
  return ({ tool_id, node, value }) => {
    const key = tool_id in answers ? tool_id : node;
    const found = answers[key];
    if (found === undefined) throw new Error(`No answer to ${tool_id}, which asks ${JSON.stringify(value)}. Add it to answers.`);
    if (!Array.isArray(found)) return found as Json;
    const position = used.get(key) ?? 0;
    used.set(key, position + 1);
    if (position >= found.length) throw new Error(`${tool_id} asks ${position + 1} times, and answers has ${found.length}.`);
    return found[position] as Json;
  };
}
