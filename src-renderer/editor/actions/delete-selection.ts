import { disconnect } from '#renderer/document/editing/connect.ts';
import { removeNodes } from '#renderer/document/editing/remove.ts';
import { carryOut, currentFlow } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';

/** Deletes the selected nodes, or disconnects the selected wires if no node is selected. Returns false if nothing is selected. */
export function deleteSelection(): boolean {
  const flow = currentFlow();
  const { nodes, wires } = selectionStore.getState();
  if (!flow?.readable) return false;
  const indices = flow.view.nodes.filter((node) => nodes.includes(node.key)).map((node) => node.index);
  if (indices.length > 0) return carryOut(removeNodes(flow.readable, indices));
  // Plan each wire on the flow that results from the previous plan.
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
