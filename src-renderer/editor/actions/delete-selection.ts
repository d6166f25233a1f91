import { disconnect } from '#renderer/document/editing/connect.ts';
import { removeNodes } from '#renderer/document/editing/remove.ts';
import { carryOut, currentFlow } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import { removeNotes } from './note-actions.ts';
import { selectedNodes, selectedNotes } from './selected.ts';
import { texts } from './texts.ts';

/** Deletes the selected nodes and notes, as one undo step, or disconnects the selected wires if there are none. Returns false if nothing is selected. */
export function deleteSelection(): boolean {
  const flow = currentFlow();
  const { wires } = selectionStore.getState();
  if (!flow?.readable) return false;
  const [indices, notes] = [selectedNodes(flow).map(({ index }) => index), selectedNotes(flow)];
  const merge = `delete ${notes.map(({ id }) => id).join()}`;
  const plan = removeNodes(flow.readable, indices);
  if (indices.length > 0 && !carryOut(plan.ok && notes.length > 0 ? { ...plan, merge } : plan)) return false;
  if (notes.length > 0) removeNotes(notes, plan.ok ? plan.label : texts.note.remove, merge);
  if (indices.length + notes.length > 0) return true;
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
