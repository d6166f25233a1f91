import { type FrameDetail, framesOf, type NameNode, nextPlace, placeOf, unknownFrame } from '#main/debug/place.ts';
import { placeName } from '#main/debug/readable-failure.ts';
import type { Journal } from '#main/journal/journal.ts';
import { RunReader } from '#main/journal/run-reader.ts';
import type { FoldedRun } from '#main/journal/state-fold.ts';
import type { FlowGraph } from '#shared/flow/graph.ts';
import type { Control } from '#shared/run/snapshot.ts';
import type { Frame } from '#shared/run/stop.ts';

/** Number of names that are kept: items of an `each` node have a name each. */
const namesKept = 1000;

/** Returns a function that names the nodes of runs as text: `Price all › item 3 › Half it`. Lists are not read, so their lengths are left out. */
export function nodeNames(journal: Journal): (runId: string, node: string) => string {
  const names = new Map<string, string>();
  return (runId, node) => {
    const known = names.get(`${runId} ${node}`);
    if (known !== undefined) return known;
    const name = placeName(journal.graphOf(journal.row(runId)), node) ?? node;
    if (names.size >= namesKept) names.clear();
    names.set(`${runId} ${node}`, name);
    return name;
  };
}

/**
 * Returns the frames of record `seq`, outermost first; for 0, those of the node that fires first, and without `seq`, those of the node that waits or fires
 * next: empty when the run has ended. Throws `NotFound`.
 */
export function framesAt(journal: Journal, runId: string, seq?: number, name?: NameNode): Frame[] {
  const row = journal.row(runId);
  const reader = new RunReader(journal, row);
  const graph = journal.graphOf(row);
  if (seq === 0) return framesNext(graph, reader.foldAt(0), name);
  if (seq !== undefined) {
    const [entry] = reader.timeline(seq, 1);
    if (!entry) {
      // Refuses a step that the run does not have.
      reader.foldAt(seq);
      return [];
    }
    const { states, control } = reader.foldAt(seq - 1);
    const place = placeOf(graph, entry.node, { states, control });
    const detail = entry.kind === 'agent' && entry.phase ? { phase: entry.phase, ...(entry.turn !== null && { turn: entry.turn }) } : {};
    return place ? framesOf(place, detail, name) : unknownFrame(entry.node);
  }
  if (row.status === 'success' || row.status === 'cancelled') return [];
  return framesNext(graph, reader.foldAt(row.last_seq), name);
}

/** Returns the frames of the node that waits or fires next. */
function framesNext(graph: FlowGraph, { states, control }: FoldedRun, name: NameNode | undefined): Frame[] {
  const [waiting] = control.suspensions;
  const at = { states, control };
  const place = waiting ? placeOf(graph, waiting.node, at) : nextPlace(graph, states.keys(), at);
  if (!place) return waiting ? unknownFrame(waiting.node) : [];
  return framesOf(place, detailNow(control, place.id), name);
}

function detailNow({ agents, suspensions }: Control, node: string): FrameDetail {
  const agent = agents[node];
  const [waiting] = suspensions;
  const asked = waiting && (waiting.inner_tool_id ?? waiting.tool_id);
  const call = asked && waiting.reason !== 'suspend_node' ? { id: waiting.tool_call_id, tool: asked.slice(node.length + 2) } : null;
  return {
    ...(agent && { phase: agent.phase, turn: agent.phase === 'reason' ? agent.turn + 1 : agent.turn }),
    ...(call && { call }),
  };
}
