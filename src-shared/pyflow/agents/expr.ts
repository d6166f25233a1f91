import type { CompiledNode, Compiler } from '#shared/pyflow/compiler.ts';
import type { ExprAgent } from '#shared/pyflow/workflow.ts';
import { inputsOf, workNode } from './work-node.ts';

/** Compiles an agent that evaluates an expression. */
export function compileExpr(compiler: Compiler, agent: ExprAgent, next: string): CompiledNode {
  return workNode(compiler, agent, next, { expr: agent.expression, ...inputsOf(agent), output: agent.output_key });
}
