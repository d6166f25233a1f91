import type { CompiledNode, Compiler } from '#shared/pyflow/compiler.ts';
import { platformTools } from '#shared/pyflow/tools.ts';
import type { ToolAgent } from '#shared/pyflow/workflow.ts';
import { workNode } from './work-node.ts';

/** Compiles an agent that calls a tool with fixed arguments. */
export function compileTool(compiler: Compiler, agent: ToolAgent, next: string): CompiledNode {
  const filled = Object.keys(agent.tool_config).length > 0 ? { with: agent.tool_config } : {};
  const own = platformTools.has(agent.tool);
  const session = { tool: own ? agent.tool : `py:${agent.tool}`, ...filled, output: agent.output_key };
  // PyFlow's own tools return objects; a project's tool may return anything.
  return workNode(compiler, agent, next, session, own ? { type: ['object', 'null'] } : true);
}
