import { agentScript, callScript } from '#main/engine/testing/random-flow.ts';
import type { Journal } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { DriveResult } from '#main/runner/drive-result.ts';
import { type ExecutorOptions, RunExecutor } from '#main/runner/run-executor.ts';
import type { TestWorkspace } from '#main/runner/testing.ts';
import type { ForkRequest } from '#shared/contract/time-travel.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import { type Json, toJson } from '#shared/json.ts';
import type { Suspension } from '#shared/run/event.ts';

/** What history's tests share: runs of graphs, driven to their ends with answers that depend only on the question. */

/** Starts a run of a graph in a test's workspace. */
export async function startGraph(space: TestWorkspace, graph: FlowGraph, input: Json, options?: ExecutorOptions): Promise<RunExecutor> {
  space.write('script.json', toJson(agentScript));
  space.write('calls.json', toJson(callScript));
  return RunExecutor.start(options ?? (await space.options()), { graph, flow_path: 'test.flow.json', flow_text: '', input });
}

/** Answers every question until the run has ended or failed. */
export async function driveToEnd(journal: Journal, executor: RunExecutor): Promise<DriveResult> {
  for (;;) {
    const [waiting] = suspensionsOf(journal, executor.runId);
    const stop = waiting
      ? await executor.resume(waiting.tool_id, answerTo(waiting), { tool_call_id: waiting.tool_call_id, then_continue: true })
      : await executor.continue();
    if (stop.status !== 'suspended') return stop;
  }
}

export function suspensionsOf(journal: Journal, runId: string): readonly Suspension[] {
  const row = journal.row(runId);
  const { suspensions, answers } = new RunReader(journal, row).foldAt(row.last_seq).control;
  return answers.length > 0 ? [] : suspensions;
}

function answerTo({ value, tool_id }: Suspension): Json {
  const shows = typeof value === 'object' && value !== null && 'n' in value;
  return shows ? { n: 7, path: ['answered'] } : `answer to ${tool_id}`;
}

/** Plans a fork without edits. */
export function forkAt(runId: string, seq: number, more: Partial<ForkRequest> = {}): ForkRequest {
  return { run_id: runId, seq, states: [], drop: [], flow: 'recorded', ...more };
}

/** Returns a run's result without nondeterministic parts. */
export function endOf({ status, output, error, states }: DriveResult): Json {
  const end = { status, output: output ?? null, error: error ? [error.variant, error.code, error.node] : null, states };
  return JSON.parse(JSON.stringify(end)) as Json;
}
