import { useReactFlow, useStore, useStoreApi } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import type { DrawnFlow } from '#renderer/document/editing/open-flow.ts';
import { membersOf } from '#renderer/document/layout/groups.ts';
import { followCommands } from '#renderer/editor/actions/follow-frames.ts';
import { followStore, useFollow } from '#renderer/editor/actions/follow-store.ts';
import { useRunMarks } from '#renderer/editor/marks/shown-marks.ts';
import type { NodeMark, RunMarks } from '#renderer/runs/model/run-marks.ts';
import { runSessionStore } from '#renderer/runs/model/run-stores.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import { usePanels } from '#renderer/shell/use-panels.ts';
import { clearPart } from './clear-part.ts';
import { viewportShowing } from './in-sight.ts';

/** Duration of a canvas movement, in milliseconds. */
const duration = 150;
/** Minimum time between two movements, in milliseconds. */
const fast = { step: 250, pace: 500 } as const;

/** Node statuses by priority, most important first. */
const order: readonly NodeMark['status'][] = ['waiting', 'failed', 'running', 'next'];

/** The current node of the run: waiting, failed, running or next. Null if it is not in this flow. */
export function nodeInFocus(marks: RunMarks): string | null {
  let found = focused.get(marks);
  if (found === undefined) {
    found = mostImportant(marks);
    focused.set(marks, found);
  }
  return found;
}

/** Answers by marks: React asks several times for each step. */
const focused = new WeakMap<RunMarks, string | null>();

function mostImportant({ nodes }: RunMarks): string | null {
  let best: string | null = null;
  let rank = order.length;
  for (const [id, { status }] of Object.entries(nodes)) {
    const found = order.indexOf(status);
    if (found >= 0 && found < rank) [best, rank] = [id, found];
  }
  return best;
}

/**
 * Keeps the current node of a run in view, live and in history. Does not move the canvas while the node is visible, nor
 * after the user has moved it, until the next command. A far view is zoomed only for a step that the user asked for.
 */
export function useFollowRun(flow: DrawnFlow, frame: RefObject<HTMLDivElement | null>): void {
  const { follows, paused } = useFollow();
  const id = useRunMarks(nodeInFocus);
  const step = useRunSession((state) => state.selected ?? state.view?.seq ?? null);
  // What a panel over the canvas, or beside it, covers may be the current node.
  const room = useStore(({ width, height }) => `${width} ${height}`);
  const over = usePanels((state) => state.small.side);
  const { getViewport, setViewport } = useReactFlow();
  const store = useStoreApi();
  const latest = useRef({ flow, id });
  latest.current = { flow, id };
  const moved = useRef({ changed: 0, timer: 0 });

  useEffect(() => () => clearTimeout(moved.current.timer), []);
  useEffect(followCommands, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further step at the same node brings it back into view, too
  useEffect(() => {
    if (!follows || paused || id === null || moved.current.timer !== 0) return;
    const now = performance.now();
    const delay = now - moved.current.changed < fast.step ? fast.pace : 0;
    moved.current.changed = now;
    moved.current.timer = window.setTimeout(() => {
      moved.current.timer = 0;
      const { view, positions } = latest.current.flow;
      const { id: current } = latest.current;
      const node = view.nodes.find(({ id: own }) => own === current || (current !== null && membersOf(own).includes(current)));
      const place = node && positions[node.key];
      if (!node || !place || !frame.current || store.getState().paneDragging || followStore.getState().paused) return;
      const { drive, selected } = runSessionStore.getState();
      const next = viewportShowing(node, place, getViewport(), clearPart(frame.current), drive !== 'step' && selected === null);
      const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      if (next) void setViewport(next, { duration: still ? 0 : duration });
    }, delay);
  }, [follows, paused, id, step, room, over, getViewport, setViewport, store, frame]);
}
