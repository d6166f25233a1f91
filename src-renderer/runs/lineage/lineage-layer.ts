import { type CanvasLayer, type LayerMark, wireKey } from '#renderer/runs/model/canvas-layer.ts';
import type { LineageStep } from '#shared/contract/lineage.ts';
import { drawnNode } from '#shared/run/node-id.ts';
import { texts } from './texts.ts';

/**
 * Returns a lineage as a layer of the shown flow: steps are numbered from 1 on the wires of their states, and on the cards of nested flows that they are in.
 * `own` names nodes and states of the run as the shown flow does; null for those outside of it.
 */
export function lineageLayer(steps: readonly LineageStep[], own: (name: string) => string | null): CanvasLayer {
  const nodes: Record<string, number[]> = {};
  const wires: Record<string, number[]> = {};
  for (const [index, { node, state }] of steps.entries()) {
    const [id, name] = [node === null ? null : own(node), own(state)];
    if (id === null) continue;
    const drawn = drawnNode(id);
    nodes[drawn] = [...(nodes[drawn] ?? []), index + 1];
    if (name !== null && drawnNode(name) === name) {
      const key = wireKey(drawn, name);
      wires[key] = [...(wires[key] ?? []), index + 1];
    }
  }
  const mark = (numbers: readonly number[]): LayerMark => ({ text: shortList(numbers), level: 2, title: titleOf(numbers, steps) });
  return {
    kind: 'lineage',
    nodes: Object.fromEntries(Object.entries(nodes).map(([id, numbers]) => [id, mark(numbers)])),
    wires: Object.fromEntries(Object.entries(wires).map(([key, numbers]) => [key, mark(numbers)])),
  };
}

/** The first numbers of a list, `1, 4 …` for a longer one. */
function shortList(numbers: readonly number[]): string {
  return numbers.length > 2 ? `${numbers.slice(0, 2).join(', ')} …` : numbers.join(', ');
}

function titleOf(numbers: readonly number[], steps: readonly LineageStep[]): string {
  return numbers
    .slice(0, 10)
    .map((number) => `${number}: ${texts.step(steps[number - 1]?.seq ?? 0)}`)
    .join(', ');
}
