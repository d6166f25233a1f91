import { Panel, useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { memo, type PointerEvent, useCallback, useDeferredValue, useLayoutEffect, useMemo, useRef, type WheelEvent } from 'react';
import { useStore as useZustand } from 'zustand';
import type { GraphView, NodeView } from '#renderer/document/graph/graph-view.ts';
import { pauseFollow } from '#renderer/editor/actions/follow-store.ts';
import { mapStore } from '#renderer/editor/actions/map-store.ts';
import { markOf } from '#renderer/editor/marks/group-marks.ts';
import { useRunMarks } from '#renderer/editor/marks/shown-marks.ts';
import type { Layout } from '#shared/contract/flows.ts';
import styles from './flow-map.module.css';
import { type Box, cardsPath, mapBox, mapMargin, mapSize, type StatusPaths, statusPaths } from './map-shape.ts';
import { MapSigns } from './map-signs.tsx';
import { texts } from './texts.ts';

interface FlowMapProps {
  readonly view: GraphView;
  readonly positions: Layout['nodes'];
}

/**
 * The map of the whole flow, colored by run status. A press moves the canvas there, a drag follows, the wheel zooms.
 * Replaces React Flow's map, which renders one element per node and queries each of them on every movement: here, all
 * cards are a few paths, and a movement only moves the frame of the visible part.
 */
export const FlowMap = memo(function FlowMap(shown: FlowMapProps) {
  // Typing takes priority over the map of a large flow.
  const { view, positions } = useDeferredValue(shown);
  const asked = useZustand(mapStore, (state) => state.shown === true);
  const instance = useReactFlow();
  const svg = useRef<SVGSVGElement>(null);
  const box = useMemo(() => mapBox(view, positions), [view, positions]);
  const isShown = useMapShown(box);
  if (!box || !isShown) return null;
  const viewBox = `${box.x} ${box.y} ${box.width} ${box.height}`;

  function goTo(event: PointerEvent) {
    const matrix = svg.current?.getScreenCTM();
    if (!matrix || (event.buttons & 1) === 0) return;
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    pauseFollow();
    void instance.setCenter(x, y, { zoom: instance.getZoom() });
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    event.currentTarget.setPointerCapture(event.pointerId);
    goTo(event);
  }

  function onWheel(event: WheelEvent) {
    void instance.zoomTo(instance.getZoom() * 2 ** (-event.deltaY / 500));
  }

  return (
    <Panel position="bottom-right" className={styles.map ?? ''} data-flow-map data-asked={asked}>
      <div
        className={styles.picture}
        role="img"
        aria-label={texts.map}
        onPointerDown={onPointerDown}
        onPointerMove={goTo}
        onWheel={onWheel}
      >
        <svg ref={svg} aria-hidden="true" {...mapSize} viewBox={viewBox}>
          <Cards view={view} positions={positions} box={box} />
        </svg>
        <InSight box={box} />
        <svg className={styles.signs} aria-hidden="true" {...mapSize} viewBox={viewBox}>
          <MapSigns view={view} positions={positions} box={box} />
        </svg>
      </div>
    </Panel>
  );
});

/** The map is left out while all of the flow is in sight, unless the user has asked for it. */
function useMapShown(box: Box | null): boolean {
  const shown = useZustand(mapStore, (state) => state.shown);
  const isAllInSight = useStore(({ transform: [x, y, zoom], width, height }) => {
    if (!box) return true;
    const room = mapMargin(box);
    const [left, top] = [(box.x + room) * zoom + x, (box.y + room) * zoom + y];
    const [right, bottom] = [left + (box.width - 2 * room) * zoom, top + (box.height - 2 * room) * zoom];
    return left >= 0 && top >= 0 && right <= width && bottom <= height;
  });
  return shown ?? !isAllInSight;
}

const Cards = memo(function Cards({ view, positions, box }: FlowMapProps & { box: Box }) {
  // The canvas takes priority over the map of a run.
  const marks = useDeferredValue(useRunMarks((run) => run.nodes));
  const all = useMemo(() => cardsPath(view.nodes, positions, box), [view, positions, box]);
  const pathOf = useCallback((nodes: readonly NodeView[]) => cardsPath(nodes, positions, box), [positions, box]);
  const drawn = useRef<{ readonly pathOf: typeof pathOf; readonly paths: StatusPaths } | null>(null);
  const paths = useMemo(() => {
    const before = drawn.current?.pathOf === pathOf ? drawn.current.paths : null;
    return statusPaths(view.nodes, ({ id }) => markOf({ nodes: marks }, id)?.status, pathOf, before);
  }, [view, marks, pathOf]);
  drawn.current = { pathOf, paths };
  return (
    <>
      <path className={styles.card} d={all} />
      {paths.reached && <path className={styles.card} data-status="ran" d={paths.reached} />}
      {paths.others.map(([status, path]) => (
        <path key={status} className={styles.card} data-status={status} d={path} />
      ))}
    </>
  );
});

/** How long the zoom rests before the frame of the visible part gets its new size, in milliseconds; until then it is scaled, which needs no layout. */
const rest = 120;

/** The frame of the visible part. Moved by its style alone: a movement of the canvas renders and paints nothing here. */
function InSight({ box }: { box: Box }) {
  const store = useStoreApi();
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const scale = Math.min(mapSize.width / box.width, mapSize.height / box.height);
    let timer: ReturnType<typeof setTimeout> | undefined;
    /** The zoom that the frame has its size of; the sizes of the canvas too. */
    let sized = { zoom: 0, width: 0, height: 0 };
    const place = () => {
      if (!frame.current) return;
      const { transform, width, height } = store.getState();
      const [x, y, zoom] = transform;
      const left = (mapSize.width - box.width * scale) / 2 + (-x / zoom - box.x) * scale;
      const top = (mapSize.height - box.height * scale) / 2 + (-y / zoom - box.y) * scale;
      frame.current.style.transform = `translate(${left}px, ${top}px) scale(${sized.zoom / zoom})`;
      if (sized.zoom === zoom && sized.width === width && sized.height === height) return;
      clearTimeout(timer);
      timer = setTimeout(resize, rest);
    };
    const resize = () => {
      const { transform, width, height } = store.getState();
      sized = { zoom: transform[2], width, height };
      if (!frame.current) return;
      frame.current.style.width = `${(width / sized.zoom) * scale}px`;
      frame.current.style.height = `${(height / sized.zoom) * scale}px`;
      place();
    };
    resize();
    const unsubscribe = store.subscribe(place);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [store, box]);
  return <div ref={frame} className={styles.sight} />;
}
