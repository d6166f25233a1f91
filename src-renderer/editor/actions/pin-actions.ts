import { studio } from '#renderer/api/studio.ts';
import { currentFlow } from '#renderer/document/flows/editor.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { nodeAt } from '#renderer/document/graph/readable-flow.ts';
import { breakpointStore } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { requestRun } from '#renderer/runs/dialogs/run-request.ts';
import { nodeInRun, wayInto } from '#renderer/runs/model/run-inside.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { runSubjectStore } from '#renderer/runs/model/run-subject.ts';
import { pinOf, pinOfOutput } from '#renderer/runs/supplied/supplied-edits.ts';
import { editPin, newSuppliedId, putPin, removePin } from '#renderer/runs/supplied/supplied-store.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { panelsStore } from '#renderer/shell/panels.ts';
import type { IterationDetail } from '#shared/contract/iterations.ts';
import { singleNodeFlow } from '#shared/flow/single-node-flow.ts';
import { triedPath } from '#shared/flow/tried-path.ts';
import { openInInspector } from './open-in-inspector.ts';
import { texts } from './texts.ts';
import { selectedNode } from './why-not.ts';

/** Calls `act` with the selected node and its flow's path; without one says what to do. */
function withNode(act: (node: NodeView, path: string) => Promise<void>): void {
  const [node, flow] = [selectedNode(), currentFlow()];
  if (node && flow) void act(node, flow.path);
  else announce(texts.why.selectNode);
}

/** Pins the selected node's output: the one of the shown step, else one that is typed. Removes the pin that it has. */
export function togglePinAtSelection(): void {
  withNode(async (node, path) => {
    const known = pinOf(breakpointStore.getState().supplied, path, node.id);
    if (known && !known.disabled) return removePin(path, node.id, node.title);
    await pinNode(node, path);
  });
}

/** Pins the output that a node has produced at the shown step; opens the form where it has produced none. */
export async function pinNode(node: NodeView, path: string): Promise<void> {
  const round = await shownRound(node);
  const run_id = runSessionStore.getState().view?.run_id;
  const pin =
    round?.status === 'done' && run_id !== undefined
      ? pinOfOutput(path, node, round.output, { run_id, seq: round.to_seq }, newSuppliedId('pin'))
      : null;
  if (pin) {
    await putPin(pin, node.title);
    return;
  }
  openInInspector(node.key);
  editPin({ flow: path, node: node.id });
}

/** Disables the selected node, which then returns what it consumes, or enables it. */
export function toggleDisabledAtSelection(): void {
  withNode(async (node, path) => {
    const known = pinOf(breakpointStore.getState().supplied, path, node.id);
    if (known?.disabled) await removePin(path, node.id, node.title);
    else await disableNode(node, path);
  });
}

export async function disableNode(node: NodeView, path: string): Promise<void> {
  await putPin({ id: newSuppliedId('pin'), kind: 'pin', flow: path, node: node.id, disabled: true }, node.title);
}

/** What a node consumed and produced last in the shown run, up to the shown step; null if no run of the flow is shown. */
async function shownRound(node: NodeView): Promise<IterationDetail | null> {
  const { view, selected, shown } = runSessionStore.getState();
  const way = view && wayInto(view, runSubjectStore.getState().flow);
  if (!view || !way) return null;
  const id = nodeInRun(view, selected === null ? 'now' : { seq: selected, state: shown }, way, node.id);
  const at = { run_id: view.run_id, node: id, nested: node.kind === 'flow', ...(selected !== null && { seq: selected }) };
  return studio.runs.iteration(at).then(
    ({ iteration }) => iteration,
    () => null,
  );
}

/** Opens the dialog that runs the selected node alone, with the input of the shown step. */
export function runSelectedAlone(): void {
  withNode(async (view) => {
    const flow = currentFlow();
    const node = flow?.readable ? nodeAt(flow.readable, view.index) : undefined;
    if (!flow?.readable || !node) return;
    const states = { from: view.inputs.map(({ state }) => state), to: view.outputs.map(({ state }) => state) };
    const text = JSON.stringify(singleNodeFlow({ node, path: flow.path, schemas: flow.readable.schemas, states }));
    const round = await shownRound(view);
    const values = round?.input.map(({ value }) => value) ?? [];
    const input = values.length > 1 ? Object.fromEntries(states.from.map((name, index) => [name, values[index] ?? null])) : values[0];
    panelsStore.getState().offerBottom('timeline');
    requestRun({ path: triedPath(`${view.title} of ${flow.path}`), text, errors: 0 }, 'continue', input);
  });
}
