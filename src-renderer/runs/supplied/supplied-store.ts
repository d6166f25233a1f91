import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { breakpointChanges, isSupplied } from '#renderer/document/editing/flow-breakpoints.ts';
import { editorStore } from '#renderer/document/flows/editor.ts';
import { breakpointStore, carryOut, changeDebug, shownInFlows } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import type { OwnChange } from '#renderer/runs/breakpoints/flow-breakpoints.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import type { DebugState } from '#shared/contract/debug.ts';
import type { Pin, Supplied } from '#shared/contract/supplied.ts';
import { pinOf } from './supplied-edits.ts';
import { texts } from './texts.ts';

/** What is edited in the inspector: the pin of a node, or a mock by its id. */
interface Editing {
  readonly pin: { readonly flow: string; readonly node: string } | null;
}

export const suppliedStore = createStore<Editing>()(() => ({ pin: null }));

/** Opens the form of a node's pin in the inspector; null closes it. */
export function editPin(pin: Editing['pin']): void {
  suppliedStore.setState({ pin });
}

export function newSuppliedId(kind: 'pin' | 'mock'): string {
  return `${kind}-${[...crypto.getRandomValues(new Uint8Array(3))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** What an answer of the host changes, as the user's own change: a pin also replaces another one of its node. */
function ownChange({ supplied }: DebugState, label: string): OwnChange {
  const { put, remove } = breakpointChanges(shownInFlows().filter(isSupplied), supplied);
  return { put, remove, label };
}

function labelOf(supplied: Supplied, removed = false): string {
  const { flow = '', node } = supplied;
  const title = editorStore.getState().flows[flow]?.view.nodes.find(({ id }) => id === node)?.title ?? node ?? '';
  if (supplied.kind !== 'pin') return removed ? texts.mockRemoved(title) : texts.mockSet(title);
  if (supplied.disabled) return removed ? texts.enabled(title) : texts.disabled(title);
  return removed ? texts.unpinned(title) : texts.pinned(title);
}

/** Stores a pin or mock. Returns why it is refused; null if it was stored. */
export async function saveSupplied(supplied: Supplied): Promise<string | null> {
  try {
    await carryOut(
      () => studio.debug.putSupplied({ supplied: [supplied] }),
      (state) => ownChange(state, labelOf(supplied)),
    );
    return null;
  } catch (thrown) {
    return failureOf(thrown).message;
  }
}

/** Stores a pin of a node, and announces it or why it is refused. */
export async function putPin(pin: Pin, title: string): Promise<boolean> {
  const refused = await saveSupplied(pin);
  if (refused === null) announce(pin.disabled ? texts.disabled(title) : texts.pinned(title));
  else noticeProblem(texts.failed, refused);
  return refused === null;
}

export function removeSupplied(id: string): Promise<boolean> {
  const known = breakpointStore.getState().supplied.find((each) => each.id === id);
  const own = (state: DebugState) => ownChange(state, known ? labelOf(known, true) : '');
  return changeDebug(texts.failed, () => studio.debug.removeSupplied({ ids: [id] }), own);
}

/** Removes the pin of a node. */
export async function removePin(flow: string, node: string, title: string): Promise<void> {
  const pin = pinOf(breakpointStore.getState().supplied, flow, node);
  if (pin && (await removeSupplied(pin.id))) announce(pin.disabled ? texts.enabled(title) : texts.unpinned(title));
}

export function putSupplied(supplied: Supplied): Promise<boolean> {
  const own = (state: DebugState) => ownChange(state, labelOf(supplied));
  return changeDebug(texts.failed, () => studio.debug.putSupplied({ supplied: [supplied] }), own);
}

/** The switch *Supplied outputs*. */
export function switchAllSupplied(on: boolean): Promise<boolean> {
  return changeDebug(texts.failed, () => studio.debug.switchSupplied({ on }));
}
