import { useLayoutEffect } from 'react';
import { panelsStore } from '#renderer/shell/panels.ts';

/** Below these sizes of the window, in CSS pixels, the panels leave the canvas its room. At 200 % zoom a window of 1440 × 900 has 720 × 450. */
const queries = { narrow: '(width < 1100px)', low: '(height < 640px)' } as const;

/** Keeps the panels informed about the size of the window. */
export function useRoom(): void {
  useLayoutEffect(() => {
    const narrow = window.matchMedia(queries.narrow);
    const low = window.matchMedia(queries.low);
    const take = () => panelsStore.getState().setRoom({ narrow: narrow.matches, low: low.matches });
    take();
    narrow.addEventListener('change', take);
    low.addEventListener('change', take);
    return () => {
      narrow.removeEventListener('change', take);
      low.removeEventListener('change', take);
    };
  }, []);
}
