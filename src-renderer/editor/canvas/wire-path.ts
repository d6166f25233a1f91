import { type EdgeProps, getBezierPath, getSmoothStepPath, Position } from '@xyflow/react';
import { card } from '#renderer/document/graph/card-geometry.ts';
import type { RowChannel } from '#renderer/document/layout/row-channels.ts';

type WireEnds = Pick<EdgeProps, 'sourceX' | 'sourceY' | 'targetX' | 'targetY'>;

/** How far below the lower end a wire runs that goes back: clear of most cards. */
const below = 84;

/** Radius of a wire's corners. */
const cornerRadius = 14;

/**
 * The line of a wire, and where its label is. One that leads on is a curve; one that leads back, as in a loop, runs below the
 * cards, which would hide a curve; one to a lower row of a folded flow runs through its channel between the rows.
 */
export function wirePath(ends: WireEnds, channel?: RowChannel): readonly [string, number, number] {
  const { sourceX, sourceY, targetX, targetY } = ends;
  const given = { sourceX, sourceY, targetX, targetY, sourcePosition: Position.Right, targetPosition: Position.Left };
  if (targetX > sourceX - card.width / 2) {
    const [path, labelX, labelY] = getBezierPath(given);
    return [path, labelX, labelY];
  }
  if (channel && sourceY < channel.y && channel.y < targetY) return [channelPath(ends, channel), (sourceX + targetX) / 2, channel.y];
  const centerY = Math.max(sourceY, targetY) + below;
  const [path, labelX] = getSmoothStepPath({ ...given, centerY, borderRadius: cornerRadius, offset: 22 });
  return [path, labelX, centerY];
}

function channelPath({ sourceX, sourceY, targetX, targetY }: WireEnds, channel: RowChannel): string {
  const [right, left] = [sourceX + channel.out, targetX - channel.in];
  const corner = (height: number, width: number) => Math.min(cornerRadius, Math.abs(height) / 2, width);
  const down = corner(channel.y - sourceY, channel.out);
  const up = corner(targetY - channel.y, channel.in);
  return [
    `M${sourceX} ${sourceY}H${right - down}Q${right} ${sourceY} ${right} ${sourceY + down}`,
    `V${channel.y - down}Q${right} ${channel.y} ${right - down} ${channel.y}`,
    `H${left + up}Q${left} ${channel.y} ${left} ${channel.y + up}`,
    `V${targetY - up}Q${left} ${targetY} ${left + up} ${targetY}H${targetX}`,
  ].join('');
}
