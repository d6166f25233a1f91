import type { Step } from '#main/engine/step/step.ts';
import { authorOf } from '#main/session/state/author.ts';
import type { Session } from '#main/session/state/session.ts';
import type { AgentSession } from '#shared/flow/session.ts';
import { transferTool } from '#shared/pyflow/tools.ts';
import { fillInstruction } from './instruction.ts';

const now = 'NOW: {current_datetime} ({timezone}).\n';
/** The newest PyFlow leaves a line empty after it. */
const nowOf = ({ dialect }: Step['flow']) => (dialect === 'latest' ? `${now}\n` : now);

/** The system text: the time and the filled instruction, then who the agent is and what its planner or its router's role needs. */
export async function systemText(step: Step, instruction: string, rule: AgentSession, session: Session): Promise<string> {
  const filled = await fillInstruction(step, nowOf(step.flow) + instruction, session);
  const { note } = step.plan.node;
  const who = `You are the agent "${authorOf(step)}".${note ? ` ${note}` : ''}`;
  return [filled, who, ...planning(rule), ...routing(rule)].join('\n\n');
}

function planning({ planner }: AgentSession): string[] {
  if (planner !== 'plan_react') return [];
  return [
    `Plan before you act. Begin each part of your work with its tag:
/*PLANNING*/ the numbered steps that lead to the answer, using only the tools that you have;
/*ACTION*/ the tool calls of the next step;
/*REASONING*/ what the results so far mean for the plan;
/*REPLANNING*/ a new plan, if the results show that the first one cannot work;
/*FINAL_ANSWER*/ the answer to the user, and nothing else.
Write /*FINAL_ANSWER*/ only when you have the answer. If it cannot be found, say there why.`,
  ];
}

function routing({ transfer }: AgentSession): string[] {
  if (!transfer) return [];
  const agents = transfer.map(({ name, description }) => `- ${name}${description ? `: ${description}` : ''}`).join('\n');
  return [
    `Other agents may be better suited to answer:\n${agents}\nIf one of them is, call ${transferTool} with its name and say nothing else. Otherwise answer yourself.`,
  ];
}
