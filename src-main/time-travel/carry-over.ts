import { nodeInside } from '#main/engine/step/frame-cursor.ts';
import type { FlowPlan, NodePlan } from '#main/engine/step/node-plan.ts';
import { runNodeTitle } from '#shared/flow/run-node-title.ts';
import { canonicalJson, type Json } from '#shared/json.ts';
import { wholeMessages } from '#shared/run/cut-message.ts';
import { isConversationId } from '#shared/run/kept-conversation.ts';
import type { History } from '#shared/run/message.ts';
import { enclosingFrameKey, frameName } from '#shared/run/node-id.ts';
import type { Control, PendingCall, Snapshot } from '#shared/run/snapshot.ts';

/** What a fork inherits besides the states. */
export interface CarriedOver {
  readonly control: Control;
  readonly history: History;
  /** Readable notes about everything that does not simply continue. */
  readonly notes: readonly string[];
  /** Whether a step in progress starts again or is dropped. */
  readonly restarts: boolean;
}

/** The position of a run and the flow with which it continues. */
export interface Crossing {
  readonly from: FlowPlan;
  readonly to: FlowPlan;
  readonly snapshot: Snapshot;
  readonly history: History;
  /** States whose value was edited. */
  readonly edited: ReadonlySet<string>;
}

/**
 * Carries steps in progress over to another version of the flow, or to edited states. An unchanged node continues where it was. A node that would have
 * started differently (another prompt, body or input) starts again, since half of an old conversation under a new prompt would match neither run; its
 * share of the agents' conversations is dropped. What only affects how a node continues (an agent's limits, model, parameters, tools) takes effect at once.
 */
export function carryOver(crossing: Crossing): CarriedOver {
  return new Crossover(crossing).carried();
}

class Crossover {
  readonly #crossing: Crossing;
  readonly #notes: string[] = [];
  /** Why nodes start again; null for those that continue. */
  readonly #judged = new Map<string, boolean>();
  /** Flow calls that start again. */
  readonly #restarted = new Set<string>();

  constructor(crossing: Crossing) {
    this.#crossing = crossing;
  }

  carried(): CarriedOver {
    const { control } = this.#crossing.snapshot;
    const frames = keepState(control.frames, (id) => this.#continues(id));
    const agents = map(
      keepState(control.agents, (id) => this.#continues(id)),
      (id, agent) => ({ ...agent, pending: agent.pending.map((call) => this.#call(id, call)) }),
    );
    const handlers = map(
      keepState(control.handlers, (id) => this.#continues(id)),
      (id, handler) => ({
        ...handler,
        calls: handler.calls.map((call) => this.#call(id, call)),
        // Records are renumbered; the result of the parent's handler is in the parent's record.
        ...(handler.since !== undefined && { since: 1 }),
      }),
    );
    const stays = ({ node, tool_call_id }: { readonly node: string; readonly tool_call_id: string }): boolean =>
      this.#continues(node) && ![...this.#restarted].some((call) => tool_call_id.startsWith(`${call}/`));
    return {
      control: {
        ...control,
        frames,
        agents,
        handlers,
        suspensions: control.suspensions.filter(stays),
        answers: control.answers.filter(({ suspension }) => stays(suspension)),
        script_positions: this.#positions(),
      },
      history: this.#history(),
      notes: this.#notes,
      restarts: this.#restarted.size > 0 || [...this.#judged.values()].includes(false),
    };
  }

  /** Whether a node in progress continues. Adds a note at the first call for each node. */
  #continues(id: string): boolean {
    const known = this.#judged.get(id);
    if (known !== undefined) return known;
    const outer = outerOf(id);
    const goesOn = (outer === null || this.#continues(outer)) && (callerOf(id) === null ? this.#judge(id) : this.#judgeCall(id));
    this.#judged.set(id, goesOn);
    return goesOn;
  }

  #judge(id: string): boolean {
    const { from, to, edited } = this.#crossing;
    const [before, now] = [nodeInside(from, id), nodeInside(to, id)];
    if (!before || !now) {
      this.#notes.push(`The flow no longer has a node ${runNodeTitle(from.graph, id)}: its step in progress is dropped.`);
      return false;
    }
    const changed = before.node.kind !== now.node.kind || beginning(before) !== beginning(now);
    const input = before.node.from.find((name) => outerOf(id) === null && before.each === null && edited.has(name));
    const name = runNodeTitle(from.graph, id);
    if (changed) this.#notes.push(`${name} was in progress and its definition has changed: it starts again.`);
    else if (input !== undefined) this.#notes.push(`${name} was in progress and its ${input} was edited: it starts again.`);
    else if (definition(before) !== definition(now)) this.#notes.push(`${name} continues where it was, with its new definition.`);
    return !changed && input === undefined;
  }

  /** Whether a called flow continues: its nodes are judged one by one, as those of an item. */
  #judgeCall(key: string): boolean {
    const { to, snapshot } = this.#crossing;
    const { call } = snapshot.control.frames[key] ?? {};
    return call !== undefined && nodeInside(to, callerOf(key) ?? '')?.flowTools.has(call.flow) === true;
  }

  /** A called flow that has changed can't continue in the middle of a step. */
  #call(id: string, call: PendingCall): PendingCall {
    if (call.frame !== undefined && !this.#continues(call.frame)) {
      this.#notes.push(`${id} was in a call of ${call.tool}, which the flow no longer has: the call starts again.`);
      const { frame: _dropped, ...again } = call;
      return again;
    }
    if (!call.flow) return call;
    const tool = nodeInside(this.#crossing.to, id)?.flowTools.get(call.tool);
    if (tool?.graph.hash === call.flow.snapshot.flow.hash) return call;
    this.#restarted.add(call.tool_call_id);
    this.#notes.push(
      `${runNodeTitle(this.#crossing.from.graph, id)} was waiting in a call of ${call.tool}, which has changed: the call starts again.`,
    );
    const { flow: _stays, answer: _given, ...again } = call;
    return again;
  }

  #positions(): Control['script_positions'] {
    const { script_positions, agents } = this.#crossing.snapshot.control;
    const here = keepState(script_positions, (id) => this.#isThere(id));
    // A scripted model repeats its responses for the visit that starts again.
    return map(here, (id, position) => (agents[id] && !this.#continues(id) ? Math.max(0, position - agents[id].turn) : position));
  }

  /** Whether the flow has a node, and the called flow that contains it has not started again. */
  #isThere(id: string): boolean {
    const { to, snapshot } = this.#crossing;
    const key = enclosingFrameKey(id);
    const restarts = key !== null && callerOf(key) !== null && Object.hasOwn(snapshot.control.frames, key) && !this.#continues(key);
    return !restarts && nodeInside(to, id) !== undefined;
  }

  #history(): History {
    const { history, snapshot } = this.#crossing;
    const { agents } = snapshot.control;
    const here = keepState(history, (id) => isConversationId(id) || this.#isThere(id));
    return map(here, (id, messages) => {
      const node = isConversationId(id) ? Object.keys(agents).find((key) => agents[key]?.conversation?.id === id) : id;
      const agent = node === undefined ? undefined : agents[node];
      const isItsOwn = (agent?.conversation?.id ?? node) === id;
      return node !== undefined && agent && isItsOwn && !this.#continues(node)
        ? wholeMessages(messages).slice(0, agent.history_start)
        : messages;
    });
  }
}

/** Returns what contains a node or called flow: the `each` node or called flow around it, or its caller. Null for a top-level node. */
function outerOf(id: string): string | null {
  return callerOf(id) ?? enclosingFrameKey(id);
}

/** Returns the node that calls a flow, from the key of the flow's frame; null for a node. */
function callerOf(key: string): string | null {
  const name = frameName(key);
  return name?.type === 'call' ? name.caller : null;
}

/** Serializes what decides how a node starts. */
function beginning({ node, outputs }: NodePlan): string {
  const { body, from, to } = node;
  // Its inner nodes are checked item by item.
  if (body.type === 'each') return textOf([from, to]);
  if (body.type !== 'agent') return textOf([from, to, body]);
  const { limits, model, params, tools, context, trust_content, output, ...opening } = body.agent;
  return textOf([from, to, opening, outputs.map(({ schema }) => schema)]);
}

function definition({ node, each }: NodePlan): string {
  return textOf([node.from, node.to, each ? each.graph.hash : node.body]);
}

/** Serializes a definition; functions are represented by their source. */
function textOf(definition: unknown): string {
  const text = JSON.stringify(definition, (_key, value: unknown) => (typeof value === 'function' ? String(value) : value));
  return canonicalJson(JSON.parse(text) as Json);
}

type ById<Value> = Readonly<Record<string, Value>>;

function keepState<Value>(record: ById<Value>, wanted: (id: string) => boolean): ById<Value> {
  return Object.fromEntries(Object.entries(record).filter(([id]) => wanted(id)));
}

function map<Value, Other>(record: ById<Value>, change: (id: string, value: Value) => Other): ById<Other> {
  return Object.fromEntries(Object.entries(record).map(([id, value]) => [id, change(id, value)]));
}
