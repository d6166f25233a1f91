import { type RefObject, useLayoutEffect, useRef } from 'react';

/** How long a token moves, in milliseconds. */
const duration = 120;
/** How many parts of a wire are looked at to find where its token ends. */
const parts = 48;

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Moves a token that was just written along its wire, from the node that produced it to its place, in canvas pixels at 100 %. Not if the
 * user has asked for less motion.
 */
export function useTokenMotion(token: RefObject<HTMLElement | null>, path: string, place: Point, isFresh: boolean): void {
  const wire = useRef({ path, place });
  wire.current = { path, place };
  useLayoutEffect(() => {
    if (!isFresh || !token.current || window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const { place: end } = wire.current;
    const frames = pointsTo(end, wire.current.path).map(({ x, y }) => ({ transform: `translate(${x - end.x}px, ${y - end.y}px)` }));
    const animation = token.current.animate(frames, { duration, easing: 'ease-out' });
    return () => animation.cancel();
  }, [token, isFresh]);
}

/** Points of a line from its start to the one nearest to `end`. */
function pointsTo(end: Point, path: string): Point[] {
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('d', path);
  const length = line.getTotalLength();
  const points: Point[] = Array.from({ length: parts + 1 }, (_, at) => line.getPointAtLength((length * at) / parts));
  const distances = points.map(({ x, y }) => Math.hypot(x - end.x, y - end.y));
  return [...points.slice(0, distances.indexOf(Math.min(...distances))), end];
}
