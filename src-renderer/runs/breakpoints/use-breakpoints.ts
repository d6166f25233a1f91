import { useEffect } from 'react';
import { useStore } from 'zustand';
import { flowsInside, nestedFilesStore, readFlowsInside } from '#renderer/document/flows/nested-files.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import type { RunSessionState } from '#renderer/runs/model/run-session.ts';
import { useRunSession } from '#renderer/runs/model/use-run-session.ts';
import type { Stop } from '#shared/run/stop.ts';
import type { BreakpointSign } from './breakpoint-index.ts';
import { places } from './breakpoint-index.ts';
import { breakpointStore } from './breakpoint-store.ts';
import { stopText, stopTextAtCard } from './breakpoint-text.ts';

/** The sign at a place of the shown flow. `place` receives the flow's path. */
function useSign(place: (flow: string) => string): BreakpointSign | undefined {
  const path = useCurrentFlow((flow) => flow?.path ?? '');
  return useStore(breakpointStore, ({ index }) => index[place(path)]);
}

/** The breakpoint before or after a node of the shown flow. */
export function useNodeBreakpoint(kind: 'before' | 'after', node: string): BreakpointSign | undefined {
  return useSign((flow) => places[kind](flow, node));
}

/** The breakpoint at one output of a node of the shown flow. */
export function useBranchBreakpoint(node: string, state: string): BreakpointSign | undefined {
  return useSign((flow) => places.branch(flow, node, state));
}

/** The breakpoint at a state of the shown flow. */
export function useStateBreakpoint(state: string): BreakpointSign | undefined {
  return useSign((flow) => places.state(flow, state));
}

/** How many breakpoints lie in the flow that a node of the shown flow runs, at any depth. */
export function useBreakpointsInside(file: string): number {
  const path = useCurrentFlow((flow) => flow?.path ?? '');
  const files = useStore(nestedFilesStore, (state) => state.files);
  const isAny = useStore(breakpointStore, ({ breakpoints }) => breakpoints.length > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: files that were forgotten are read again
  useEffect(() => {
    if (isAny) void readFlowsInside(path, file);
  }, [isAny, path, file, files]);
  const inside = useEditor(({ flows }) => (isAny ? flowsInside(flows, files, path, file).join('\n') : ''));
  return useStore(breakpointStore, ({ breakpoints }) => {
    if (inside === '') return 0;
    const paths = new Set(inside.split('\n'));
    return breakpoints.filter((breakpoint) => 'flow' in breakpoint && paths.has(breakpoint.flow ?? '')).length;
  });
}

/** The stop of the shown run at its latest step; null while it runs, and while an earlier step is shown. */
function stopNow({ view, selected }: RunSessionState): Stop | null {
  return (view?.status === 'paused' || view?.stop?.point === 'hold') && selected === null ? view.stop : null;
}

/** Whether cards have anything to show of breakpoints: some are set, or the shown run stands still. */
export function useHasBreakpoints(): boolean {
  const isAny = useStore(breakpointStore, ({ breakpoints }) => breakpoints.length > 0);
  const isStopped = useRunSession((state) => stopNow(state) !== null);
  return isAny || isStopped;
}

/** Why the shown run stands still; null if no breakpoint stopped it. */
export function useStopText(): string | null {
  const stop = useRunSession(stopNow);
  const breakpoints = useStore(breakpointStore, (state) => state.breakpoints);
  return stop && stopText(stop, breakpoints);
}

/** Ids of the breakpoints at which the shown run stands. */
export function useHits(): Stop['breakpoints'] {
  return useRunSession((state) => stopNow(state)?.breakpoints ?? noHits);
}

const noHits: Stop['breakpoints'] = [];

/** Why the shown run stands at this node of the shown flow; null if it does not, or if no breakpoint stopped it. */
export function useStopAtNode(node: string): string | null {
  const path = useCurrentFlow((flow) => flow?.path ?? '');
  const stop = useRunSession((state) => {
    const last = stopNow(state)?.place.at(-1);
    return last?.node === node && last.flow === path ? stopNow(state) : null;
  });
  return useStore(breakpointStore, ({ breakpoints }) => stop && stopTextAtCard(stop, breakpoints));
}
