import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { follow } from '#renderer/api/follow.ts';
import { studio } from '#renderer/api/studio.ts';
import { breakpointChanges, type FlowMark, isSupplied } from '#renderer/document/editing/flow-breakpoints.ts';
import { editorStore } from '#renderer/document/flows/editor.ts';
import { sendEdits } from '#renderer/document/saving/sync.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeFailure, noticeProblem } from '#renderer/shell/notices.ts';
import { workspaceStore } from '#renderer/workspace/folder/workspace.ts';
import type { Breakpoint, BreakpointOf } from '#shared/contract/breakpoint.ts';
import type { DebugState } from '#shared/contract/debug.ts';
import {
  allSwitched,
  type BreakpointChange,
  type BreakpointTarget,
  breakpointAt,
  cycled,
  isOn,
  switched,
  toggled,
} from './breakpoint-edits.ts';
import { type BreakpointIndex, indexOf, type PinIndex, pinsOf } from './breakpoint-index.ts';
import { whatText } from './breakpoint-text.ts';
import { noteInFlows, type OwnChange, ofFlow, showInFlows, watchFlows, withChange } from './flow-breakpoints.ts';
import { texts } from './texts.ts';

interface BreakpointState extends DebugState {
  readonly index: BreakpointIndex;
  /** The pins of nodes, by where they are drawn. */
  readonly pins: PinIndex;
  /** Id of the breakpoint whose form is open. */
  readonly editing: string | null;
}

const nothing: DebugState = {
  revision: 0,
  ...{ breakpoints: [], unverified: [], moved: [], watches: [], supplied: [], supplied_on: true },
  ...{ foreign: false, notice: null },
};

/** The breakpoints and watches of the open folder, as the host has them. */
export const breakpointStore = createStore<BreakpointState>()(() => ({ ...nothing, index: {}, pins: {}, editing: null }));

/** How many changes of the user are on their way to the host: until it has answered, the open flows are ahead of it. */
let storing = 0;

/** What the open flows began with: a difference between this and a flow is the user's, one between this and the host another window's. */
let base: readonly FlowMark[] = [];

/** Shows what the host answered to a change, unless a later state has arrived before it, such as after a change of another window. */
export function showDebug(state: DebugState): void {
  if (state.revision >= breakpointStore.getState().revision) show(state);
  else showStored();
}

function show(state: DebugState): void {
  breakpointStore.setState((before) => ({ ...state, index: indexOf(state, before.index), pins: pinsOf(state, before.pins) }));
  showStored();
}

/** The breakpoints, pins and mocks that the open flows show, without changes of the user that are on their way. */
export function shownInFlows(): readonly FlowMark[] {
  return base;
}

/** Everything that is stored and may be set in a flow. */
function stored(): FlowMark[] {
  const { breakpoints, supplied } = breakpointStore.getState();
  return [...breakpoints, ...supplied];
}

function showStored(): void {
  if (storing > 0) return;
  base = stored();
  showInFlows(base);
}

/** Follows the breakpoints of the open folder. Returns the function that stops this. */
export function followBreakpoints(): () => void {
  let end = () => {};
  let folder: string | undefined;
  const restart = () => {
    const now = workspaceStore.getState().workspace?.folder;
    if (now === folder) return;
    folder = now;
    end();
    show(nothing);
    breakpointStore.setState({ editing: null });
    if (now === undefined) return;
    end = follow({
      subscribe: (signal) => studio.debug.watch(undefined, { signal }),
      onItem: (state) => {
        // Those that this window moves are part of its edit.
        if (state.moved.length > 0 && storing === 0) announce(texts.moved(state.moved.length));
        if (state.notice !== null && state.notice !== breakpointStore.getState().notice) noticeProblem(texts.notRead, state.notice);
        showDebug(state);
      },
    });
  };
  restart();
  const unsubscribe = workspaceStore.subscribe(restart);
  const unwatch = watchFlows({ onOpen: showStored, onChange: (path) => void storeFlow(path) });
  return () => {
    unsubscribe();
    unwatch();
    end();
  };
}

/** What the user has changed in the breakpoints, pins and mocks of an open flow. */
function changesOf(path: string) {
  const flow = editorStore.getState().flows[path];
  const { put, remove } = flow ? breakpointChanges(ofFlow(base, path), flow.breakpoints) : { put: [], remove: [] };
  const known = new Set(base.filter(isSupplied).map(({ id }) => id));
  return {
    put: put.filter((mark): mark is Breakpoint => !isSupplied(mark)),
    remove: remove.filter((id) => !known.has(id)),
    putSupplied: put.filter(isSupplied),
    removeSupplied: remove.filter((id) => known.has(id)),
  };
}

/** Stores the breakpoints, pins and mocks of a flow after undo or a rename. */
async function storeFlow(path: string): Promise<void> {
  if (Object.values(changesOf(path)).every((changes) => changes.length === 0)) return;
  storing += 1;
  await inTurn(async () => {
    // The host finds nodes in the text that it knows.
    await sendEdits(path);
    const changes = changesOf(path);
    base = withChange(base, {
      put: [...changes.put, ...changes.putSupplied],
      remove: [...changes.remove, ...changes.removeSupplied],
    });
    if (changes.remove.length > 0) await send(() => studio.debug.remove({ ids: changes.remove }));
    if (changes.put.length > 0) await send(() => studio.debug.put({ breakpoints: changes.put }));
    if (changes.removeSupplied.length > 0) await send(() => studio.debug.removeSupplied({ ids: changes.removeSupplied }));
    if (changes.putSupplied.length > 0) await send(() => studio.debug.putSupplied({ supplied: changes.putSupplied }));
  });
  storing -= 1;
  showStored();
}

/** Sends a change. On failure reports why under this title, and nothing is changed. `own`: what the user did, for undo. */
export async function changeDebug(
  title: string,
  call: () => Promise<DebugState>,
  own?: (state: DebugState) => OwnChange,
): Promise<boolean> {
  try {
    await carryOut(call, own);
    return true;
  } catch (thrown) {
    noticeFailure(title, thrown);
    return false;
  }
}

/** Sends a change, and makes it an undo step of the flows. The new state may arrive before the answer: until then the flows are not touched. */
export async function carryOut(call: () => Promise<DebugState>, own?: (state: DebugState) => OwnChange): Promise<void> {
  storing += 1;
  try {
    const state = await call();
    if (own) {
      const change = own(state);
      base = withChange(base, change);
      noteInFlows(change);
    }
    showDebug(state);
  } finally {
    storing -= 1;
    showStored();
  }
}

function send(call: () => Promise<DebugState>, own?: (state: DebugState) => OwnChange): Promise<boolean> {
  return changeDebug(texts.failed, call, own);
}

function newId(): string {
  return `b${[...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function numberOf(id: string, { breakpoints }: Pick<DebugState, 'breakpoints'> = breakpointStore.getState()): number {
  return breakpoints.findIndex((breakpoint) => breakpoint.id === id) + 1;
}

let last: Promise<void> = Promise.resolve();

/** Carries out one change after the other, so that keys pressed in quick succession see what the earlier ones did. */
function inTurn(act: () => Promise<void>): Promise<void> {
  last = last.then(act);
  return last;
}

async function apply(change: BreakpointChange): Promise<void> {
  if ('remove' in change) {
    await removeBreakpoint(change.remove);
    return;
  }
  const { put } = change;
  const known = numberOf(put.id) > 0;
  const label = (state: DebugState) => {
    const name = whatText(switched(put, true), numberOf(put.id, state));
    return known ? (isOn(put) ? texts.turnedOn(name) : texts.turnedOff(name)) : texts.set(name);
  };
  const own = (state: DebugState) => ({ put: [put], label: label(state) });
  if (await send(() => studio.debug.put({ breakpoints: [put] }), own)) announce(label(breakpointStore.getState()));
}

/** Sets a breakpoint at the target, or removes the one that is there. */
export function toggleBreakpoint(target: BreakpointTarget): Promise<void> {
  return inTurn(() => apply(toggled(breakpointStore.getState().breakpoints, target, newId())));
}

/** Turns the breakpoint at the target off, removes one that is off, or sets one. */
export function cycleBreakpoint(target: BreakpointTarget): Promise<void> {
  return inTurn(() => apply(cycled(breakpointStore.getState().breakpoints, target, newId())));
}

/** Turns the breakpoint at the target off or on. */
export function switchBreakpoint(target: BreakpointTarget): Promise<void> {
  return inTurn(async () => {
    const known = breakpointAt(breakpointStore.getState().breakpoints, target);
    if (known) await apply({ put: switched(known, !isOn(known)) });
    else announce(texts.none);
  });
}

/** Returns the breakpoint at the target, which is set if there is none; undefined if that fails. */
export async function ensureBreakpoint(target: BreakpointTarget): Promise<Breakpoint | undefined> {
  const find = () => breakpointAt(breakpointStore.getState().breakpoints, target);
  await inTurn(() => (find() ? Promise.resolve() : apply({ put: { id: newId(), ...target } })));
  return find();
}

/** Adds or replaces a breakpoint. */
export function putBreakpoint(breakpoint: Breakpoint): Promise<void> {
  return apply({ put: breakpoint });
}

/** A breakpoint that is at no node or wire: at calls of a tool, at requests to models, or at failed steps. */
export type FreeBreakpoint =
  | { readonly kind: 'tool'; readonly tool: string; readonly on: BreakpointOf<'tool'>['on'] }
  | { readonly kind: 'model'; readonly on: BreakpointOf<'model'>['on']; readonly flow?: string; readonly node?: string }
  | { readonly kind: 'error' };

/** Adds a breakpoint that is at no node or wire. */
export function addBreakpoint(breakpoint: FreeBreakpoint): Promise<void> {
  return apply({ put: { id: newId(), ...breakpoint } });
}

/** Stores the fields of the form. Returns why they are refused; null if they were stored. */
export async function saveBreakpoint(breakpoint: Breakpoint): Promise<string | null> {
  try {
    await carryOut(
      () => studio.debug.put({ breakpoints: [breakpoint] }),
      (state) => ({ put: [breakpoint], label: texts.changed(whatText(switched(breakpoint, true), numberOf(breakpoint.id, state))) }),
    );
    return null;
  } catch (thrown) {
    return failureOf(thrown).message;
  }
}

export async function removeBreakpoint(id: string): Promise<void> {
  const { breakpoints } = breakpointStore.getState();
  const breakpoint = breakpoints.find((each) => each.id === id);
  if (!breakpoint) return;
  const name = whatText(breakpoint, numberOf(id));
  const label = texts.removed(name);
  if (
    await send(
      () => studio.debug.remove({ ids: [id] }),
      () => ({ remove: [id], label }),
    )
  )
    announce(label);
}

export async function removeAllBreakpoints(): Promise<void> {
  const ids = breakpointStore.getState().breakpoints.map(({ id }) => id);
  await send(
    () => studio.debug.remove({ ids }),
    () => ({ remove: ids, label: texts.removeAll }),
  );
}

/** Turns all breakpoints off, or on if none is. */
export async function toggleAllBreakpoints(): Promise<void> {
  const { breakpoints } = breakpointStore.getState();
  if (breakpoints.length === 0) return announce(texts.none);
  const changed = allSwitched(breakpoints);
  const label = changed.every(isOn) ? texts.allOn : texts.allOff;
  if (
    await send(
      () => studio.debug.put({ breakpoints: changed }),
      () => ({ put: changed, label }),
    )
  )
    announce(label);
}

/** Uses breakpoints that came with the folder. */
export async function takeOverBreakpoints(): Promise<void> {
  if (await send(() => studio.debug.takeOver())) announce(texts.foreign.takenOver);
}

/** Replaces the watches of a flow. */
export function putWatches(flow: string, expressions: readonly string[]): Promise<boolean> {
  return send(() => studio.debug.putWatches({ flow, expressions: [...expressions] }));
}

/** Opens the form of a breakpoint; null closes it. */
export function editBreakpoint(id: string | null): void {
  breakpointStore.setState({ editing: id });
}
