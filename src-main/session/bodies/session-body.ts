import type { BodyOf } from '#main/engine/bodies/body.ts';
import type { EvaluateBody } from '#main/engine/step/node-plan.ts';
import type { Step } from '#main/engine/step/step.ts';
import { sessionOf, sessionsOf } from '#main/session/state/read-session.ts';
import type { Session, SessionParts } from '#main/session/state/session.ts';
import type { JoinSession } from '#shared/flow/session.ts';
import { beginSession } from './begin.ts';
import { callCodeAgent } from './code-agent.ts';
import { sessionResult } from './end.ts';
import { evaluateExpr } from './expr-agent.ts';
import { forkSession } from './fork-session.ts';
import { mergeBranches } from './merge-branches.ts';
import { route } from './route.ts';
import { callToolAgent } from './tool-agent.ts';

/** What a node of a workflow does with the session. The schemas of its states have checked what comes in. */
export function evaluateSessionBody({ session: rule }: BodyOf<'session'>): EvaluateBody {
  if ('begin' in rule) return (step) => beginSession(step, rule.begin.timezone);
  if ('expr' in rule) return evaluateExpr(rule);
  if ('tool' in rule) return callToolAgent(rule);
  if ('end' in rule) return (step) => sessionResult(sessionOf(step));
  if ('branches' in rule) return (step) => forkSession(sessionOf(step), rule);
  if ('merge' in rule) return (step) => join(step, rule);
  if ('leave' in rule || 'transfer' in rule) return (step) => route(sessionOf(step), rule);
  return callCodeAgent(rule);
}

function join(step: Step, { merge, by = 'turns' }: JoinSession): Session | SessionParts {
  const sessions = sessionsOf(step);
  return merge === 'part' ? { parts: sessions } : mergeBranches(sessions, by);
}
