import { writeSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { openJournal } from '#main/sdk/open-journal.ts';
import type { RecordedRun } from '#main/sdk/run-journal.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import type { Suspension } from '#shared/run/event.ts';
import type { DrivenPlan, DrivenReport } from './driven-plan.ts';
import { WitnessClient } from './witness-client.ts';
import { type Witnessed, witnessedContext, witnessedFlow } from './witnessed-flow.ts';

/**
 * The process that is killed: `node driven-process.ts PLAN`. Finishes the runs that an earlier one left behind, as a person would who looks at the
 * world before answering, then begins new ones until it is killed. Says what it does in lines on standard output, each before it goes on.
 */
const plan = JSON.parse(process.argv[2] ?? '') as DrivenPlan;
const witness = await WitnessClient.connect(plan.witness_port);
const flow = witnessedFlow(witness);
const ctx = await witnessedContext(witness);
const journal = await openJournal(plan.journal_path);

for (const runId of plan.unfinished) await finish(journal.open(flow, runId));
// Node keeps what it has compiled when a process ends, which this one does not.
flushCompileCache();
report({ type: 'ready' });

const { kill } = plan;
if (kill) {
  const { pid } = process;
  let left = kill.nth;
  witness.killAt = () => {
    left -= 1;
    if (left > 0) return undefined;
    return kill.when === 'under way' ? { pid, when: 'under way' } : { pid, when: 'answered', after_ms: kill.after_ms };
  };
}
for (let index = 1; ; index += 1) {
  const run = journal.start(flow, { run: `run ${plan.name}.${index}`, steps: 0, done: {} });
  report({ type: 'begun', run_id: run.run_id });
  await finish(run);
}

async function finish(run: RecordedRun<Witnessed>): Promise<void> {
  const { run_id } = run;
  for (;;) {
    const [state] = run.snapshot().states;
    let outcome = await run.next(ctx).catch((error: unknown) => {
      // A run that waits says so by refusing to go on.
      if (error instanceof Error && 'variant' in error && error.variant === 'ResumeRequired') return null;
      throw error;
    });
    while (outcome === null || outcome.type === 'suspend') {
      const question = run.snapshot().control.suspensions[0] as Suspension;
      const what = whatIsAsked(question, run.snapshot().states[0]?.value as unknown as Witnessed);
      const number = await witness.look(what);
      const payload: Json = number === null || plan.answer === 'retry' ? { retry: true } : { result: resultOf(question, what, number) };
      report({ type: 'asked', run_id, what, retry: 'retry' in payload });
      outcome = await run.resume(ctx, question.tool_id, payload, { tool_call_id: question.tool_call_id });
    }
    report({ type: 'step', run_id, seq: run.snapshot().seq, node: state?.name ?? '' });
    if (outcome.type === 'done') {
      report({ type: 'finished', run_id, output: outcome.output });
      return;
    }
  }
}

/** What the witness was asked for by an effect whose outcome is unknown. */
function whatIsAsked({ node, value }: Suspension, { run }: Witnessed): string {
  const { effect, input } = value as { readonly effect: string; readonly input: Json };
  if (effect === 'handler') return `${run} handler ${node.slice(node.lastIndexOf(':') + 1)}`;
  if (effect === 'model') return `${run} model ${isJsonObject(input) ? input.turn : ''}`;
  return String(isJsonObject(input) ? input.what : '');
}

/** What a person supplies who has seen in the witness's log that it was done. */
function resultOf({ value }: Suspension, what: string, number: number): Json {
  const { effect, input } = value as { readonly effect: string; readonly input: Json };
  if (effect === 'tool') return number;
  const done = { [what.slice(what.indexOf(' ', 4) + 1)]: number };
  if (effect === 'model') return { run: what.slice(0, what.indexOf(' model')), steps: 0, done };
  const [before] = input as unknown as readonly Witnessed[];
  return { run: before?.run ?? '', steps: (before?.steps ?? 0) + 1, done: { ...before?.done, ...done } };
}

/** Written at once: what was said before a kill is in the pipe. */
function report(line: DrivenReport): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}
