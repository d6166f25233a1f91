import type { CompiledNode, Compiler } from '#shared/pyflow/compiler.ts';
import type { CodeAgent } from '#shared/pyflow/workflow.ts';
import { inputsOf, workNode } from './work-node.ts';

/** Compiles an agent that calls a Python function. */
export function compileCode(compiler: Compiler, agent: CodeAgent, next: string): CompiledNode {
  return workNode(compiler, agent, next, { code: agent.function, ...inputsOf(agent), output: agent.output_key });
}
