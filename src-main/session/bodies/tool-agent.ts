import { StepSuspended } from '#main/engine/step/draft.ts';
import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { callTool } from '#main/engine/tool-calls/tool-call.ts';
import type { CallPolicy } from '#main/engine/tool-calls/tool-policy.ts';
import { authorOf } from '#main/session/state/author.ts';
import { sessionOf } from '#main/session/state/read-session.ts';
import { afterAgent, type Session } from '#main/session/state/session.ts';
import { pyflowTool } from '#main/session/tools/pyflow-tool.ts';
import { pythonTool } from '#main/session/tools/python-tool.ts';
import { floatsBeside, toolResult } from '#main/session/tools/tool-result.ts';
import type { WorkSession } from '#shared/flow/session.ts';
import type { Json } from '#shared/json.ts';
import { fromJson, jsonDumps } from '#shared/python/index.ts';
import { fromTransferable, type TransferableError } from '#shared/run/error.ts';
import type { PendingCall } from '#shared/run/snapshot.ts';
import { agentFailed } from './agent-failed.ts';
import { fillConfig } from './fill-config.ts';

type ToolRule = Extract<WorkSession, { tool: string }>;

/** A breach of the folder's rules, unlike any other failure of a tool, fails the step. */
const breaches: ReadonlySet<string> = new Set(['Denied', 'PathEscape', 'ForbiddenCommand', 'Missing', 'UnknownTool']);

/** Calls a tool with arguments filled in from the state. A tool's failure becomes the agent's message, and the run continues. */
export function callToolAgent(rule: ToolRule): EvaluateBody {
  const config = rule.with ?? {};
  const source = /\{\w+\}/.test(JSON.stringify(config)) ? 'templated' : 'literal';
  const policy: CallPolicy = { allowed: new Map([[rule.tool, undefined]]), source, tainted: false, codeFollows: false };
  return (step) => call(step, rule, policy);
}

async function call(step: Step, rule: ToolRule, policy: CallPolicy): Promise<Session> {
  const session = sessionOf(step);
  const { input, floats } = fillConfig(rule.with ?? {}, session);
  const earlier = step.run.control.handlers[step.node];
  const pending: PendingCall = earlier?.calls[0] ?? {
    tool_call_id: `call_${step.ready}`,
    tool: rule.tool,
    input,
  };
  step.ownTools = (name) => {
    const tool = pyflowTool(step, name, floats, floatsBeside) ?? step.ctx.tools.get(name);
    return pythonTool(step, name, floats, session) ?? tool;
  };
  const outcome = await callTool(step, pending, policy, earlier === undefined);
  if (outcome.type === 'suspended') {
    const handler = { now: earlier?.now ?? step.now, seed: earlier?.seed ?? 0, calls: [outcome.call] };
    throw new StepSuspended({ type: 'suspended', suspensions: [outcome.suspension], handler });
  }
  const { value, error } = outcome.call.result;
  if (error) return failed(step, session, error);
  const written = toolResult(value as Json);
  const text = typeof written.value === 'string' ? written.value : jsonDumps(fromJson(written.value, written.floats));
  const events = [{ author: authorOf(step), parts: [{ text }], final: true as const }];
  return afterAgent(session, { events, writes: { [rule.output]: written } });
}

function failed(step: Step, session: Session, error: TransferableError): Session {
  if (breaches.has(error.variant)) throw fromTransferable(error);
  return agentFailed(step, session, `ToolAgent error: ${error.message}`);
}
