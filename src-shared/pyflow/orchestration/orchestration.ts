import type { Compiler } from '#shared/pyflow/compiler.ts';
import type { Orchestration } from '#shared/pyflow/workflow.ts';
import { compileDag } from './dag.ts';
import { compileLoop } from './loop.ts';
import { compileParallel } from './parallel.ts';
import { compileAgent } from './part.ts';
import { compileReact } from './react.ts';
import { compileRouted } from './routed.ts';
import { compileSequential } from './sequential.ts';

/** Compiles the orchestration of a workflow up to the state `next`. Returns the state that it begins with. */
export function compileOrchestration(compiler: Compiler, orchestration: Orchestration, next: string): string {
  const { name } = compiler.workflow;
  const origin = ['orchestration'];
  switch (orchestration.type) {
    case 'sequential':
      compileSequential(compiler, { names: orchestration.agents, next, origin }, compileAgent);
      return compiler.entryOf(orchestration.agents[0] as string);
    case 'parallel': {
      const [only] = orchestration.agents;
      const from = orchestration.agents.length === 1 ? compiler.entryOf(only as string) : compiler.names.takeHelper(`${name}_branches`);
      compileParallel(compiler, { names: orchestration.agents, next, origin, from, region: name }, compileAgent);
      return from;
    }
    case 'loop':
      compileLoop(compiler, { names: orchestration.agents, next, origin, loop: name, max: orchestration.max_iterations }, compileAgent);
      return compiler.entryOf(orchestration.agents[0] as string);
    case 'dag':
      return compileDag(compiler, orchestration.nodes, next, compileAgent);
    case 'react':
      compileReact(compiler, orchestration, next, compileAgent);
      return compiler.entryOf(orchestration.agent);
    case 'llm_routed':
      compileRouted(compiler, orchestration, next, compileAgent);
      return compiler.entryOf(orchestration.router);
  }
}
