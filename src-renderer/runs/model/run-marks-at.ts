import { durationText } from '#renderer/ui/values/durations.ts';
import { previewOf } from '#renderer/ui/values/value-preview.ts';
import type { NodeTally } from '#shared/contract/node-tally.ts';
import type { StateAt } from '#shared/contract/runs.ts';
import { drawnNode, frameName } from '#shared/run/node-id.ts';
import { toolText } from '#shared/run/stop.ts';
import { shortFailure } from './failed-line.ts';
import type { RunView } from './run-fold.ts';
import { type NodeMark, type RunMarks, type TokenMark, withStatesInside } from './run-marks.ts';

/** The selected step: a past one with its state map, or the latest. */
export type Viewpoint = { readonly seq: number; readonly state: StateAt | null } | 'now';

/** Statistics by node. */
export type Tallies = Readonly<Record<string, NodeTally>>;

const number = new Intl.NumberFormat('en');

function agentDetail({ turns, tokens }: NodeTally): string | undefined {
  if (turns === 0) return undefined;
  return tokens > 0 ? `turn ${turns} · ${number.format(tokens)} tokens` : `turn ${turns}`;
}

/** How often a node ran and how long that took in all: `3× · 12 ms`. */
function ranText({ count, duration_ms }: NodeTally): string | undefined {
  return count > 0 ? `${number.format(count)}× · ${durationText(duration_ms)}` : undefined;
}

function tokensOf(view: RunView, viewpoint: Viewpoint): Record<string, TokenMark> {
  const marks: Record<string, TokenMark> = {};
  if (viewpoint !== 'now') {
    for (const { name, value, written_at } of viewpoint.state?.states ?? []) {
      marks[name] = { preview: previewOf(value), fresh: written_at === viewpoint.seq };
    }
    return marks;
  }
  const values = new Map(view.current.states.map((state) => [state.name, state]));
  for (const { name, written_at } of view.waiting) {
    const known = values.get(name);
    marks[name] = { preview: known?.written_at === written_at ? previewOf(known.value) : '', fresh: written_at === view.seq };
  }
  return marks;
}

/** Marks of nodes that have run, by their statistics: those of a node that a step does not touch are the same object as before it. */
const ranMarks = new WeakMap<NodeTally, NodeMark>();

function ranMark(tally: NodeTally): NodeMark {
  const known = ranMarks.get(tally);
  if (known) return known;
  const [detail, ran] = [agentDetail(tally), ranText(tally)];
  const mark: NodeMark = { status: 'ran', count: tally.count, ...(detail && { detail }), ...(ran && { ran }) };
  ranMarks.set(tally, mark);
  return mark;
}

/** Statistics by card: those of a nested flow's nodes add up on the card of the flow, which counts how often the flow started. */
function drawnTallies(tallies: Readonly<Record<string, NodeTally>>): Record<string, NodeTally> {
  const drawn: Record<string, NodeTally> = {};
  for (const [id, tally] of Object.entries(tallies)) {
    const node = drawnNode(id);
    const known = drawn[node];
    if (!known && node === id) {
      drawn[node] = tally;
      continue;
    }
    drawn[node] = {
      count: (known?.count ?? 0) + (node === id ? tally.count : 0),
      turns: (known?.turns ?? 0) + tally.turns,
      tokens: (known?.tokens ?? 0) + tally.tokens,
      duration_ms: (known?.duration_ms ?? 0) + tally.duration_ms,
    };
  }
  return drawn;
}

/** What the canvas shows of a run, now or as it was after a step. `counted` replaces the statistics. */
export function marksAt(view: RunView, viewpoint: Viewpoint, counted: Tallies | null = null): RunMarks {
  const now = viewpoint === 'now';
  const nodes: Record<string, NodeMark> = {};
  const tallies = drawnTallies(counted ?? (now ? view.tallies : (viewpoint.state?.tallies ?? {})));
  for (const [node, found] of Object.entries(tallies)) {
    nodes[node] = ranMark(found);
  }
  const mark = (id: string, status: NodeMark['status'], badge?: string) => {
    const node = drawnNode(id);
    nodes[node] = { ...nodes[node], status, count: nodes[node]?.count ?? 0, ...(badge && { badge }) };
  };
  const next = now ? (view.status === 'paused' ? view.current.next : null) : viewpoint.state?.next;
  if (next) mark(next, 'next', nextBadge(tallies[drawnNode(next)]));
  if (now) {
    const ahead = Object.values(view.ahead);
    // A card may stand for several steps: what works now is said of it.
    for (const step of ahead.filter(({ waiting }) => waiting)) mark(step.node, 'ran', 'done ahead');
    for (const step of ahead.filter(({ waiting }) => !waiting)) mark(step.node, 'running', runningBadge(step));
    if (view.activity) mark(view.activity.node, 'running', runningBadge(view.activity));
    for (const suspension of view.suspensions) mark(suspension.node, 'waiting', 'waiting');
    if (view.status === 'error' && view.error?.node) {
      const node = drawnNode(view.error.node);
      mark(node, 'failed', 'failed');
      nodes[node] = { ...(nodes[node] as NodeMark), failure: shortFailure(view.error) };
    }
  }
  const tokens = tokensOf(view, viewpoint);
  const marked = withStatesInside(nodes, Object.keys(tokens));
  for (const { node: id, index, of, call } of (now ? view.current : viewpoint.state)?.items ?? []) {
    const name = call ? frameName(id) : null;
    const drawn = name?.type === 'call' ? name.caller : id;
    const node = marked[drawn];
    if (call && index > 0) continue;
    // Of several calls, the first one is in progress.
    if (call && node && !node.detail) marked[drawn] = { ...node, detail: `in ${toolText(call.tool)}` };
    if (!call && node && of !== null) marked[drawn] = { ...node, detail: `item ${Math.min(index + 1, of)} of ${of}` };
  }
  return { nodes: marked, tokens };
}

function nextBadge(found: NodeTally | undefined): string | undefined {
  return found && found.turns > 0 && found.count === 0 ? `turn ${found.turns}` : undefined;
}

function runningBadge(activity: NonNullable<RunView['activity']>): string {
  return activity.turn === null ? 'running' : `turn ${activity.turn}`;
}
