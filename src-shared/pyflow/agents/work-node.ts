import type { WorkSession } from '#shared/flow/session.ts';
import type { JsonSchema } from '#shared/json.ts';
import type { CompiledNode, Compiler } from '#shared/pyflow/compiler.ts';
import type { CodeAgent, ExprAgent, LeafAgent, ToolAgent } from '#shared/pyflow/workflow.ts';

/** The parts of a node that say whose it is. */
export function headOf(agent: LeafAgent): { readonly title: string; readonly note?: string } {
  return { title: agent.name, ...(agent.description !== '' && { note: agent.description }) };
}

/** The node of an agent that asks no model. `schema` describes what it writes. */
export function workNode(
  compiler: Compiler,
  agent: ExprAgent | CodeAgent | ToolAgent,
  next: string,
  session: WorkSession,
  schema: JsonSchema = true,
): CompiledNode {
  return {
    node: { kind: 'work', ...headOf(agent), from: compiler.entryOf(agent.name), to: next, session },
    origin: ['agents', agent.index],
    writes: { key: agent.output_key, agent: agent.name, schema },
    agent,
  };
}

/** The `inputs` of a session, left out when there are none. */
export function inputsOf({ input_keys }: ExprAgent | CodeAgent): { readonly inputs?: string[] } {
  return input_keys.length > 0 ? { inputs: [...input_keys] } : {};
}
