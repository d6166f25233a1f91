import { type Branch, type Session, type SessionEvent, stateValue, type Writes, withWrites } from '#main/session/state/session.ts';
import type { JsonObject } from '#shared/json.ts';

/** One agent that ended in a branch: which branch, and as the how-manyth of it. */
interface Turn {
  readonly branch: number;
  readonly tick: number;
}

/**
 * Ends a parallel region. `turns`: the first agent that ended in each branch, in the order of the branches, then the second of each, and so on; `list`:
 * branch by branch. Events are put in that order, and of several writes of a key the last one stays: what PyFlow does wherever its order is determined.
 */
export function mergeBranches(sessions: readonly Session[], by: 'turns' | 'list'): Session {
  const [first] = sessions as readonly [Session];
  const regions = sessions.map(({ branches }) => branches?.at(-1) as Branch);
  const order = orderOf(regions, by);
  const events: SessionEvent[] = first.events.slice(0, regions[0]?.since ?? 0);
  const ends: number[] = [];
  const wrote: Record<string, number> = {};
  const winners = new Map<string, number>();
  for (const [position, { branch, tick }] of order.entries()) {
    const { since, ends: own, wrote: written } = regions[branch] as Branch;
    events.push(...(sessions[branch] as Session).events.slice(own[tick - 2] ?? since, own[tick - 1]));
    ends.push(events.length);
    for (const [key, at] of Object.entries(written)) {
      if (at !== tick) continue;
      winners.set(key, branch);
      wrote[key] = position + 1;
    }
  }
  const writes: Writes = Object.fromEntries(
    [...winners].flatMap(([key, branch]) => {
      const value = stateValue(sessions[branch] as Session, key);
      return value ? [[key, value] as const] : [];
    }),
  );
  return { ...flagsOf(sessions), message: first.message, ...withWrites(first, writes), events, ...outerBranches(first, ends, wrote) };
}

function orderOf(regions: readonly Branch[], by: 'turns' | 'list'): Turn[] {
  const turns = regions.flatMap(({ ends }, branch) => ends.map((_end, index): Turn => ({ branch, tick: index + 1 })));
  return by === 'list' ? turns : turns.sort((one, other) => one.tick - other.tick || one.branch - other.branch);
}

/** The regions around the one that ends: the agents that ended in it have ended in them, one by one. */
function outerBranches({ branches = [] }: Session, ends: readonly number[], wrote: JsonObject): Pick<Session, 'branches'> {
  const outer = branches.slice(0, -1).map((branch): Branch => {
    // Before the region began. Every branch has counted its own agents in the outer regions as well.
    const before = branch.ends.slice(0, branch.ends.length - (branches.at(-1)?.ends.length ?? 0));
    const inner = Object.entries(wrote).map(([key, position]) => [key, before.length + (position as number)]);
    const kept = Object.entries(branch.wrote).filter(([, tick]) => tick <= before.length);
    return { ...branch, ends: [...before, ...ends], wrote: Object.fromEntries([...kept, ...inner]) as Branch['wrote'] };
  });
  return outer.length > 0 ? { branches: outer } : {};
}

/** Flags that any branch has set. The rounds of loops around the region are the same in all of them. */
function flagsOf(sessions: readonly Session[]): Pick<Session, 'loops' | 'escalated' | 'transfer'> {
  const escalated = [...new Set(sessions.flatMap((session) => session.escalated ?? []))];
  const transfer = sessions.find((session) => session.transfer !== undefined)?.transfer;
  const { loops } = sessions[0] as Session;
  return { ...(loops && { loops }), ...(escalated.length > 0 && { escalated }), ...(transfer !== undefined && { transfer }) };
}
