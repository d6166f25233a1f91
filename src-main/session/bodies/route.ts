import type { Session } from '#main/session/state/session.ts';
import type { EitherSession } from '#shared/flow/session.ts';

/** Decides at the end of a loop's round, after an agent that may leave it, or for a router's choice. Left leaves the loop, or hands over. */
export function route(session: Session, rule: EitherSession): { readonly left: Session } | { readonly right: Session } {
  if ('transfer' in rule) {
    if (session.transfer !== rule.transfer) return { right: session };
    const { transfer: _taken, ...rest } = session;
    return { left: rest };
  }
  const { leave, max, check } = rule;
  const rounds = (session.loops?.[leave] ?? 0) + 1;
  const leaves = session.escalated?.includes(leave) || (check === 'round' && max !== undefined && rounds >= max);
  if (leaves) return { left: withoutLoop(session, leave) };
  return { right: check === 'round' ? { ...session, loops: { ...session.loops, [leave]: rounds } } : session };
}

function withoutLoop({ loops = {}, escalated = [], ...rest }: Session, loop: string): Session {
  const { [loop]: _ended, ...others } = loops;
  const leaving = escalated.filter((name) => name !== loop);
  return { ...rest, ...(Object.keys(others).length > 0 && { loops: others }), ...(leaving.length > 0 && { escalated: leaving }) };
}
