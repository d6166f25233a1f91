import { useReactFlow, useStoreApi } from '@xyflow/react';
import { type RefObject, useEffect, useRef } from 'react';
import type { DrawnFlow } from '#renderer/editing/open-flow.ts';
import type { NodeMark, RunMarks } from '#renderer/stores/run-marks.ts';
import { useRunMarks } from '#renderer/stores/run-view.ts';
import { useRunSession } from '#renderer/stores/use-run-session.ts';
import { useFollows } from './follow-store.ts';
import { viewportShowing } from './in-sight.ts';

/** How long the canvas takes to move, in milliseconds. */
const duration = 150;
/** A run that is faster than this is followed twice a second. */
const fast = { step: 250, pace: 500 } as const;

/** What matters most of the nodes that a run is at, first. */
const order: readonly NodeMark['status'][] = ['waiting', 'failed', 'running', 'next'];

/** The node that the shown run is at: waits, failed, runs or is next. Null where it is at none of this flow's. */
export function nodeInFocus({ nodes }: RunMarks): string | null {
  let best: string | null = null;
  let rank = order.length;
  for (const [id, { status }] of Object.entries(nodes)) {
    const found = order.indexOf(status);
    if (found >= 0 && found < rank) [best, rank] = [id, found];
  }
  return best;
}

/** Keeps the node that a run is at in sight, at each step and while the past is walked through. Moves nothing while that node is in sight. */
export function useFollowRun(flow: DrawnFlow, frame: RefObject<HTMLDivElement | null>): void {
  const follows = useFollows();
  const id = useRunMarks(nodeInFocus);
  const step = useRunSession((state) => state.selected ?? state.view?.seq ?? null);
  const { getViewport, setViewport } = useReactFlow();
  const store = useStoreApi();
  const latest = useRef({ flow, id });
  latest.current = { flow, id };
  const moved = useRef({ changed: 0, timer: 0 });

  useEffect(() => () => clearTimeout(moved.current.timer), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a step that stays at one node brings it back into sight, too
  useEffect(() => {
    if (!follows || id === null || moved.current.timer !== 0) return;
    const now = performance.now();
    const delay = now - moved.current.changed < fast.step ? fast.pace : 0;
    moved.current.changed = now;
    moved.current.timer = window.setTimeout(() => {
      moved.current.timer = 0;
      const { view, positions } = latest.current.flow;
      const node = view.nodes.find((candidate) => candidate.id === latest.current.id);
      const place = node && positions[node.key];
      if (!node || !place || !frame.current || store.getState().paneDragging) return;
      const next = viewportShowing(node, place, getViewport(), frame.current.clientWidth, frame.current.clientHeight);
      const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      if (next) void setViewport(next, { duration: still ? 0 : duration });
    }, delay);
  }, [follows, id, step, getViewport, setViewport, store, frame]);
}
