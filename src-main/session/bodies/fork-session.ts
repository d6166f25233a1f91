import type { Session } from '#main/session/state/session.ts';
import type { ForkSession } from '#shared/flow/session.ts';

/** One session for each branch of a parallel region. */
export function forkSession(session: Session, { branches, of }: ForkSession): Session[] {
  return branches.map((name) => {
    const path = of === undefined ? '' : `${of}.${name}`;
    return { ...session, branches: [...(session.branches ?? []), { path, since: session.events.length, ends: [], wrote: {} }] };
  });
}
