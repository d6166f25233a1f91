import { editorStore, showFlow } from '#renderer/document/flows/editor.ts';
import { goInto, nestingStore } from '#renderer/document/flows/nesting.ts';
import { bringIntoSight, revealNode } from '#renderer/document/flows/selection.ts';
import type { Frame } from '#shared/run/stop.ts';

/** The key on the canvas of a node, by its id in an open flow. */
function keyOf(path: string, node: string): string | undefined {
  return editorStore.getState().flows[path]?.view.nodes.find(({ id }) => id === node)?.key;
}

/** Whether the canvas shows the flow of the last of these frames, opened through the nodes of the others. */
function isShown(frames: readonly Frame[]): boolean {
  const { current } = editorStore.getState();
  if (current !== frames.at(-1)?.flow) return false;
  const { outer, inner } = nestingStore.getState();
  const opened = inner === current ? outer : [];
  const around = frames.slice(0, -1);
  return opened.length >= around.length && around.every(({ flow }, index) => opened.at(index - around.length)?.path === flow);
}

/** Shows the flow of the last of these frames, outermost first, within the frames around it, and goes to its node; `selects` selects it, too. */
export async function showFrame(frames: readonly Frame[], selects = true): Promise<void> {
  const last = frames.at(-1);
  // Runs of older versions have no files in their frames.
  if (!last || frames.some(({ flow }) => flow === '')) return;
  if (!isShown(frames)) {
    for (const [index, { flow, node }] of frames.entries()) {
      if (index === 0) await showFlow(flow);
      if (editorStore.getState().current !== flow) return;
      const next = frames[index + 1];
      const key = keyOf(flow, node);
      if (next && key !== undefined) await goInto(next.flow, key);
    }
  }
  const key = keyOf(last.flow, last.node);
  if (key !== undefined && editorStore.getState().current === last.flow) (selects ? revealNode : bringIntoSight)(key);
}
