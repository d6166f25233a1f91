import { useStoreApi } from '@xyflow/react';
import { createContext, memo, type RefObject, useContext, useEffect, useLayoutEffect } from 'react';

/** Size of titles in pixels: on a whole card at 100 %, their minimum there on the screen, and on the screen wherever a card is less. */
const titles = { usual: 12, least: 11, small: 12 } as const;

/** The lowest zoom of each level but the last. */
const lowest = { full: 0.7, titles: 0.35, blocks: 0.12 } as const;

/** Below this zoom the lowest cards have room for one line of their title, all others for two. */
const twoLines = 0.45;

/**
 * How much of a card is drawn: all of it; its title and ports; a block in the colour and shape of its kind; what it does in the
 * shown run.
 */
export type DetailLevel = 'full' | 'titles' | 'blocks' | 'map';

/** The level of detail at this zoom. */
export function detailLevel(zoom: number): DetailLevel {
  if (zoom >= lowest.full) return 'full';
  if (zoom >= lowest.titles) return 'titles';
  return zoom >= lowest.blocks ? 'blocks' : 'map';
}

/** Whether cards are drawn on one surface at this level, rather than mounted one by one. */
export const isFar = (level: DetailLevel): boolean => level === 'blocks' || level === 'map';

/**
 * This zoom rounded down in steps, and at most 1: sizes that are constant on the screen change with it, and each change restyles all cards.
 * Whole cards need few sizes, and have three steps; below, steps are of 10 %.
 */
export function steppedZoom(zoom: number): number {
  if (zoom >= lowest.full) return wholeSteps.find((step) => zoom >= step) ?? lowest.full;
  return 1.1 ** Math.floor(Math.log(zoom) / Math.log(1.1) + 1e-9);
}

/** Steps of whole cards: their titles have their usual size, or one that is readable from the next step on. */
const wholeSteps = [titles.least / titles.usual, 0.8, lowest.full];

/** Size of titles in canvas pixels at this zoom. */
export function titleSize(zoom: number): number {
  const step = steppedZoom(zoom);
  const size = detailLevel(zoom) === 'full' ? Math.max(titles.usual, titles.least / step) : titles.small / step;
  return Math.ceil(size * 10 - 1e-9) / 10;
}

/** Sizes that are constant on the screen and so follow the zoom, in steps. */
export interface ZoomSizes {
  readonly zoom: number;
  /** Size of titles in canvas pixels. */
  readonly title: number;
  /** Lines of a title on the lowest cards. */
  readonly lines: 1 | 2;
}

export const sizesAt = (zoom: number): ZoomSizes => ({
  zoom: steppedZoom(zoom),
  title: titleSize(zoom),
  lines: zoom < twoLines ? 1 : 2,
});

/** The level at which the cards are drawn. */
export const DetailContext = createContext<DetailLevel>('full');

/** The level of detail of the card that calls it. A change of level renders the cards once, a movement within one renders none. */
export const useDetail = (): DetailLevel => useContext(DetailContext);

interface DetailAttributesProps extends ZoomSizes {
  readonly frame: RefObject<HTMLElement | null>;
  readonly level: DetailLevel;
  readonly onSurface: boolean;
}

/**
 * Writes what the style sheets of cards and wires need of the zoom to the frame: the level, whether the surface draws the cards, the zoom
 * in steps, and sizes that follow from it.
 */
export const DetailAttributes = memo(function DetailAttributes({ frame, level, onSurface, zoom, title, lines }: DetailAttributesProps) {
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    element.setAttribute('data-detail', level);
    element.setAttribute('data-on-surface', `${onSurface}`);
    element.style.setProperty('--zoom', zoom.toFixed(4));
    element.style.setProperty('--title-size', `${title}px`);
    element.style.setProperty('--title-lines', `${lines}`);
  }, [frame, level, zoom, title, lines, onSurface]);
  useLayered(frame);
  return null;
});

/** How long after its last movement the canvas is a layer of its own, in milliseconds. */
const rest = 150;

/**
 * Makes the cards and wires one layer while the canvas is moved, which then moves without being painted. Not while it is zoomed, and not
 * for long: a layer that is scaled is blurred.
 */
function useLayered(frame: RefObject<HTMLElement | null>): void {
  const store = useStoreApi();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const layered = (on: boolean) => frame.current?.toggleAttribute('data-layered', on);
    const unsubscribe = store.subscribe(({ transform }, before) => {
      if (transform === before.transform) return;
      clearTimeout(timer);
      const moves = transform[2] === before.transform[2];
      layered(moves);
      if (moves) timer = setTimeout(() => layered(false), rest);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [frame, store]);
}
