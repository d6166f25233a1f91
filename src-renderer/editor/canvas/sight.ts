import type { Viewport } from '@xyflow/react';
import { type DetailLevel, detailLevel, sizesAt, type ZoomSizes } from './detail-level.tsx';
import type { Box } from './map-shape.ts';

/** What the canvas draws: a level of detail with its sizes, and a part of the flow around what is in sight, in canvas pixels at 100 %. */
export interface Sight {
  readonly level: DetailLevel;
  readonly sizes: ZoomSizes;
  readonly box: Box;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** How much more than is in sight is handed to React Flow at each side, in parts of what is in sight. */
const margin = 0.5;

/** The part of the flow that a frame of this size shows. */
export function boxInSight({ x, y, zoom }: Viewport, { width, height }: Size): Box {
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
}

/**
 * The sight for a viewport: the one before while it still covers what the viewport shows, at the same level and not at a much smaller zoom. While the
 * canvas is being zoomed (`isZooming`), the level and the sizes before stay, too: another level replaces all cards, and other sizes restyle them.
 */
export function sightOf(viewport: Viewport, size: Size, before: Sight | null = null, isZooming = false): Sight {
  const level = detailLevel(viewport.zoom);
  const sizes = sizesAt(viewport.zoom);
  const box = boxInSight(viewport, size);
  const isCovered = before !== null && covers(before.box, box) && before.box.width <= box.width * (1 + 4 * margin);
  if (isCovered && (isZooming || before.level === level))
    return isZooming || isSameSizes(before.sizes, sizes) ? before : { ...before, sizes };
  return {
    level,
    sizes,
    box: {
      x: box.x - box.width * margin,
      y: box.y - box.height * margin,
      width: box.width * (1 + 2 * margin),
      height: box.height * (1 + 2 * margin),
    },
  };
}

const isSameSizes = (one: ZoomSizes, other: ZoomSizes): boolean =>
  one.zoom === other.zoom && one.title === other.title && one.lines === other.lines;

/** Whether a box lies within another. */
export function covers(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}
