import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import { quietContext } from '#main/engine/testing/flows.ts';
import { loadWorkflow } from '#main/workspace/load-workflow.ts';
import { defaultSettings } from '#main/workspace/settings.ts';
import type { Json } from '#shared/json.ts';
import type { RunOutcome } from '#shared/run/snapshot.ts';
import type { GeneratedWorkflow } from './generate-workflow.ts';

/** What a workflow did, as `evaluate_workflows.py` writes it. */
export interface WorkflowResult {
  readonly state: Readonly<Record<string, Json>>;
  /** JSON Pointers of floats with an integral value, sorted. */
  readonly floats: readonly string[];
  /** Agents in the order of their answers. */
  readonly order: string;
  readonly content: string;
}

/** What is needed of the session that the node `end` consumes. */
interface Session {
  readonly events: readonly { readonly author: string; readonly final?: true }[];
}

/** Compiles and runs a workflow of expr agents. */
export async function runWorkflow(workflow: GeneratedWorkflow): Promise<WorkflowResult> {
  const options = { folder: '/nowhere', settings: defaultSettings, trusted: false };
  const { graph, problems } = loadWorkflow(JSON.stringify(workflow), 'workflow.yaml', options);
  if (!graph) throw new Error(problems.map(({ message }) => message).join(' '));
  const runtime = FlowRuntime.new(graph, { message: 'Go.' });
  const ctx = quietContext();
  let last: Session | undefined;
  let outcome: RunOutcome;
  do {
    if (runtime.nextNode === 'end') last = runtime.snapshot().states[0]?.value as unknown as Session;
    outcome = await runtime.next(ctx);
  } while (outcome.type === 'continue');
  const { output } = outcome as unknown as { readonly output: { state: Record<string, Json>; floats?: string[]; content: string } };
  const { current_date: _date, current_datetime: _time, timezone: _zone, ...state } = output.state;
  const order = (last?.events ?? []).filter(({ final }) => final).map(({ author }) => author);
  return { state, floats: [...(output.floats ?? [])].sort(), order: order.join(' '), content: output.content };
}
