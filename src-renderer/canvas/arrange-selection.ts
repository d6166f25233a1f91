import { type Alignment, type Axis, aligned, distributed, keptInPlace, partOf } from '#renderer/layout/arrange.ts';
import { autoLayout } from '#renderer/layout/auto-layout.ts';
import { noticeProblem } from '#renderer/notices/notices.ts';
import { announce } from '#renderer/stores/announcer.ts';
import { currentFlow, moveNodes } from '#renderer/stores/editor.ts';
import { selectionStore } from '#renderer/stores/selection.ts';
import type { Layout } from '#shared/contract/flows.ts';

/** Brings the selected cards into line, as one step of undo. */
export function alignSelection(to: Alignment): void {
  const flow = currentFlow();
  const keys = selectionStore.getState().nodes;
  if (flow && keys.length >= 2) move(aligned(flow.view, flow.positions, keys, to), `Align ${to}`);
  else announce('Select two nodes or more to align them');
}

/** Leaves the same gap between the selected cards, as one step of undo. */
export function distributeSelection(axis: Axis): void {
  const flow = currentFlow();
  const keys = selectionStore.getState().nodes;
  if (flow && keys.length >= 3) move(distributed(flow.view, flow.positions, keys, axis), `Distribute ${axis}`);
  else announce('Select three nodes or more to distribute them');
}

/** Lays the selected nodes out anew where they are, or where fewer than two are selected the whole flow; one step of undo. True for the whole flow. */
export async function tidy(): Promise<boolean> {
  const flow = currentFlow();
  if (!flow) return false;
  const keys = selectionStore.getState().nodes;
  const whole = keys.length < 2;
  try {
    const places = await autoLayout(whole ? flow.view : partOf(flow.view, keys));
    // Edited meanwhile: the places are of another flow.
    if (currentFlow()?.view !== flow.view) return false;
    if (whole) moveNodes(places, 'Tidy the layout');
    else move(keptInPlace(flow.view, flow.positions, places), 'Tidy the selection');
  } catch (thrown) {
    noticeProblem('The flow could not be laid out', String(thrown));
  }
  return whole;
}

function move(places: Layout['nodes'], label: string): void {
  if (Object.keys(places).length > 0) moveNodes(places, label);
  announce(label);
}
