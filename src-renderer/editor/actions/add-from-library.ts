import { studio } from '#renderer/api/studio.ts';
import { addNode } from '#renderer/document/editing/add-node.ts';
import { connectionOfWire } from '#renderer/document/editing/connect.ts';
import { type InnerFlow, innerFlowOf, withInnerFlow } from '#renderer/document/editing/inner-flow.ts';
import { insertOnWire } from '#renderer/document/editing/insert-on-wire.ts';
import { carryOut, currentFlow, takeInnerPorts } from '#renderer/document/flows/editor.ts';
import { revealNode, selectionStore } from '#renderer/document/flows/selection.ts';
import { flowPathIn } from '#renderer/document/graph/flow-path.ts';
import { freePlace } from '#renderer/document/layout/carry-positions.ts';
import { readText } from '#renderer/document/reading/read-text.ts';
import type { DragPayload } from '#renderer/editor/entries/drag-payload.ts';
import { modelsStore } from '#renderer/workspace/models/models.ts';
import { openQuickAdd, type QuickAddRequest } from './quick-add-store.ts';

/** Height of a typical card, with two ports and a detail. */
const usualHeight = 112;

/** Where to add a node. Without `screen`, a follow-up menu opens in the middle of the canvas. */
export type Place = Pick<QuickAddRequest, 'at' | 'consumes' | 'produces' | 'wire'> & Partial<Pick<QuickAddRequest, 'screen'>>;

/**
 * Adds a library or quick-add entry to the current flow, at the next free position below `at`, and selects it. For a
 * node that runs a flow, first asks for what is missing: which flow, and whether it runs once or for each item.
 */
export function addFromLibrary(payload: DragPayload, { screen = middleOfCanvas(), ...place }: Place): void {
  const flow = currentFlow();
  if (!flow?.readable) return;
  const runsFlow = payload.kind === 'flow' || payload.kind === 'each';
  if (runsFlow && !flow.code && (!payload.file || payload.undecided)) openQuickAdd({ ...place, screen, choosing: payload });
  else if (runsFlow && payload.file) void addFlowNode(flow.path, payload.file, payload, place);
  else add(payload, place);
}

function add(payload: DragPayload, into: Omit<Place, 'screen'>, inner?: InnerFlow): void {
  const flow = currentFlow();
  if (!flow?.readable) return;
  const { undecided: _undecided, ...chosen } = payload;
  const at = freePlace(into.at, usualHeight, flow.view, flow.positions);
  const model = modelsStore.getState().overview?.default_model;
  const { wire: key, ...ends } = into;
  const added = { ...chosen, ...ends, at, ...(inner && { inner }), ...(model && { model }) };
  const wire = key === undefined ? undefined : connectionOfWire(flow.view, key);
  const plan = wire ? insertOnWire(flow.readable, wire, added) : addNode(flow.readable, added);
  const place = flow.positions[flow.view.nodes.find(({ index }) => index === wire?.target)?.key ?? ''];
  // The wire's target consumes another state, which gives it another key: it stays where it is.
  const target = wire && place ? { added: { nodes: [{ index: wire.target, place }], notes: [], groups: [] } } : {};
  if (!carryOut(plan.ok ? { ...plan, ...target } : plan)) return;
  const selected = selectionStore.getState().nodes.at(-1);
  if (selected) revealNode(selected, true);
}

/** Adds a node that runs a flow file, after reading the file's input and output. An unreadable file becomes a problem of the node. */
async function addFlowNode(path: string, file: string, payload: DragPayload, place: Omit<Place, 'screen'>): Promise<void> {
  const inner = await readInnerFlow(path, file);
  const flow = currentFlow();
  if (flow?.path !== path) return;
  if (inner && payload.kind === 'flow') takeInnerPorts(path, withInnerFlow(flow.inner, file, inner));
  add(payload, place, inner ?? undefined);
}

/** Input and output of the flow that the document at `path` refers to as `file`, including unsaved edits, or null if it cannot be read. */
export async function readInnerFlow(path: string, file: string): Promise<InnerFlow | null> {
  const target = flowPathIn(path, file);
  if (target === null) return null;
  try {
    const { text, draft } = await studio.flows.read({ path: target });
    return innerFlowOf(await readText(draft?.text ?? text, target));
  } catch {
    return null;
  }
}

function middleOfCanvas(): { readonly x: number; readonly y: number } {
  const box = document.querySelector('[data-canvas]')?.getBoundingClientRect();
  return box ? { x: box.left + box.width / 2 - 140, y: box.top + box.height / 4 } : { x: 200, y: 200 };
}
