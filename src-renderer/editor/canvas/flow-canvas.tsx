import '@xyflow/react/dist/base.css';
import { type Connection as CanvasConnection, type EdgeChange, type FinalConnectionState, ReactFlow, useReactFlow } from '@xyflow/react';
import { memo, type MouseEvent as ReactMouseEvent, useCallback, useMemo, useRef } from 'react';
import { select, selectionStore } from '#renderer/document/flows/selection.ts';
import { card, cardHeight } from '#renderer/document/graph/card-geometry.ts';
import { groupOfKey } from '#renderer/document/layout/groups.ts';
import { rowChannels } from '#renderer/document/layout/row-channels.ts';
import { pauseFollow } from '#renderer/editor/actions/follow-store.ts';
import { changeGroup } from '#renderer/editor/actions/note-actions.ts';
import { openNested } from '#renderer/editor/actions/open-nested.ts';
import { openQuickAdd } from '#renderer/editor/actions/quick-add-store.ts';
import { texts as actionTexts } from '#renderer/editor/actions/texts.ts';
import { runMarksStore } from '#renderer/editor/marks/shown-marks.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import { isPanelOpen, panelsStore } from '#renderer/shell/panels.ts';
import { useSettings } from '#renderer/workspace/settings/use-settings.ts';
import type { CanvasNode, CanvasWire } from './canvas-nodes.ts';
import { connectPorts, portState, whyNotPorts } from './connect-ports.ts';
import { DetailAttributes, DetailContext, detailLevel, isFar } from './detail-level.tsx';
import { DotGrid } from './dot-grid.tsx';
import { DropWire } from './drop-wire.tsx';
import { dropOnCard } from './dropped-on.ts';
import { FarSurface } from './far-surface.tsx';
import styles from './flow-canvas.module.css';
import { FlowMap } from './flow-map.tsx';
import { useFoundAt } from './found-at.ts';
import { GroupLayer } from './group-layer.tsx';
import { NodeCard } from './node-card.tsx';
import { NoteLayer } from './note-layer.tsx';
import { panningPresets } from './panning-presets.ts';
import { pointedStore } from './pointed-card.ts';
import { RegionLayer } from './region-layer.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SnapLines } from './snap-lines.tsx';
import { StateWire } from './state-wire.tsx';
import { texts } from './texts.ts';
import { useAutoLayout } from './use-auto-layout.ts';
import { useCanvasItems, useCardIndex } from './use-canvas-items.ts';
import { useCanvasKeys } from './use-canvas-keys.ts';
import { isPane, useCanvasMenus } from './use-canvas-menus.ts';
import { useCanvasRequests } from './use-canvas-requests.ts';
import { useClipboard } from './use-clipboard.ts';
import { pointOf, useDrops } from './use-drops.ts';
import { useFirstFit } from './use-first-fit.ts';
import type { ShownFlow } from './use-folded-flow.ts';
import { useFollowRun } from './use-follow-run.ts';
import { useKeepFocus } from './use-keep-focus.ts';
import { useRefit } from './use-refit.ts';
import { useReveal } from './use-reveal.ts';
import { useSight } from './use-sight.ts';
import { useSnap } from './use-snap.ts';
import { ZoomControl } from './zoom-control.tsx';

const nodeTypes = { card: NodeCard };
const edgeTypes = { state: StateWire };

/** Cards snap to multiples of this, in canvas pixels. One object: a new one at each render tells everything on the canvas of a change. */
const snapGrid: [number, number] = [4, 4];

/** The zoom to which a double click on a block goes. */
const closer = 0.8;

const onNodeMouseEnter = (_event: unknown, { id }: CanvasNode): void => pointedStore.setState({ key: id });
const startConnecting = (): void => pointedStore.setState({ connecting: true });
const endConnecting = (): void => pointedStore.setState({ connecting: false });

/** The canvas. Only visible nodes are mounted, and an edit renders only the cards that it touched. */
export const FlowCanvas = memo(function FlowCanvas({ flow, regions }: ShownFlow) {
  const { panning } = useSettings();
  const instance = useReactFlow<CanvasNode, CanvasWire>();
  const frame = useRef<HTMLDivElement>(null);
  const { index, placed } = useCardIndex(flow);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only places and wires count; an edit of one node of thousands changes neither
  const channels = useMemo(() => rowChannels(flow.view, flow.positions), [placed, flow.view.wires]);
  const onKeyDown = useCanvasKeys(flow);
  useAutoLayout(flow);
  const viewport = useFirstFit(flow, frame);
  useRefit(flow, frame, viewport);
  const sight = useSight(viewport, frame);
  const { nodes, wires, onSurface, onNodesChange, setHovered } = useCanvasItems(flow, index, sight, channels, frame);
  const onNodesMove = useSnap(index, flow.positions, onNodesChange);
  const level = sight?.level ?? 'full';
  const found = useFoundAt(index, channels);
  const drops = useDrops(found);
  const menus = useCanvasMenus(found, onSurface);
  useKeepFocus(frame, nodes);
  useReveal(flow, frame);
  useFollowRun(flow, frame);
  useCanvasRequests(frame);
  useClipboard(frame);

  const onNodeClick = useCallback((_event: unknown, node: CanvasNode) => {
    const waits = runMarksStore.getState().nodes[node.data.view.id]?.status === 'waiting';
    const panels = panelsStore.getState();
    // Someone who debugs selects nodes to set breakpoints there.
    if (waits) panels.showRight('waiting');
    else if (!isPanelOpen(panels, 'right') || panels.right.tab !== 'debug') panels.offerRight('node');
  }, []);

  const onNodeDoubleClick = useCallback(
    (_event: unknown, node: CanvasNode) => {
      // A block is too small to be worked with: a double click goes closer.
      const group = groupOfKey(node.id);
      if (group !== null) return changeGroup(group, { folded: false }, actionTexts.group.unfold);
      if (!isFar(detailLevel(instance.getZoom()))) return openNested(node.id);
      const { position, data } = node;
      void instance.setCenter(position.x + card.width / 2, position.y + cardHeight(data.view) / 2, { zoom: closer });
      return true;
    },
    [instance],
  );

  const onEdgesChange = useCallback((changes: EdgeChange<CanvasWire>[]) => {
    const chosen = new Set(selectionStore.getState().wires);
    for (const change of changes) {
      if (change.type !== 'select') continue;
      if (change.selected) chosen.add(change.id);
      else chosen.delete(change.id);
    }
    select(selectionStore.getState().nodes, [...chosen], selectionStore.getState().notes);
  }, []);

  const onPaneClick = useCallback(
    (event: ReactMouseEvent) => {
      const hit = onSurface ? found.drawnAt({ x: event.clientX, y: event.clientY }) : null;
      if (hit?.what === 'token') return;
      select(hit?.what === 'node' ? [hit.key] : [], hit?.what === 'wire' ? [hit.wire.key] : []);
    },
    [found, onSurface],
  );

  const onConnectEnd = useCallback(
    (event: MouseEvent | TouchEvent, state: FinalConnectionState) => {
      endConnecting();
      if (state.isValid || !state.fromHandle || !state.fromNode) return;
      const from = { node: state.fromNode.id, handle: state.fromHandle.id ?? null, type: state.fromHandle.type };
      if (state.toHandle && state.toNode) {
        const to = { node: state.toNode.id, handle: state.toHandle.id ?? null };
        const [source, target] = from.type === 'source' ? [from, to] : [to, from];
        const why = whyNotPorts({
          source: source.node,
          sourceHandle: source.handle,
          target: target.node,
          targetHandle: target.handle,
        });
        if (why) noticeProblem(texts.cannotConnect, why);
        return;
      }
      const { x, y } = pointOf(event);
      const waiting = portState(from.node, from.handle);
      if (waiting === null || from.handle === null) return;
      const start = { node: from.node, handle: from.handle };
      if (dropOnCard(start, { x, y })) return;
      const at = instance.screenToFlowPosition({ x, y });
      const end = { [from.type === 'source' ? 'consumes' : 'produces']: waiting };
      openQuickAdd({ screen: { x, y }, at: { x: at.x, y: at.y - 47 }, from: start, ...end });
    },
    [instance],
  );

  // Movements that the page makes itself have no event. A turn of the wheel may be only a start, a click only that, too.
  const onMove = useCallback((event: unknown) => {
    if (event) pauseFollow();
  }, []);
  const onMoveStart = useCallback((event: unknown) => {
    if (event instanceof WheelEvent) pauseFollow();
  }, []);
  const onConnect = useCallback((connection: CanvasConnection) => connectPorts(connection), []);
  const isValidConnection = useCallback((connection: CanvasConnection | CanvasWire) => whyNotPorts(connection) === null, []);

  const onDoubleClick = useCallback(
    (event: ReactMouseEvent) => {
      if (!(event.target instanceof Element) || !isPane(event.target)) return;
      const screen = { x: event.clientX, y: event.clientY };
      openQuickAdd({ screen, at: instance.screenToFlowPosition(screen) });
    },
    [instance],
  );

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys of everything inside; each node takes the focus itself, a click beside them the frame
    <div
      ref={frame}
      className={styles.canvas}
      data-canvas
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onDoubleClick={onDoubleClick}
      onContextMenu={menus.onContextMenu}
    >
      {viewport && (
        <DetailContext value={level}>
          <ReactFlow<CanvasNode, CanvasWire>
            nodes={nodes}
            edges={wires}
            nodeTypes={nodeTypes}
            edgeTypes={edgeTypes}
            onNodesChange={onNodesMove}
            onEdgesChange={onEdgesChange}
            onNodeClick={onNodeClick}
            onNodeDoubleClick={onNodeDoubleClick}
            onNodeMouseEnter={onNodeMouseEnter}
            {...drops}
            onPaneClick={onPaneClick}
            nodesConnectable={!flow.code}
            onMove={onMove}
            onPaneContextMenu={menus.onPaneContextMenu}
            onMoveStart={onMoveStart}
            onConnect={onConnect}
            onConnectStart={startConnecting}
            onConnectEnd={onConnectEnd}
            onClickConnectStart={startConnecting}
            onClickConnectEnd={endConnecting}
            isValidConnection={isValidConnection}
            onlyRenderVisibleElements
            disableKeyboardA11y
            deleteKeyCode={null}
            zoomOnDoubleClick={false}
            connectionRadius={24}
            minZoom={0.05}
            maxZoom={2}
            attributionPosition="top-right"
            snapToGrid
            snapGrid={snapGrid}
            defaultViewport={viewport}
            aria-label={texts.flow}
            {...panningPresets[panning]}
          >
            <DotGrid />
            <RegionLayer regions={regions} view={flow.view} positions={flow.positions} />
            {flow.extras.groups && <GroupLayer view={flow.view} positions={flow.positions} groups={flow.extras.groups} />}
            {flow.extras.notes && <NoteLayer notes={flow.extras.notes} />}
            {sight && <DetailAttributes frame={frame} level={level} onSurface={onSurface} {...sight.sizes} />}
            <SnapLines />
            <DropWire />
            <ZoomControl />
            <SelectionBar />
            {onSurface && (level === 'blocks' || level === 'map') && (
              <FarSurface
                level={level}
                index={index}
                channels={channels}
                nodes={nodes}
                frame={frame}
                found={found}
                setHovered={setHovered}
              />
            )}
            <FlowMap view={placed.view} positions={placed.positions} />
          </ReactFlow>
        </DetailContext>
      )}
    </div>
  );
});
