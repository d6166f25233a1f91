import { disconnect } from '#renderer/editing/connect.ts';
import { removeNodes } from '#renderer/editing/remove.ts';
import { carryOut, currentFlow } from '#renderer/stores/editor.ts';
import { selectionStore } from '#renderer/stores/selection.ts';

/** Deletes the selected nodes, or where only wires are selected disconnects those. False when nothing is selected. */
export function deleteSelection(): boolean {
  const flow = currentFlow();
  const { nodes, wires } = selectionStore.getState();
  if (!flow?.readable) return false;
  const indices = flow.view.nodes.filter((node) => nodes.includes(node.key)).map((node) => node.index);
  if (indices.length > 0) return carryOut(removeNodes(flow.readable, indices));
  // Each wire's plan is made on the flow that the plan before it left.
  let done = false;
  for (const key of wires) {
    const now = currentFlow();
    const wire = now?.view.wires.find((candidate) => candidate.key === key);
    const source = now?.view.nodes.find((node) => node.key === wire?.source);
    const target = now?.view.nodes.find((node) => node.key === wire?.target);
    if (!now?.readable || !wire || !source || !target) continue;
    const ends = { source: source.index, source_port: wire.source_port, target: target.index, target_port: wire.target_port };
    done = carryOut(disconnect(now.readable, ends)) || done;
  }
  return done;
}
