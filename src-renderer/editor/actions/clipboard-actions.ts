import { copiedText, paste } from '#renderer/document/editing/clipboard.ts';
import { carryOut, currentFlow } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import { card } from '#renderer/document/graph/card-geometry.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import { deleteSelection } from './delete-selection.ts';
import { texts } from './texts.ts';

/** The selected nodes as text, or null if nothing is selected. */
function selectedText(): string | null {
  const flow = currentFlow();
  const { nodes } = selectionStore.getState();
  if (!flow?.readable) return null;
  return copiedText(
    flow.readable,
    flow.view.nodes.filter((node) => nodes.includes(node.key)).map((node) => node.index),
  );
}

/** Writes the selected nodes to an event's clipboard and, with `cut`, deletes them. Returns false if nothing is selected. */
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

/** Adds the nodes of a text to the current flow, beside the selection. */
export function pasteText(text: string): void {
  const flow = currentFlow();
  if (!flow?.readable) return;
  const plan = paste(flow.readable, text, placeBeside());
  if (plan.ok) carryOut(plan);
  else noticeProblem(texts.clipboard.notPasted, plan.reason);
}

/** Duplicates the selected nodes. */
export function duplicateSelection(): void {
  const text = selectedText();
  if (text !== null) pasteText(text);
}

function placeBeside(): { x: number; y: number } {
  const flow = currentFlow();
  const places = selectionStore.getState().nodes.flatMap((key) => flow?.positions[key] ?? []);
  if (places.length > 0)
    return { x: Math.min(...places.map((place) => place.x)) + 32, y: Math.max(...places.map((place) => place.y)) + 136 };
  const all = Object.values(flow?.positions ?? {});
  return { x: 0, y: all.reduce((low, { y }) => Math.max(low, y + card.width), 0) };
}
