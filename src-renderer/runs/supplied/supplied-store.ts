import { createStore } from 'zustand/vanilla';
import { failureOf } from '#renderer/api/failure.ts';
import { studio } from '#renderer/api/studio.ts';
import { breakpointStore, changeDebug, showDebug } from '#renderer/runs/breakpoints/breakpoint-store.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
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

/** Stores a pin or mock. Returns why it is refused; null if it was stored. */
export async function saveSupplied(supplied: Supplied): Promise<string | null> {
  try {
    showDebug(await studio.debug.putSupplied({ supplied: [supplied] }));
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
  return changeDebug(texts.failed, () => studio.debug.removeSupplied({ ids: [id] }));
}

/** Removes the pin of a node. */
export async function removePin(flow: string, node: string, title: string): Promise<void> {
  const pin = pinOf(breakpointStore.getState().supplied, flow, node);
  if (pin && (await removeSupplied(pin.id))) announce(pin.disabled ? texts.enabled(title) : texts.unpinned(title));
}

export function putSupplied(supplied: Supplied): Promise<boolean> {
  return changeDebug(texts.failed, () => studio.debug.putSupplied({ supplied: [supplied] }));
}

/** The switch *Supplied outputs*. */
export function switchAllSupplied(on: boolean): Promise<boolean> {
  return changeDebug(texts.failed, () => studio.debug.switchSupplied({ on }));
}
