import type { FlowPlan, NodePlan } from '#main/runtime/node-plan.ts';
import { nodeInside } from '#main/runtime/place.ts';
import { canonicalJson, type Json } from '#shared/json.ts';
import { wholeMessages } from '#shared/runtime/cut-message.ts';
import type { History } from '#shared/runtime/message.ts';
import type { Control, PendingCall, Snapshot } from '#shared/runtime/snapshot.ts';

/** What a fork takes along besides the states. */
export interface CarriedOver {
  readonly control: Control;
  readonly history: History;
  /** What does not simply go on, in sentences for people. */
  readonly notes: readonly string[];
}

/** Where a run stands and with what flow it goes on. */
export interface Crossing {
  readonly from: FlowPlan;
  readonly to: FlowPlan;
  readonly snapshot: Snapshot;
  readonly history: History;
  /** States whose value was edited. */
  readonly edited: ReadonlySet<string>;
}

/**
 * Takes what is under way over to another version of the flow, or to edited states. A node that is still the same goes on where it stood. One that would have
 * begun differently (another prompt, another body, another input) begins anew, since half of an old conversation under a new prompt would be neither run; its
 * share of the agents' conversations stays behind. What only bounds how a node goes on (an agent's limits, model, parameters, tools) takes effect at once.
 */
export function carryOver(crossing: Crossing): CarriedOver {
  return new Crossover(crossing).carried();
}

class Crossover {
  readonly #crossing: Crossing;
  readonly #notes: string[] = [];
  /** Nodes that begin anew, and why they do; null for those that go on. */
  readonly #judged = new Map<string, boolean>();
  /** Calls of flows that begin anew. */
  readonly #restarted = new Set<string>();

  constructor(crossing: Crossing) {
    this.#crossing = crossing;
  }

  carried(): CarriedOver {
    const { control } = this.#crossing.snapshot;
    const frames = keep(control.frames, (id) => this.#goesOn(id));
    const agents = map(
      keep(control.agents, (id) => this.#goesOn(id)),
      (id, agent) => ({ ...agent, pending: agent.pending.map((call) => this.#call(id, call)) }),
    );
    const handlers = map(
      keep(control.handlers, (id) => this.#goesOn(id)),
      (id, handler) => ({
        ...handler,
        calls: handler.calls.map((call) => this.#call(id, call)),
        // Records are numbered anew; what the parent's handler had come to is on the parent's record.
        ...(handler.since !== undefined && { since: 1 }),
      }),
    );
    const stays = ({ node, tool_call_id }: { readonly node: string; readonly tool_call_id: string }): boolean =>
      this.#goesOn(node) && ![...this.#restarted].some((call) => tool_call_id.startsWith(`${call}/`));
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
    };
  }

  /** Whether a node that is under way goes on. The first time it is asked about one, what is to be said of it is noted. */
  #goesOn(id: string): boolean {
    const known = this.#judged.get(id);
    if (known !== undefined) return known;
    const outer = outerEach(id);
    const goesOn = (outer === null || this.#goesOn(outer)) && this.#judge(id);
    this.#judged.set(id, goesOn);
    return goesOn;
  }

  #judge(id: string): boolean {
    const { from, to, edited } = this.#crossing;
    const [before, now] = [nodeInside(from, id), nodeInside(to, id)];
    if (!before || !now) {
      this.#notes.push(`The flow has no node ${id} any more: what was under way there stays behind.`);
      return false;
    }
    const changed = before.node.kind !== now.node.kind || beginning(before) !== beginning(now);
    const input = before.node.from.find((name) => outerEach(id) === null && before.each === null && edited.has(name));
    if (changed) this.#notes.push(`${id} was under way and is defined differently now: it begins anew.`);
    else if (input !== undefined) this.#notes.push(`${id} was under way, and its ${input} was edited: it begins anew.`);
    else if (definition(before) !== definition(now)) this.#notes.push(`${id} goes on where it stood, by its new definition.`);
    return !changed && input === undefined;
  }

  /** A called flow that is another version now cannot go on in the middle. */
  #call(id: string, call: PendingCall): PendingCall {
    if (!call.flow) return call;
    const tool = nodeInside(this.#crossing.to, id)?.flowTools.get(call.tool);
    if (tool?.graph.hash === call.flow.snapshot.flow.hash) return call;
    this.#restarted.add(call.tool_call_id);
    this.#notes.push(`${id} was waiting in a call of ${call.tool}, which is another version now: that call begins anew.`);
    const { flow: _stays, answer: _given, ...again } = call;
    return again;
  }

  #positions(): Control['script_positions'] {
    const { script_positions, agents } = this.#crossing.snapshot.control;
    const here = keep(script_positions, (id) => nodeInside(this.#crossing.to, id) !== undefined);
    // A model that reads from a script answers again what it has answered in the visit that begins anew.
    return map(here, (id, position) => (agents[id] && !this.#goesOn(id) ? Math.max(0, position - agents[id].turn) : position));
  }

  #history(): History {
    const { history, to, snapshot } = this.#crossing;
    const here = keep(history, (id) => nodeInside(to, id) !== undefined);
    return map(here, (id, messages) => {
      const agent = snapshot.control.agents[id];
      return agent && !this.#goesOn(id) ? wholeMessages(messages).slice(0, agent.history_start) : messages;
    });
  }
}

/** The `each` node that a node's id in a run places it in; null for a node of the flow itself. */
function outerEach(id: string): string | null {
  const end = id.lastIndexOf(']::');
  return end < 0 ? null : id.slice(0, id.lastIndexOf('[', end));
}

/** What decides how a node begins, as text. */
function beginning({ node, outputs }: NodePlan): string {
  const { body, from, to } = node;
  // What its items go on by is looked at item by item.
  if (body.type === 'each') return textOf([from, to]);
  if (body.type !== 'agent') return textOf([from, to, body]);
  const { limits, model, params, tools, context, trust_content, output, ...opening } = body.agent;
  return textOf([from, to, opening, outputs.map(({ schema }) => schema)]);
}

function definition({ node, each }: NodePlan): string {
  return textOf([node.from, node.to, each ? each.graph.hash : node.body]);
}

/** A definition as text; a function stands there by its source. */
function textOf(definition: unknown): string {
  const text = JSON.stringify(definition, (_key, value: unknown) => (typeof value === 'function' ? String(value) : value));
  return canonicalJson(JSON.parse(text) as Json);
}

type ById<Value> = Readonly<Record<string, Value>>;

function keep<Value>(record: ById<Value>, wanted: (id: string) => boolean): ById<Value> {
  return Object.fromEntries(Object.entries(record).filter(([id]) => wanted(id)));
}

function map<Value, Other>(record: ById<Value>, change: (id: string, value: Value) => Other): ById<Other> {
  return Object.fromEntries(Object.entries(record).map(([id, value]) => [id, change(id, value)]));
}
