import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import { layerMarkOf, ranInGroup } from '#renderer/editor/marks/group-marks.ts';
import type { Palette } from './far-palette.ts';
import type { FarScene } from './far-scene.ts';

/** Size of the letters, the room beside them, and the least height of a block with a chip, in pixels on the screen. */
const letters = { size: 11, side: 5, height: 16, block: 15 } as const;

/**
 * Draws the number that a layer puts on each block, at its upper edge; without a layer, how many nodes of a folded group ran, at the lower one.
 * Blocks that are too small for it have none.
 */
export function drawChips(
  context: CanvasRenderingContext2D,
  { index, marks, isRunShown }: FarScene,
  cards: readonly number[],
  pixel: number,
  palette: Palette,
): void {
  const { layer } = marks;
  if (!layer && !isRunShown) return;
  context.font = `600 ${letters.size * pixel}px ${palette('--font-text')}`;
  context.textBaseline = 'middle';
  const chip = (text: string | undefined, right: number, y: number, room: number, color: string) => {
    if (!text) return;
    const width = context.measureText(text).width + 2 * letters.side * pixel;
    if (width > room) return;
    context.fillStyle = palette(color);
    context.beginPath();
    context.roundRect(right - width, y - (letters.height / 2) * pixel, width, letters.height * pixel, (letters.height / 2) * pixel);
    context.fill();
    context.strokeStyle = palette('--surface');
    context.lineWidth = pixel;
    context.stroke();
    context.fillStyle = palette('--surface');
    context.fillText(text, right - width + letters.side * pixel, y + 0.5 * pixel);
  };
  for (const at of cards) {
    const { id } = index.view.nodes[at] as NodeView;
    const { x, y, width, height } = index.box(at);
    if (height < letters.block * pixel) continue;
    if (layer) chip(layerMarkOf(layer, id)?.text, x + width - 2 * pixel, y, width, chipColors[layer.kind]);
    else chip(ranInGroup(marks, id), x + width - 2 * pixel, y + height, width, '--text-muted');
  }
}

const chipColors = { lineage: '--accent', coverage: '--text-muted', time: '--waiting', tokens: '--waiting', cost: '--waiting' } as const;
