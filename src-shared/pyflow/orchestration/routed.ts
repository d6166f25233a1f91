import { compileLlm } from '#shared/pyflow/agents/llm.ts';
import type { Compiler } from '#shared/pyflow/compiler.ts';
import type { LlmAgent, Orchestration } from '#shared/pyflow/workflow.ts';
import type { CompileInner } from './sequential.ts';

type Routed = Extract<Orchestration, { type: 'llm_routed' }>;

/** The router, then one `either` for each agent that it may have chosen. A router that answers itself ends the run. */
export function compileRouted(compiler: Compiler, routed: Routed, next: string, inner: CompileInner): void {
  const router = compiler.agent(routed.router) as LlmAgent;
  const names = [...new Set(routed.agents)];
  const transfer = names.map((name) => {
    const { description } = compiler.agent(name);
    return { name, ...(description !== '' && { description }) };
  });
  const choices = names.map((name) => compiler.names.takeHelper(`to_${name}`));
  compiler.add(compileLlm(compiler, router, choices[0] as string, { transfer }));
  for (const [index, name] of names.entries()) {
    const to: [string, string] = [compiler.entryOf(name), choices[index + 1] ?? next];
    const origin = ['orchestration', 'agents', index];
    compiler.add({ node: { kind: 'either', from: choices[index] as string, to, session: { transfer: name } }, origin });
    inner(compiler, name, next);
  }
}
