import { type RefObject, useEffect, useRef } from 'react';

/**
 * Gives the keyboard back to the canvas when the node that had it goes, by Delete or Undo: the next key is meant for the canvas, too.
 * `drawn` is what may go.
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
