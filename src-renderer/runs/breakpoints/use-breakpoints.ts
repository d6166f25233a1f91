import { useStore } from 'zustand';
import type { EditorState } from '#renderer/document/flows/editor.ts';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import { useEditor } from '#renderer/document/flows/use-editor.ts';
import { flowPathIn } from '#renderer/document/graph/flow-path.ts';
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

/** How many breakpoints lie in the flow that a node of the shown flow runs, as deep as its flows are open here. */
export function useBreakpointsInside(file: string | null): number {
  const path = useCurrentFlow((flow) => flow?.path ?? '');
  const inside = useEditor(({ flows }) => (file === null ? '' : flowsInside(flows, path, file).join('\n')));
  return useStore(breakpointStore, ({ breakpoints }) => {
    if (inside === '') return 0;
    const paths = new Set(inside.split('\n'));
    return breakpoints.filter((breakpoint) => 'flow' in breakpoint && paths.has(breakpoint.flow ?? '')).length;
  });
}

/** Paths of the flow that `file` names in the flow at `path`, and of those that it runs. */
function flowsInside(flows: EditorState['flows'], path: string, file: string, found = new Set<string>()): string[] {
  const target = flowPathIn(path, file);
  if (target === null || found.has(target)) return [...found];
  found.add(target);
  for (const node of flows[target]?.readable?.nodes ?? []) {
    if (typeof node.raw.flow === 'string') flowsInside(flows, target, node.raw.flow, found);
  }
  return [...found];
}

/** The stop of the shown run at its latest step; null while it runs, and while an earlier step is shown. */
function stopNow({ view, selected }: RunSessionState): Stop | null {
  return (view?.status === 'paused' || view?.stop?.point === 'hold') && selected === null ? view.stop : null;
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
