import { useStoreApi, ViewportPortal } from '@xyflow/react';
import { memo, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { select, selectionStore } from '#renderer/document/flows/selection.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { useSelection } from '#renderer/document/flows/use-selection.ts';
import type { RowChannel } from '#renderer/document/layout/row-channels.ts';
import { useRunMarks } from '#renderer/editor/marks/shown-marks.ts';
import { useRunShown } from '#renderer/editor/marks/use-run-mark.ts';
import { useNodeTones } from '#renderer/editor/problems/use-node-tone.ts';
import { places } from '#renderer/runs/breakpoints/breakpoint-index.ts';
import { breakpointStore } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { kindLooks, libraryKinds } from '#renderer/ui/kinds/node-kinds.ts';
import type { NodeKind } from '#shared/flow/document.ts';
import type { CanvasNode } from './canvas-nodes.ts';
import type { CardIndex } from './card-index.ts';
import { drawFar, type KindSigns } from './far-draw.ts';
import { paletteOf } from './far-palette.ts';
import { type FarScene, farWirePath, wireEnds } from './far-scene.ts';
import styles from './far-surface.module.css';
import type { FoundAt } from './found-at.ts';
import type { Box } from './map-shape.ts';
import { boxInSight, covers } from './sight.ts';

/** How much is drawn beyond each side of the frame, in parts of its size. */
const margin = 0.5;
/** A picture that is scaled stays until the zoom rests for this long, in milliseconds, or until it is this much too large or too small. */
const rest = 120;
const mostScale = 1.6;

interface FarSurfaceProps {
  readonly level: FarScene['level'];
  readonly index: CardIndex;
  readonly channels: ReadonlyMap<string, RowChannel>;
  /** The mounted nodes. */
  readonly nodes: readonly CanvasNode[];
  readonly frame: RefObject<HTMLElement | null>;
  readonly found: FoundAt;
  setHovered(key: string | null): void;
}

/**
 * All cards and wires on one canvas below React Flow, which mounts only the cards that are used. The picture reaches half a screen beyond
 * the frame; a movement within it moves the picture and draws nothing.
 */
export const FarSurface = memo(function FarSurface({ level, index, channels, nodes, frame, found, setHovered }: FarSurfaceProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const dragging = nodes.filter((node) => node.dragging);
  const scene = useScene(level, index, channels, dragging.map(({ id }) => id).join('\n'));
  usePicture(canvas, scene);
  useHover(index, frame, found, setHovered);
  useBoxSelection(index);
  return (
    <>
      <canvas ref={canvas} className={styles.surface} data-surface={level} />
      <div className={styles.signs} aria-hidden="true">
        {libraryKinds.map((kind) => {
          const Icon = kindLooks[kind].icon;
          return <Icon key={kind} data-sign={kind} />;
        })}
      </div>
      {dragging.length > 0 && <DraggedWires scene={scene} dragging={dragging} />}
    </>
  );
});

/** The scene; a new object whenever something in it changes. */
function useScene(level: FarScene['level'], index: CardIndex, channels: ReadonlyMap<string, RowChannel>, draggedKeys: string): FarScene {
  const marks = useRunMarks((run) => run);
  const isRunShown = useRunShown();
  const tones = useNodeTones();
  const selected = useSelection((state) => state.nodes);
  const selectedWires = useSelection((state) => state.wires);
  const signs = useStore(breakpointStore, (state) => state.index);
  const pins = useStore(breakpointStore, (state) => state.pins);
  const path = useCurrentFlow((flow) => flow?.path ?? '');
  // What a step of a run does not change stays the same: see differInMarks.
  const still = useMemo(() => {
    // Most folders have none.
    const isEmpty = Object.keys(signs).length === 0;
    const branches = Object.keys(signs).filter((place) => place.startsWith(places.branch(path, '', '').split('#')[0] ?? ''));
    return {
      level,
      index,
      channels,
      isRunShown,
      tones,
      selected: new Set(selected),
      selectedWires: new Set(selectedWires),
      dragged: new Set(draggedKeys === '' ? [] : draggedKeys.split('\n')),
      breakpointAt: (id: string) => {
        if (isEmpty) return undefined;
        const branch = branches.find((place) => place.startsWith(places.branch(path, id, '')));
        return signs[places.before(path, id)] ?? signs[places.after(path, id)] ?? (branch === undefined ? undefined : signs[branch]);
      },
      pinAt: (id: string) => pins[places.pin(path, id)],
      breakpointOf: (state: string) => (isEmpty ? undefined : signs[places.state(path, state)]),
    };
  }, [level, index, channels, isRunShown, tones, selected, selectedWires, draggedKeys, signs, pins, path]);
  return useMemo(() => ({ ...still, marks }), [still, marks]);
}

const themes = window.matchMedia('(prefers-color-scheme: dark)');

function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-mantine-color-scheme'] });
  themes.addEventListener('change', listener);
  return () => {
    observer.disconnect();
    themes.removeEventListener('change', listener);
  };
}

/** The scene that was drawn last, and how to draw the latest one. */
interface Drawing {
  readonly scene: FarScene;
  draw(): void;
  drawLater(): void;
}

/** What the canvas shows: the viewport at which it was drawn, and the part of the flow on it. */
interface Picture {
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
  readonly box: Box;
}

/** The marks of a run are drawn at most in this part of the time: a run that changes them all the time leaves the rest of it to the page. */
const drawingPart = 1 / 8;

/** Whether two scenes differ only in what the run has done. */
function differInMarks(one: FarScene, other: FarScene): boolean {
  const keys = Object.keys(one) as (keyof FarScene)[];
  return one.isRunShown && keys.every((key) => key === 'marks' || one[key] === other[key]);
}

/** Draws the scene, and moves the picture with the viewport. Marks of a run are drawn with a later frame, so that they lengthen none that has other work. */
function usePicture(element: RefObject<HTMLCanvasElement | null>, scene: FarScene): void {
  const store = useStoreApi();
  const theme = useSyncExternalStore(onThemeChange, () => document.documentElement.dataset.mantineColorScheme);
  const picture = useRef<Picture | null>(null);
  const latest = useRef(scene);
  const drawing = useRef<Drawing | null>(null);
  latest.current = scene;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme is another picture of the same scene
  useLayoutEffect(() => {
    const canvas = element.current;
    const context = canvas?.getContext('2d');
    if (!canvas || !context) return;
    const palette = paletteOf(canvas);
    const signs = kindSigns(canvas);
    let timer: ReturnType<typeof setTimeout> | undefined;
    let frame = 0;
    let next = 0;

    const draw = () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      timer = undefined;
      frame = 0;
      const start = performance.now();
      drawing.current = { scene: latest.current, draw, drawLater };
      const { transform, width, height } = store.getState();
      const [x, y, zoom] = transform;
      if (width === 0 || height === 0) return;
      const ratio = Math.min(2, window.devicePixelRatio);
      const size = { width: Math.ceil(width * (1 + 2 * margin)), height: Math.ceil(height * (1 + 2 * margin)) };
      const [wide, high] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
      if (canvas.width !== wide || canvas.height !== high) {
        Object.assign(canvas, { width: wide, height: high });
        Object.assign(canvas.style, { width: `${size.width}px`, height: `${size.height}px` });
      }
      const origin = { x: x + width * margin, y: y + height * margin, zoom };
      const box = boxInSight(origin, size);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, wide, high);
      context.setTransform(zoom * ratio, 0, 0, zoom * ratio, origin.x * ratio, origin.y * ratio);
      drawFar(context, latest.current, box, 1 / zoom, palette, signs);
      picture.current = { ...origin, box };
      canvas.dataset.drawn = `${Number(canvas.dataset.drawn ?? 0) + 1}`;
      move();
      next = performance.now() + (performance.now() - start) / drawingPart;
    };

    const drawLater = () => {
      frame ||= requestAnimationFrame(() => {
        frame = 0;
        if (performance.now() < next) drawLater();
        else draw();
      });
    };

    const move = () => {
      const shown = picture.current;
      if (!shown) return;
      const { transform, width, height } = store.getState();
      const [x, y, zoom] = transform;
      const scale = zoom / shown.zoom;
      canvas.style.transform = `translate(${x - shown.x * scale}px, ${y - shown.y * scale}px) scale(${scale})`;
      if (
        scale > mostScale ||
        scale < 1 / mostScale ||
        !isDrawn(shown.box, boxInSight({ x, y, zoom }, { width, height }), latest.current.index)
      )
        draw();
      else if (scale !== 1) {
        clearTimeout(timer);
        timer = setTimeout(draw, rest);
      }
    };

    draw();
    const unsubscribe = store.subscribe((state, before) => {
      if (state.width !== before.width || state.height !== before.height) draw();
      else if (state.transform !== before.transform) move();
    });
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, [element, store, theme]);
  useLayoutEffect(() => {
    const last = drawing.current;
    if (!last || last.scene === scene) return;
    if (differInMarks(last.scene, scene)) last.drawLater();
    else last.draw();
  }, [scene]);
}

/** Whether the picture has everything of the flow that is in sight. */
function isDrawn(drawn: Box, sight: Box, { bounds }: CardIndex): boolean {
  if (!bounds) return true;
  // Wires run around the cards.
  const room = 200;
  const [left, top] = [Math.max(sight.x, bounds.x - room), Math.max(sight.y, bounds.y - room)];
  const right = Math.min(sight.x + sight.width, bounds.x + bounds.width + room);
  const bottom = Math.min(sight.y + sight.height, bounds.y + bounds.height + room);
  return right <= left || bottom <= top || covers(drawn, { x: left, y: top, width: right - left, height: bottom - top });
}

/** The icons of the kinds as paths, read from the hidden ones beside the canvas. */
function kindSigns(canvas: HTMLCanvasElement): KindSigns {
  const signs = new Map<NodeKind, Path2D>();
  for (const svg of canvas.parentElement?.querySelectorAll<SVGElement>('[data-sign]') ?? []) {
    const sign = new Path2D();
    for (const path of svg.querySelectorAll('path')) sign.addPath(new Path2D(path.getAttribute('d') ?? ''));
    signs.set(svg.dataset.sign as NodeKind, sign);
  }
  return signs;
}

/** Mounts the card under the pointer, and says of a wire that it can be clicked. */
function useHover(index: CardIndex, frame: RefObject<HTMLElement | null>, found: FoundAt, setHovered: (key: string | null) => void): void {
  const store = useStoreApi();
  const latest = useRef({ index, found });
  latest.current = { index, found };
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const hover = ({ clientX, clientY, buttons, target }: PointerEvent) => {
      if (buttons !== 0) return;
      const { domNode, transform } = store.getState();
      const onCanvas = target instanceof Element && target.closest('.react-flow__renderer') !== null;
      const box = domNode?.getBoundingClientRect();
      const { index: cards, found: wires } = latest.current;
      if (!onCanvas || !box) return leave({ buttons });
      const [x, y, zoom] = transform;
      const at = cards.cardAt((clientX - box.left - x) / zoom, (clientY - box.top - y) / zoom);
      setHovered(at === undefined ? null : (cards.view.nodes[at]?.key ?? null));
      element.toggleAttribute('data-over-wire', at === undefined && wires.wireAt({ x: clientX, y: clientY }) !== null);
    };
    const leave = ({ buttons }: Pick<PointerEvent, 'buttons'>) => {
      if (buttons !== 0) return;
      element.toggleAttribute('data-over-wire', false);
      setHovered(null);
    };
    element.addEventListener('pointermove', hover);
    element.addEventListener('pointerleave', leave);
    return () => {
      element.removeEventListener('pointermove', hover);
      element.removeEventListener('pointerleave', leave);
      element.toggleAttribute('data-over-wire', false);
      setHovered(null);
    };
  }, [frame, store, setHovered]);
}

/** Selects the cards on the surface that the box of a selection touches: React Flow knows only those that are mounted. */
function useBoxSelection(index: CardIndex): void {
  const store = useStoreApi();
  useEffect(
    () =>
      store.subscribe(({ userSelectionRect: rect, userSelectionActive, transform: [x, y, zoom] }, before) => {
        if (!rect || !userSelectionActive || rect === before.userSelectionRect) return;
        const box = { x: (rect.x - x) / zoom, y: (rect.y - y) / zoom, width: rect.width / zoom, height: rect.height / zoom };
        select(
          index.cardsIn(box).flatMap((at) => index.view.nodes[at]?.key ?? []),
          selectionStore.getState().wires,
          selectionStore.getState().notes,
        );
      }),
    [index, store],
  );
}

/** The wires of cards that are being dragged. */
function DraggedWires({ scene, dragging }: { scene: FarScene; dragging: readonly CanvasNode[] }) {
  const moved = new Map(dragging.map(({ id, position }) => [id, position]));
  const wires = useMemo(
    () => scene.index.view.wires.filter(({ source, target }) => scene.dragged.has(source) || scene.dragged.has(target)),
    [scene],
  );
  const path = wires.flatMap((wire) => {
    const ends = wireEnds(scene.index, wire, (key) => moved.get(key));
    return ends ? [farWirePath(ends, undefined, scene.level)] : [];
  });
  return (
    <ViewportPortal>
      <svg className={styles.dragged} aria-hidden="true">
        <path d={path.join('')} />
      </svg>
    </ViewportPortal>
  );
}
