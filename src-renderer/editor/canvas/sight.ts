import type { Viewport } from '@xyflow/react';
import { type DetailLevel, detailLevel } from './detail-level.tsx';
import type { Box } from './map-shape.ts';

/** What the canvas draws: a level of detail, and a part of the flow around what is in sight, in canvas pixels at 100 %. */
export interface Sight {
  readonly level: DetailLevel;
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

/** The sight for a viewport: the one before while it still covers what the viewport shows, at the same level and not at a much smaller zoom. */
export function sightOf(viewport: Viewport, size: Size, before: Sight | null = null): Sight {
  const level = detailLevel(viewport.zoom);
  const box = boxInSight(viewport, size);
  if (before?.level === level && covers(before.box, box) && before.box.width <= box.width * (1 + 4 * margin)) return before;
  return {
    level,
    box: {
      x: box.x - box.width * margin,
      y: box.y - box.height * margin,
      width: box.width * (1 + 2 * margin),
      height: box.height * (1 + 2 * margin),
    },
  };
}

/** Whether a box lies within another. */
export function covers(outer: Box, inner: Box): boolean {
  return (
    inner.x >= outer.x &&
    inner.y >= outer.y &&
    inner.x + inner.width <= outer.x + outer.width &&
    inner.y + inner.height <= outer.y + outer.height
  );
}
