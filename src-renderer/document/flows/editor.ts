import { createStore } from 'zustand/vanilla';
import { studio } from '#renderer/api/studio.ts';
import { withAdded } from '#renderer/document/editing/added-drawing.ts';
import type { AddedDrawing, EditPlan } from '#renderer/document/editing/edit-plan.ts';
import { followEnd, mayMoveEnd } from '#renderer/document/editing/move-end.ts';
import {
  type Change,
  isDirty,
  type OpenFlow,
  timeTravel,
  travelTo,
  withAutomaticPositions,
  withExtras,
  withInner,
  withPositions,
  withText,
} from '#renderer/document/editing/open-flow.ts';
import { rememberParsed } from '#renderer/document/graph/parsed-text.ts';
import { type InnerPorts, readableFlow } from '#renderer/document/graph/readable-flow.ts';
import { withoutGroupCards } from '#renderer/document/layout/groups.ts';
import { openedFlow } from '#renderer/document/reading/opened-flow.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeFailure, noticeProblem } from '#renderer/shell/notices.ts';
import type { Layout } from '#shared/contract/flows.ts';
import { applyEdits } from '#shared/flow/edit/apply-edit.ts';
import type { FlowEdit } from '#shared/flow/edit/flow-edit.ts';
import { mayBeWorkflow } from '#shared/flow/flow-file.ts';
import type { LayoutExtras } from '#shared/flow/layout/layout.ts';
import { type ParsedFlow, parseFlow } from '#shared/flow/parse-flow.ts';
import { groupsOf } from './folded-regions.ts';
import { select, selectionStore, selectNothingYet } from './selection.ts';
import { texts } from './texts.ts';

export interface EditorState {
  /** The open flows by path. */
  readonly flows: Readonly<Record<string, OpenFlow>>;
  /** Their paths in the order of the tabs. */
  readonly tabs: readonly string[];
  /** Path of the shown flow. */
  readonly current: string | null;
}

/** The flows that are open for editing. Changes go through the functions of this file, saving through `saving.ts`. */
export const editorStore = createStore<EditorState>()(() => ({ flows: {}, tabs: [], current: null }));

/** The shown flow, if any. */
export function currentFlow(state: EditorState = editorStore.getState()): OpenFlow | null {
  return state.current === null ? null : (state.flows[state.current] ?? null);
}

/** Opens a flow file in a tab, or shows its tab. */
export async function showFlow(path: string): Promise<void> {
  if (!editorStore.getState().flows[path]) {
    try {
      const content = await studio.flows.read({ path });
      // A second click may have opened it in the meantime.
      const flow = await openedFlow(content);
      if (!editorStore.getState().flows[path]) addFlow(flow);
    } catch (thrown) {
      noticeFailure(texts.notOpened(path), thrown);
      return;
    }
  }
  if (editorStore.getState().current === path) return;
  editorStore.setState({ current: path });
  selectNothingYet();
}

/** Adds an opened flow, with a tab at the end. */
export function addFlow(flow: OpenFlow): void {
  rememberParsed(flow.parsed);
  editorStore.setState((state) => ({
    flows: { ...state.flows, [flow.path]: flow },
    tabs: state.tabs.includes(flow.path) ? state.tabs : [...state.tabs, flow.path],
  }));
}

/** Closes a tab. Unsaved edits stay in the draft. */
export function closeFlow(path: string): void {
  editorStore.setState(({ flows, tabs, current }) => {
    const { [path]: _closed, ...rest } = flows;
    const remaining = tabs.filter((tab) => tab !== path);
    const next = remaining[Math.min(tabs.indexOf(path), remaining.length - 1)] ?? null;
    return { flows: rest, tabs: remaining, current: current === path ? next : current };
  });
}

/** Closes every tab: another folder was opened. */
export function closeAllFlows(): void {
  editorStore.setState({ flows: {}, tabs: [], current: null });
  select([]);
}

/** Changes an open flow; does nothing when it is no longer open. */
export function changeFlow(path: string, change: (flow: OpenFlow) => OpenFlow): void {
  editorStore.setState((state) => {
    const flow = state.flows[path];
    if (!flow) return state;
    const next = change(flow);
    rememberParsed(next.parsed);
    return next === flow ? state : { flows: { ...state.flows, [path]: next } };
  });
}

/** Applies a plan to the shown flow, or notifies the user why it was refused. True when it was applied. */
export function carryOut(plan: EditPlan): boolean {
  const flow = currentFlow();
  if (!flow) return false;
  if (flow.code) {
    if (mayBeWorkflow(flow.path)) noticeProblem(texts.workflow, texts.editWorkflow(flow.path));
    else noticeProblem(texts.code, texts.editCode(flow.path));
    return false;
  }
  if (!plan.ok) {
    noticeProblem(texts.refused, plan.reason);
    return false;
  }
  let parsed: ParsedFlow;
  try {
    parsed = withFollowingEnd(flow, plan.edits);
  } catch (thrown) {
    noticeFailure(texts.failed(plan.label), thrown);
    return false;
  }
  const { added } = plan;
  const change = changeNow(plan.label, plan.merge);
  if (added && plan.edits.length === 0) {
    changeFlow(flow.path, (open) => withExtras(open, withAdded(open.extras, added, open.view), {}, change));
  } else changeFlow(flow.path, (open) => withText(open, parsed, change, plan.places, added));
  if (plan.select) select(plan.select);
  else if (added) selectAdded(added);
  else keepSelection(flow);
  announce(movedTo(flow.parsed, parsed, plan) ?? plan.label);
  return true;
}

function selectAdded({ nodes, notes }: AddedDrawing): void {
  const indices = new Set(nodes.map(({ index }) => index));
  select(
    currentFlow()?.view.nodes.flatMap(({ key, index }) => (indices.has(index) ? [key] : [])) ?? [],
    [],
    notes.map(({ id }) => id),
  );
}

/** The text after these edits; if they move the flow's end, its output moves along. */
function withFollowingEnd(flow: OpenFlow, edits: readonly FlowEdit[]): ParsedFlow {
  const edited = applyEdits(flow.parsed, edits);
  const after = flow.readable && mayMoveEnd(edits) ? readableFlow(edited, flow.inner) : null;
  const following = flow.readable && after ? followEnd(flow.readable, after) : [];
  return following.length > 0 ? applyEdits(edited, following) : edited;
}

function movedTo(before: ParsedFlow, after: ParsedFlow, { label, edits }: { label: string; edits: readonly FlowEdit[] }): string | null {
  const { output } = after.outline;
  return mayMoveEnd(edits) && before.outline.output !== output && output !== undefined ? texts.movedEnd(label, output) : null;
}

/** Replaces the text of a flow, as a text editor does. */
export function replaceText(path: string, text: string, label: string, merge?: string): void {
  changeFlow(path, (flow) => (flow.code ? flow : withText(flow, parsed(flow, text), changeNow(label, merge))));
}

/** Moves nodes of the shown flow. */
export function moveNodes(positions: Layout['nodes'], label = texts.move, merge?: string): void {
  const flow = currentFlow();
  if (!flow) return;
  const moved = withoutGroupCards(positions, flow.positions, groupsOf(flow));
  changeFlow(flow.path, (open) => withPositions(open, moved, changeNow(label, merge)));
}

/** Changes notes, groups or the direction of the shown flow, and moves nodes with them. */
export function changeExtras(extras: LayoutExtras, label: string, moved: Layout['nodes'] = {}, merge?: string): void {
  const flow = currentFlow();
  if (flow) changeFlow(flow.path, (open) => withExtras(open, extras, moved, changeNow(label, merge)));
}

/** Applies positions from the layout worker to a flow that the user has not arranged. */
export function takeAutomaticPositions(path: string, positions: Layout['nodes']): void {
  changeFlow(path, (flow) => withAutomaticPositions(flow, positions));
}

/** Applies what the nested flows of a flow consume and produce. */
export function takeInnerPorts(path: string, inner: InnerPorts): void {
  changeFlow(path, (flow) => withInner(flow, inner));
}

/** Undoes or redoes one step of the shown flow. */
export function travel(direction: 'undo' | 'redo'): void {
  const flow = currentFlow();
  const step = flow && timeTravel(flow, direction);
  if (!step) {
    announce(texts.undo.nothing[direction]);
    return;
  }
  if (step.refused !== undefined) {
    changeFlow(step.flow.path, () => step.flow);
    noticeProblem(texts.undo.refused[direction](step.refused), texts.undo.removed);
    return;
  }
  changeFlow(step.flow.path, () => step.flow);
  keepSelection(flow);
  announce(texts.undo.done[direction](step.label));
}

/** Goes to a position in the undo history of the shown flow: after this many steps. */
export function travelInHistory(steps: number): void {
  const flow = currentFlow();
  const there = flow && travelTo(flow, steps);
  if (!there) return;
  if (there.refused !== undefined) {
    noticeProblem(texts.undo.notPast(there.refused), texts.undo.unchanged);
    return;
  }
  changeFlow(flow.path, () => there.flow);
  keepSelection(flow);
  const label = there.flow.history.past.at(-1)?.label;
  announce(label === undefined ? texts.undo.backToStart : texts.undo.backTo(label));
}

/** Keeps renamed nodes selected, and deselects those that are gone. */
function keepSelection(before: OpenFlow): void {
  const after = currentFlow();
  const { nodes } = selectionStore.getState();
  if (!after || after.view === before.view || nodes.length === 0) return;
  const sameLength = after.view.nodes.length === before.view.nodes.length;
  select(
    nodes.flatMap((key) => {
      if (after.view.nodes.some((node) => node.key === key)) return [key];
      const index = sameLength ? before.view.nodes.findIndex((node) => node.key === key) : -1;
      return after.view.nodes[index]?.key ?? [];
    }),
    [],
    selectionStore.getState().notes,
  );
}

/** True when any open flow has unsaved edits. */
export function hasUnsaved(state: EditorState): boolean {
  return Object.values(state.flows).some(isDirty);
}

function parsed(flow: OpenFlow, text: string): ParsedFlow {
  return parseFlow(text, flow.path, flow.parsed);
}

function changeNow(label: string, merge?: string): Change {
  return { label, at: performance.now(), merge: merge ?? null };
}
