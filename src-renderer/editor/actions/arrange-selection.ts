import { changeExtras, currentFlow, moveNodes } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import { type Alignment, type Axis, aligned, distributed, keptInPlace, partOf } from '#renderer/document/layout/arrange.ts';
import { autoLayout } from '#renderer/document/layout/auto-layout.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { askCanvas } from '#renderer/shell/canvas-requests.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import type { Layout, LayoutDirection } from '#shared/flow/layout/layout.ts';
import { texts } from './texts.ts';

/** Aligns the selected cards, as one undo step. */
export function alignSelection(to: Alignment): void {
  const flow = currentFlow();
  const keys = selectionStore.getState().nodes;
  if (flow && keys.length >= 2) move(aligned(flow.view, flow.positions, keys, to), `Align ${to}`);
  else announce(texts.arrange.selectTwo);
}

/** Spaces the selected cards evenly, as one undo step. */
export function distributeSelection(axis: Axis): void {
  const flow = currentFlow();
  const keys = selectionStore.getState().nodes;
  if (flow && keys.length >= 3) move(distributed(flow.view, flow.positions, keys, axis), texts.arrange.distribute(axis));
  else announce(texts.arrange.selectThree);
}

/** Lays out the selected nodes in place, or the whole flow if fewer than two are selected, as one undo step. Returns true for the whole flow. */
export async function tidy(): Promise<boolean> {
  const flow = currentFlow();
  if (!flow) return false;
  const keys = selectionStore.getState().nodes;
  const whole = keys.length < 2;
  const { direction } = flow.extras;
  try {
    const places = await (whole
      ? autoLayout(flow.view, direction)
      : autoLayout(partOf(flow.view, keys), direction === 'down' ? 'down' : undefined));
    // The flow was edited in the meantime: the positions are outdated.
    if (currentFlow()?.view !== flow.view) return false;
    if (whole) moveNodes(places, texts.arrange.tidyLayout);
    else move(keptInPlace(flow.view, flow.positions, places), texts.arrange.tidySelection);
  } catch (thrown) {
    noticeProblem(texts.layoutFailed, String(thrown));
  }
  return whole;
}

/** Lays out the whole flow in a direction, which the layout file stores; null lets the studio choose. One undo step. */
export async function layOut(direction: LayoutDirection | null): Promise<void> {
  const flow = currentFlow();
  if (!flow) return;
  try {
    const places = await autoLayout(flow.view, direction ?? undefined);
    if (currentFlow()?.view !== flow.view) return;
    const { direction: _direction, ...rest } = flow.extras;
    const label = texts.arrange.direction[direction ?? 'automatic'];
    changeExtras({ ...rest, ...(direction && { direction }) }, label, places);
    announce(label);
    askCanvas('fit');
  } catch (thrown) {
    noticeProblem(texts.layoutFailed, String(thrown));
  }
}

function move(places: Layout['nodes'], label: string): void {
  if (Object.keys(places).length > 0) moveNodes(places, label);
  announce(label);
}
