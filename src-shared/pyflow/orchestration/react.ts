import { type AgentRole, compileLlm } from '#shared/pyflow/agents/llm.ts';
import type { Compiler } from '#shared/pyflow/compiler.ts';
import type { Orchestration } from '#shared/pyflow/workflow.ts';
import type { CompileInner } from './sequential.ts';

type React = Extract<Orchestration, { type: 'react' }>;

/** One agent with a planner. PyFlow treats any other name of a planner as none. */
export function compileReact(compiler: Compiler, react: React, next: string, inner: CompileInner): void {
  const agent = compiler.agent(react.agent);
  const planner = plannerOf(react);
  if (agent.type === 'llm') compiler.add(compileLlm(compiler, agent, next, planner));
  else inner(compiler, react.agent, next);
}

function plannerOf({ planner, thinking_budget }: React): AgentRole {
  if (planner === 'plan_react') return { planner };
  if (planner !== 'builtin') return {};
  return { planner: { ...(thinking_budget !== null && { thinking_budget }) } };
}
