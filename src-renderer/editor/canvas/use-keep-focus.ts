import { type RefObject, useEffect, useRef } from 'react';

/**
 * Focuses the canvas when the focused node is removed, by Delete or Undo, so that further keys still reach the canvas.
 * `drawn` is the list of rendered elements.
 */
export function useKeepFocus(frame: RefObject<HTMLElement | null>, drawn: unknown): void {
  const isHere = useRef(false);
  useEffect(() => {
    const follow = ({ target }: Event) => {
      isHere.current = target instanceof Node && frame.current?.contains(target) === true;
    };
    document.addEventListener('focusin', follow);
    document.addEventListener('pointerdown', follow);
    return () => {
      document.removeEventListener('focusin', follow);
      document.removeEventListener('pointerdown', follow);
    };
  }, [frame]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs after each change of the nodes
  useEffect(() => {
    // A removed node leaves the DOM with the next frame.
    const next = requestAnimationFrame(() => {
      if (isHere.current && document.activeElement === document.body) frame.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(next);
  }, [drawn, frame]);
}
