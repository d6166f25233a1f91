import { extendList, extendObject } from '#main/engine/values/freeze-json.ts';
import { type Json, type JsonObject, jsonPointer } from '#shared/json.ts';
import type { KeyOrders } from '#shared/python/index.ts';

/** One part of what an agent said or did. */
export type EventPart =
  | { readonly text: string }
  | { readonly thought: string }
  | { readonly call: string; readonly args: Json }
  /** `floats`: JSON Pointers of its whole numbers that are floats. */
  | { readonly result_of: string; readonly result: Json; readonly floats?: readonly string[] };

/** What an agent said or did at once. */
export interface SessionEvent {
  readonly author: string;
  readonly parts: readonly EventPart[];
  /** The parallel branch in which it happened; left out outside of one. */
  readonly branch?: string;
  /** The agent's answer, as opposed to a call of a tool and its result. */
  readonly final?: true;
}

/** A parallel region that a session is in. */
export interface Branch {
  /** `REGION.BRANCH`; empty in a wave of a dag, whose branches hear each other later. */
  readonly path: string;
  /** Number of events when the region began. */
  readonly since: number;
  /** Number of events after each agent that has ended in this branch. */
  readonly ends: readonly number[];
  /** For each key written in this branch: how many agents had ended when it was written last, this one included. */
  readonly wrote: Readonly<Record<string, number>>;
}

/** The value of a session's states: what the agents of a workflow share. */
export interface Session {
  readonly message: string;
  readonly state: JsonObject;
  /** JSON Pointers into `state` of floats with an integral value, which JSON cannot tell from integers. */
  readonly floats?: readonly string[];
  /** Keys of objects in `state`, by JSON Pointer, where Python's order is not that of JavaScript (keys that look like numbers). */
  readonly key_orders?: KeyOrders;
  readonly events: readonly SessionEvent[];
  /** Rounds that have ended, by loop. */
  readonly loops?: Readonly<Record<string, number>>;
  /** Loops that `exit_loop` is leaving, innermost first. */
  readonly escalated?: readonly string[];
  /** The agent that the router chose. */
  readonly transfer?: string;
  /** Parallel regions around it, outermost first. */
  readonly branches?: readonly Branch[];
}

/** What is between the two joins of a region with more than two branches. */
export interface SessionParts {
  readonly parts: readonly Session[];
}

/** The state, and what its JSON does not tell of Python's values. */
export type SessionState = Pick<Session, 'state' | 'floats' | 'key_orders'>;

/** A value for the state, with pointers relative to itself. */
export interface StateValue {
  readonly value: Json;
  readonly floats: readonly string[];
  readonly orders?: KeyOrders;
}

/** The value of a key of the state; null if there is none. */
export function stateValue({ state, floats = [], key_orders = {} }: SessionState, key: string): StateValue | null {
  if (!Object.hasOwn(state, key)) return null;
  const prefix = jsonPointer([key]);
  const own = floats.filter((pointer) => isBelow(pointer, prefix)).map((pointer) => pointer.slice(prefix.length));
  const orders = Object.entries(key_orders).flatMap(([pointer, keys]) =>
    isBelow(pointer, prefix) ? [[pointer.slice(prefix.length), keys] as const] : [],
  );
  return { value: state[key] as Json, floats: own, ...(orders.length > 0 && { orders: Object.fromEntries(orders) }) };
}

/** Whether a JSON Pointer is another one or leads through it. */
export const isBelow = (pointer: string, prefix: string): boolean => pointer === prefix || pointer.startsWith(`${prefix}/`);

/** Writes of an agent, by key. */
export type Writes = Readonly<Record<string, StateValue>>;

/** The state with some keys written. Keys that begin with `temp:` last for one agent only, so they are dropped. */
export function withWrites(session: SessionState, writes: Writes): SessionState {
  const kept = Object.entries(writes).filter(([key]) => !key.startsWith('temp:'));
  if (kept.length === 0) {
    const { state, floats, key_orders } = session;
    return { state, ...(floats && { floats }), ...(key_orders && { key_orders }) };
  }
  const gone = kept.map(([key]) => jsonPointer([key]));
  const stays = (pointer: string) => !gone.some((prefix) => isBelow(pointer, prefix));
  const before = (session.floats ?? []).filter(stays);
  const floats = [...before, ...kept.flatMap(([key, { floats: own }]) => own.map((pointer) => jsonPointer([key]) + pointer))];
  const state = extendObject(session.state, Object.fromEntries(kept.map(([key, { value }]) => [key, value])));
  const key_orders = Object.fromEntries([
    ...Object.entries(session.key_orders ?? {}).filter(([pointer]) => stays(pointer)),
    ...kept.flatMap(([key, { orders = {} }]) =>
      Object.entries(orders).map(([pointer, keys]) => [jsonPointer([key]) + pointer, keys] as const),
    ),
  ]);
  return { state, ...(floats.length > 0 && { floats }), ...(Object.keys(key_orders).length > 0 && { key_orders }) };
}

/** What an agent adds to a session when it ends. */
export interface AgentEnd {
  readonly events: readonly Omit<SessionEvent, 'branch'>[];
  readonly writes: Writes;
  readonly escalated?: readonly string[];
  readonly transfer?: string;
}

/** The session after an agent has ended. */
export function afterAgent(session: Session, { events, writes, escalated, transfer }: AgentEnd): Session {
  const { state: _state, floats: _floats, key_orders: _orders, ...rest } = session;
  const path = branchPath(session);
  const said = extendList(
    session.events,
    events.map((event) => (path === '' ? event : { ...event, branch: path })),
  );
  const branches = session.branches?.map(({ ends, wrote, ...branch }): Branch => {
    const tick = ends.length + 1;
    const now = Object.keys(writes).filter((key) => !key.startsWith('temp:'));
    return { ...branch, ends: [...ends, said.length], wrote: { ...wrote, ...Object.fromEntries(now.map((key) => [key, tick])) } };
  });
  return {
    ...rest,
    ...withWrites(session, writes),
    events: said,
    ...(branches && { branches }),
    ...(escalated?.length && { escalated: [...new Set([...(session.escalated ?? []), ...escalated])] }),
    ...(transfer !== undefined && { transfer }),
  };
}

/** Adds to what the agent that has just ended said and wrote. */
export function extendAgent(session: Session, { events, writes }: Pick<AgentEnd, 'events' | 'writes'>): Session {
  if (events.length === 0 && Object.keys(writes).length === 0) return session;
  // The agent ends once: its previous end is taken back.
  const branches = session.branches?.map((branch): Branch => ({ ...branch, ends: branch.ends.slice(0, -1) }));
  return afterAgent({ ...session, ...(branches && { branches }) }, { events, writes });
}

/** The parallel branch that a session is in, as events name it; empty outside of one. */
export function branchPath({ branches = [] }: Pick<Session, 'branches'>): string {
  return branches.flatMap(({ path }) => (path === '' ? [] : [path])).join('.');
}
