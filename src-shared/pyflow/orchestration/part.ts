import { compileCode } from '#shared/pyflow/agents/code.ts';
import { compileExpr } from '#shared/pyflow/agents/expr.ts';
import { compileLlm } from '#shared/pyflow/agents/llm.ts';
import { compileTool } from '#shared/pyflow/agents/tool.ts';
import type { CompiledNode, Compiler } from '#shared/pyflow/compiler.ts';
import { idOf } from '#shared/pyflow/keys-written.ts';
import type { LeafAgent } from '#shared/pyflow/workflow.ts';
import { compileLoop } from './loop.ts';
import { compileParallel } from './parallel.ts';
import { compileSequential, type Region } from './sequential.ts';

/** Compiles an agent with everything in it, from the state that it consumes to `next`. */
export function compileAgent(compiler: Compiler, name: string, next: string): void {
  const agent = compiler.agent(name);
  const origin = ['agents', agent.index];
  const region = (names: readonly string[]) => ({ names, next, origin });
  switch (agent.type) {
    case 'sequential':
      compileSequence(compiler, agent.name, region(agent.sub_agents));
      break;
    case 'parallel':
      compileParallel(compiler, { ...region(agent.sub_agents), region: agent.name, from: compiler.entryOf(name) }, compileAgent);
      break;
    case 'loop':
      compileLoop(compiler, { ...region(agent.sub_agents), loop: agent.name, max: null }, compileAgent);
      break;
    default:
      compiler.add(leafNode(compiler, agent, next));
  }
}

/** A nested sequence, whose nodes the canvas frames. */
function compileSequence(compiler: Compiler, name: string, region: Region): void {
  const before = compiler.nodes.length;
  compileSequential(compiler, region, compileAgent);
  compiler.sequences.set(
    name,
    compiler.nodes.slice(before).map(({ node }) => idOf(node)),
  );
}

function leafNode(compiler: Compiler, agent: LeafAgent, next: string): CompiledNode {
  switch (agent.type) {
    case 'expr':
      return compileExpr(compiler, agent, next);
    case 'code':
      return compileCode(compiler, agent, next);
    case 'tool':
      return compileTool(compiler, agent, next);
    case 'llm':
      return compileLlm(compiler, agent, next);
  }
}
