import { FlowRuntime } from '#main/engine/flow-runtime.ts';
import type { Context } from '#main/engine/ports/context.ts';
import { flowOf, type NodeSketch } from '#main/engine/testing/flows.ts';
import { createModelClients } from '#main/models/registry/model-clients.ts';
import type { TestWorkspace } from '#main/tools/testing/test-workspace.ts';
import { type ContextOptions, createContext } from '#main/workspace/create-context.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Json, JsonObject } from '#shared/json.ts';
import type { RunEvent } from '#shared/run/event.ts';
import type { RunOutcome } from '#shared/run/snapshot.ts';

/** What a hostile model, or one that fell for hostile content, asks for in one turn. */
export interface HostileCall {
  readonly tool: string;
  readonly input: JsonObject;
}

export interface ToolAnswer {
  readonly tool: string;
  readonly value: Json;
  readonly is_error: boolean;
}

/** A run of real tools under a model that does what an attacker wants. */
export interface AttackedRun {
  readonly runtime: FlowRuntime;
  readonly context: Context;
  /** What the last transition came to. */
  readonly outcome: RunOutcome;
  /** Results of the tool calls so far. */
  readonly answers: readonly ToolAnswer[];
}

export interface Attack extends Partial<ContextOptions> {
  readonly agent?: Partial<AgentSettings>;
  readonly graph?: (agent: NodeSketch) => FlowGraph;
  readonly input?: Json;
}

/** Writes the model's script: one call a turn, then the end. Returns its URL. */
export async function hostileScript(workspace: TestWorkspace, calls: readonly HostileCall[], name = 'hostile.json'): Promise<string> {
  const turns = [...calls.map((call) => ({ tool_calls: [{ ...call }] })), { output: 'done' }];
  await workspace.write(name, JSON.stringify({ turns }));
  return `script://${name}`;
}

/** Runs an agent whose model makes these calls, one a turn, until the run ends or asks the user. */
export async function attack(
  workspace: TestWorkspace,
  calls: readonly HostileCall[],
  { agent, graph, input, ...options }: Attack = {},
): Promise<AttackedRun> {
  const model = await hostileScript(workspace, calls);
  const settings: AgentSettings = { model, tools: [...new Set(calls.map(({ tool }) => tool))], limits: { turns: 100 }, ...agent };
  const node: NodeSketch = { kind: 'agent', from: ['A'], to: ['Z'], body: { type: 'agent', agent: settings } };
  const context = await contextFor(workspace, options);
  const runtime = FlowRuntime.new(graph?.(node) ?? flowOf([node]), input ?? {});
  return drive(runtime, context);
}

/** The context of a run in the attacked folder, with the models of scripts; trusted unless the options say otherwise. */
export async function contextFor(workspace: TestWorkspace, options: Partial<ContextOptions> = {}): Promise<Context> {
  const models = createModelClients({ folder: workspace.folder });
  return createContext({ folder: workspace.folder, trusted: true, models, ...options });
}

/** Continues until the run ends or asks the user. */
export async function drive(runtime: FlowRuntime, context: Context): Promise<AttackedRun> {
  const answers: ToolAnswer[] = [];
  const onEvent = (event: RunEvent) => {
    if (event.type === 'tool_result' && event.tool_name !== 'submit')
      answers.push({ tool: event.tool_name, value: event.result, is_error: event.is_error });
  };
  let outcome: RunOutcome = { type: 'continue' };
  while (outcome.type === 'continue') outcome = await runtime.next({ ...context, onEvent });
  return { runtime, context, outcome, answers };
}
