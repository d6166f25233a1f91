import { type RefObject, useEffect, useRef } from 'react';

/**
 * Focuses the canvas when the focused node is removed, by Delete or Undo, so that further keys still reach the canvas.
 * `drawn` is the list of rendered elements.
 */
export function useKeepFocus(frame: RefObject<HTMLElement | null>, drawn: readonly { readonly id: string }[]): void {
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
  const before = useRef(drawn);
  useEffect(() => {
    const areSame = before.current.length === drawn.length && before.current.every(({ id }, at) => id === drawn[at]?.id);
    before.current = drawn;
    // A movement of a card removes none.
    if (areSame) return;
    // A removed node leaves the DOM with the next frame.
    requestAnimationFrame(() => {
      if (isHere.current && document.activeElement === document.body) frame.current?.focus({ preventScroll: true });
    });
  }, [drawn, frame]);
}
