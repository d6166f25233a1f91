import { type EdgeProps, getBezierPath, getSmoothStepPath } from '@xyflow/react';
import { card } from '#renderer/graph/card-geometry.ts';

type WireEnds = Pick<EdgeProps, 'sourceX' | 'sourceY' | 'targetX' | 'targetY' | 'sourcePosition' | 'targetPosition'>;

/** How far below the lower end a wire runs that goes back: clear of most cards. */
const below = 84;

/** A target that lies at least this much lower is in a row below; the wire runs this far above it, in the gap between the rows. */
const row = { least: 110, above: 66 } as const;

/**
 * The line of a wire, and where its label stands. One that leads on is a curve; one that leads back, as in a loop, goes
 * round below the cards, which would hide a curve; one to the next row of a folded flow runs between the rows.
 */
export function wirePath({
  sourceX,
  sourceY,
  targetX,
  targetY,
  sourcePosition,
  targetPosition,
}: WireEnds): readonly [string, number, number] {
  const ends = { sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition };
  if (targetX > sourceX - card.width / 2) {
    const [path, labelX, labelY] = getBezierPath(ends);
    return [path, labelX, labelY];
  }
  const centerY = targetY - sourceY >= row.least ? targetY - row.above : Math.max(sourceY, targetY) + below;
  const [path, labelX] = getSmoothStepPath({ ...ends, centerY, borderRadius: 14, offset: 22 });
  return [path, labelX, centerY];
}
