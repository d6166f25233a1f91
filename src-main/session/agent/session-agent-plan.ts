import { type AgentPlan, agentPlan } from '#main/agents/agent-plan.ts';
import { StatePlan } from '#main/engine/step/state-plan.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import type { AgentSession } from '#shared/flow/session.ts';
import { toolUse } from '#shared/flow/tool-use.ts';
import type { Json } from '#shared/json.ts';
import { transferTool } from '#shared/pyflow/tools.ts';
import { preloadTool } from './preloaded-memory.ts';
import { sessionAgentRole } from './session-agent-role.ts';
import { visibleName } from './visible-names.ts';

/** The plan of an agent of a session. Its answer is text, or what its `schema` asks for; what it produces is the session. */
export function sessionAgentPlan(settings: AgentSettings, session: AgentSession, produces: StatePlan): AgentPlan {
  const { schema, planner } = session;
  const answer = schema ? new StatePlan(`answer of ${produces.name}`, schema, produces.index) : produces;
  const budget = typeof planner === 'object' ? planner.thinking_budget : undefined;
  const plan = agentPlan({ ...settings, mode: schema ? 'structured' : 'chat', ...thinking(settings, budget) }, answer);
  return {
    ...plan,
    tools: visibleTools(settings, session),
    ends: endsOf(plan, session),
    role: sessionAgentRole(settings, session, produces),
  };
}

function endsOf({ ends }: AgentPlan, { transfer }: AgentSession): AgentPlan['ends'] {
  return ends === 'answer' && transfer ? 'submit' : ends;
}

/** The tools by the names that the model uses. */
function visibleTools({ tools = [] }: AgentSettings, { agents = {}, transfer }: AgentSession): AgentPlan['tools'] {
  const called = tools.map(toolUse).filter(({ name }) => name !== preloadTool);
  const uses = called.map(({ name, approve }) => [visibleName(name, agents), approve] as const);
  return new Map([...uses, ...(transfer ? [[transferTool, undefined] as const] : [])]);
}

/** The vendor's own thinking. */
function thinking({ model, params = {} }: AgentSettings, budget: number | undefined): Pick<AgentSettings, 'params'> {
  if (budget === undefined) return {};
  const vendor: Record<string, Json> = model.startsWith('anthropic://')
    ? { thinking: { type: 'enabled', budget_tokens: budget } }
    : model.startsWith('gemini://')
      ? { thinkingConfig: { thinkingBudget: budget } }
      : {};
  return { params: { ...params, options: { ...params.options, ...vendor } } };
}
