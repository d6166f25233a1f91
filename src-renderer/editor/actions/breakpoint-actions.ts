import { currentFlow } from '#renderer/document/flows/editor.ts';
import { selectionStore } from '#renderer/document/flows/selection.ts';
import type { NodeView } from '#renderer/document/graph/graph-view.ts';
import type { BreakpointTarget } from '#renderer/runs/breakpoints/breakpoint-edits.ts';
import { editBreakpoint, ensureBreakpoint, switchBreakpoint, toggleBreakpoint } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { texts } from '#renderer/runs/breakpoints/texts.ts';
import { runOnceTo } from '#renderer/runs/debugger/run-to-here.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { menuSubject } from '#renderer/shell/menu-store.ts';
import { panelsStore } from '#renderer/shell/panels.ts';

/** Where F9 sets a breakpoint: before the selected node, or where the state of the selected wire is written. */
function selectedTarget(): BreakpointTarget | null {
  const flow = currentFlow();
  if (!flow) return null;
  const { state } = menuSubject();
  if (state !== undefined) return { kind: 'state', flow: flow.path, state, on: 'written' };
  const { nodes, wires } = selectionStore.getState();
  // The keyboard reaches wires by the focus, without selecting them.
  const focused = document.activeElement?.closest<HTMLElement>('.react-flow__edge')?.dataset.id;
  const node = flow.view.nodes.find(({ key }) => key === nodes.at(-1));
  if (node && focused === undefined) return { kind: 'before', flow: flow.path, node: node.id };
  const wire = flow.view.wires.find(({ key }) => key === (focused ?? wires.at(-1)));
  return wire ? { kind: 'state', flow: flow.path, state: wire.state, on: 'written' } : null;
}

/** Calls `act` with the target of the selection; without one says what to do. */
function withTarget(act: (target: BreakpointTarget) => void): void {
  const target = selectedTarget();
  if (target) act(target);
  else announce(texts.selectFirst);
}

/** Sets or removes the breakpoint at the selected node or wire. */
export function toggleBreakpointAtSelection(): void {
  withTarget((target) => void toggleBreakpoint(target));
}

/** Sets or removes the breakpoint at an output of a node: at the branch if there are several, else at the state. */
export function toggleBranchBreakpoint(node: NodeView, state: string): void {
  const flow = currentFlow();
  if (!flow) return;
  const target: BreakpointTarget =
    node.outputs.length > 1
      ? { kind: 'branch', flow: flow.path, node: node.id, state }
      : { kind: 'state', flow: flow.path, state, on: 'written' };
  void toggleBreakpoint(target);
}

/** Turns the breakpoint at the selection off or on. */
export function switchSelectedBreakpoint(): void {
  withTarget((target) => void switchBreakpoint(target));
}

/** Opens the form of the breakpoint at the selection, which is set if there is none. */
export async function editSelectedBreakpoint(): Promise<void> {
  const target = selectedTarget();
  if (!target) return announce(texts.selectFirst);
  const breakpoint = await ensureBreakpoint(target);
  if (!breakpoint) return;
  panelsStore.getState().showRight('debug');
  editBreakpoint(breakpoint.id);
}

/** Continues the shown run until the selected node is about to fire, or the state of the selected wire was written. */
export async function runToSelection(): Promise<void> {
  const target = selectedTarget();
  if (!target) return announce(texts.selectFirst);
  await runOnceTo(target);
}
