import type { Step } from '#main/engine/step/step.ts';
import { authorOf } from '#main/session/state/author.ts';
import { afterAgent, type Session } from '#main/session/state/session.ts';

/** The session after an agent whose work failed: it says so, writes nothing, and the run continues. Also a line of the run's log. */
export function agentFailed(step: Step, session: Session, text: string): Session {
  if (step.listening) step.emit({ type: 'log', node: step.node, level: 'error', values: [text] });
  return afterAgent(session, { events: [{ author: authorOf(step), parts: [{ text }], final: true }], writes: {} });
}
