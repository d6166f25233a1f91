import { appendFileSync, existsSync, readFileSync, writeSync } from 'node:fs';
import { defineFlow } from '#main/sdk/builder/define-flow.ts';
import { jsonSchema, state } from '#main/sdk/builder/state.ts';
import { createContext } from '#main/sdk/create-context.ts';
import { openJournal } from '#main/sdk/open-journal.ts';
import type { Json } from '#shared/json.ts';

/** What a process is told that is killed while its run works ahead. */
export interface AheadPlan {
  readonly journal_path: string;
  /** Each effect is a line of it. */
  readonly log: string;
  /** The run to continue; null starts one. */
  readonly run_id: string | null;
  /** Each effect takes some turns of the event loop, by its number here. */
  readonly turns: readonly number[];
  /** The effect that kills the process, from 1, just before or just after it is done; null: none. */
  readonly kill: { readonly nth: number; readonly done: boolean } | null;
}

/**
 * Drives a run whose four branches have two effects each, working ahead with all of them: `node ahead-process.ts PLAN`. A question about an unknown
 * outcome is answered by the log. Prints the run's id and, at its end, its output.
 */
const plan = JSON.parse(process.argv[2] ?? '') as AheadPlan;
const said = (line: Json): void => void writeSync(1, `${JSON.stringify(line)}\n`);
const lines = (): string[] => (existsSync(plan.log) ? readFileSync(plan.log, 'utf8').trimEnd().split('\n') : []);

let begun = 0;
const doing = (what: string) => async () => {
  begun += 1;
  const nth = begun;
  for (let turn = 0; turn < (plan.turns[nth % plan.turns.length] ?? 0); turn += 1) await new Promise(setImmediate);
  const dies = plan.kill?.nth === nth;
  if (dies && !plan.kill?.done) process.kill(process.pid, 'SIGKILL');
  appendFileSync(plan.log, `${what}\n`);
  if (dies) process.kill(process.pid, 'SIGKILL');
  await new Promise(setImmediate);
  return what;
};

const any = jsonSchema<Json>({});
const named = (name: string) => state(name, any);
const [A, Z] = [named('A'), named('Z')];
const [B, C, D, E] = [named('B'), named('C'), named('D'), named('E')];
const [B1, C1, D1, E1] = [named('B1'), named('C1'), named('D1'), named('E1')];
const [B2, C2, D2, E2] = [named('B2'), named('C2'), named('D2'), named('E2')];
const [F, G] = [named('F'), named('G')];
const both = (one: Json, other: Json): Json => [one, other];
const flow = defineFlow({ input: A, output: Z, name: 'Ahead', parallel: { ahead: 8, effects: 'all' } })
  .fork(A, [B, C, D, E])
  .work(B, B1, doing('B'))
  .work(C, C1, doing('C'))
  .work(D, D1, doing('D'))
  .work(E, E1, doing('E'))
  .work(B1, B2, doing('B1'))
  .work(C1, C2, doing('C1'))
  .work(D1, D2, doing('D1'))
  .work(E1, E2, doing('E1'))
  .join([B2, C2], F, both, { pure: true })
  .join([D2, E2], G, both, { pure: true })
  .join([F, G], Z, both, { pure: true })
  .build();

const ctx = await createContext({});
const journal = await openJournal(plan.journal_path);
const run = plan.run_id === null ? journal.start(flow, {}) : journal.open(flow, plan.run_id);
said({ run_id: run.run_id });
for (;;) {
  const [question] = run.snapshot().control.suspensions;
  const answered = run.snapshot().control.answers.length > 0;
  let outcome = question && !answered ? null : await run.toEnd(ctx);
  if (outcome === null && question) {
    const payload: Json = lines().includes(question.node) ? { result: question.node } : { retry: true };
    outcome = await run.resume(ctx, question.tool_id, payload, { tool_call_id: question.tool_call_id });
  }
  if (outcome?.type !== 'done') continue;
  said({ output: outcome.output });
  break;
}
journal.close();
