import { useStore } from '@xyflow/react';
import { type RefObject, useLayoutEffect } from 'react';

/** Size of a card's title in pixels at 100 %, and its minimum on the screen at any zoom that shows it. */
const title = { usual: 12, least: 11 } as const;

/** Below the first, a card is its title and its ports; below the second, its icon. */
const levels = { titles: 0.7, blocks: 0.35 } as const;

export type DetailLevel = 'full' | 'titles' | 'blocks';

/** The level of detail of cards at this zoom. */
export function detailLevel(zoom: number): DetailLevel {
  if (zoom >= levels.titles) return 'full';
  return zoom >= levels.blocks ? 'titles' : 'blocks';
}

/** Size of titles in canvas pixels at this zoom, so that they keep their minimum size on the screen. Changes in steps, since each change repaints the cards. */
export function titleSize(zoom: number): number {
  // Rounded down to a twentieth, so titles are never smaller than the minimum.
  const step = Math.max(levels.blocks, Math.floor(zoom * 20 + 1e-6) / 20);
  return Math.max(title.usual, Math.ceil((title.least / step) * 10) / 10);
}

/** Keeps titles readable while the canvas is zoomed: writes the level of detail and the size of titles to the frame, for the cards' style sheet. */
export function ReadableTitles({ frame }: { frame: RefObject<HTMLElement | null> }) {
  const level = useStore((state) => detailLevel(state.transform[2]));
  const size = useStore((state) => titleSize(state.transform[2]));
  useLayoutEffect(() => {
    frame.current?.setAttribute('data-detail', level);
    frame.current?.style.setProperty('--title-size', `${size}px`);
  }, [frame, level, size]);
  return null;
}
