import { copiedText, paste } from '#renderer/document/editing/clipboard.ts';
import type { Point } from '#renderer/document/editing/edit-plan.ts';
import { carryOut, currentFlow } from '#renderer/document/flows/editor.ts';
import { bringIntoSight, selectionStore } from '#renderer/document/flows/selection.ts';
import { cardHeight } from '#renderer/document/graph/card-geometry.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import { deleteSelection } from './delete-selection.ts';
import { freshId } from './note-actions.ts';
import { selectedNodes, selectedNotes } from './selected.ts';
import { texts } from './texts.ts';

/** The selected nodes, notes and groups as text, or null if nothing is selected. A note that has the focus counts as selected. */
function selectedText(): string | null {
  const flow = currentFlow();
  if (!flow?.readable) return null;
  const nodes = selectedNodes(flow);
  const focused = document.activeElement?.closest<HTMLElement>('[data-note]')?.dataset.note;
  const notes = flow.extras.notes?.filter((note) => note.id === focused || selectedNotes(flow).includes(note)) ?? [];
  const keys = nodes.map(({ key }) => key);
  const drawing = { positions: flow.positions, notes, groups: flow.extras.groups ?? [] };
  return copiedText(
    flow.readable,
    nodes.map(({ index }) => index),
    keys,
    drawing,
  );
}

/** Writes what is selected to an event's clipboard and, with `cut`, deletes them. Returns false if nothing is selected. */
export function copySelection(clipboard: DataTransfer, cut: boolean): boolean {
  const text = selectedText();
  if (text === null) return false;
  clipboard.setData('text/plain', text);
  announce(cut ? texts.clipboard.cut : texts.clipboard.copied);
  if (cut) deleteSelection();
  return true;
}

/** As Ctrl+C or, with `cut`, Ctrl+X, for the palette, which has no clipboard event. */
export async function copyByCommand(cut: boolean): Promise<void> {
  const text = selectedText();
  if (text === null) {
    announce(texts.clipboard.selectFirst);
    return;
  }
  try {
    await navigator.clipboard.writeText(text);
    announce(cut ? texts.clipboard.cut : texts.clipboard.copied);
    if (cut) deleteSelection();
  } catch {
    noticeProblem(texts.clipboard.notCopied, texts.clipboard.cannotWrite(cut ? 'Ctrl+X' : 'Ctrl+C'));
  }
}

/** As Ctrl+V, for the palette. */
export async function pasteByCommand(): Promise<void> {
  try {
    pasteText(await navigator.clipboard.readText());
  } catch {
    noticeProblem(texts.clipboard.notPasted, texts.clipboard.cannotRead);
  }
}

/** Adds the nodes and notes of a text to the current flow, beside the selection. */
export function pasteText(text: string): void {
  const flow = currentFlow();
  if (!flow?.readable) return;
  const plan = paste(flow.readable, text, { at: placeBeside(), freshId });
  if (!plan.ok) noticeProblem(texts.clipboard.notPasted, plan.reason);
  else if (carryOut(plan)) {
    const [node] = selectionStore.getState().nodes;
    if (node !== undefined) bringIntoSight(node);
  }
}

/** Duplicates what is selected. */
export function duplicateSelection(): void {
  const text = selectedText();
  if (text !== null) pasteText(text);
}

/** Space between what is selected and its copy. */
const gap = 40;

/** Below what is selected, else below the whole flow. */
function placeBeside(): Point {
  const flow = currentFlow();
  if (!flow) return { x: 0, y: 0 };
  const [nodes, notes] = [selectedNodes(flow), selectedNotes(flow)];
  const isNothing = nodes.length + notes.length === 0;
  const places = (isNothing ? flow.view.nodes : nodes).flatMap((node) => {
    const place = flow.positions[node.key];
    return place ? [{ x: place.x, bottom: place.y + cardHeight(node) }] : [];
  });
  const drawn = [...places, ...(isNothing ? (flow.extras.notes ?? []) : notes).map(({ x, y, height }) => ({ x, bottom: y + height }))];
  if (drawn.length === 0) return { x: 0, y: 0 };
  const left = Math.min(...drawn.map(({ x }) => x));
  return { x: isNothing ? left : left + 32, y: Math.max(...drawn.map(({ bottom }) => bottom)) + gap };
}
