import { createStore } from 'zustand/vanilla';
import type { Problem } from '#shared/flow/problem.ts';
import type { MenuPlace } from './command.ts';

/** What a menu was opened on, besides the selection. */
export interface MenuSubject {
  readonly state?: string;
  /** Key of a node, with `state` for one of its ports. */
  readonly node?: string;
  readonly side?: 'input' | 'output';
  /** Path of a flow. */
  readonly path?: string;
  /** Id of a group. */
  readonly group?: string;
  /** A step of the shown run. */
  readonly seq?: number;
  /** A run of the folder; of a question, with the id of the node in it that asks. */
  readonly run?: { readonly run_id: string; readonly flow_path: string; readonly node?: string };
  /** A problem of the shown flow. */
  readonly problem?: Problem;
  /** A state of the shown run after a step, by its name in the run and the item that contains it, or the value at a JSON Pointer in it. */
  readonly value?: {
    readonly run_id: string;
    readonly seq: number;
    readonly state: string;
    readonly item?: string;
    readonly path?: string;
  };
  /** A point of the window. */
  readonly point?: { readonly x: number; readonly y: number };
}

export interface OpenMenu {
  readonly place: MenuPlace;
  /** Name of the menu for screen readers. */
  readonly label: string;
  /** Where it opens, in pixels of the window. */
  readonly x: number;
  readonly y: number;
  readonly subject: MenuSubject;
}

/** The open context menu, or null. */
export const menuStore = createStore<{ readonly menu: OpenMenu | null }>()(() => ({ menu: null }));

const nothing: MenuSubject = {};
let running: MenuSubject | null = null;

/** What the command that runs now, or whose menu is open, is about. Empty for keys and the palette. */
export function menuSubject(): MenuSubject {
  return running ?? menuStore.getState().menu?.subject ?? nothing;
}

export function openMenu(menu: OpenMenu): void {
  menuStore.setState({ menu });
}

/** Closes the menu and runs one of its commands, which finds its subject in `menuSubject`. */
export function runFromMenu(run: () => void): void {
  running = menuSubject();
  menuStore.setState({ menu: null });
  try {
    run();
  } finally {
    running = null;
  }
}

export function closeMenu(): void {
  menuStore.setState({ menu: null });
}

/** Where a context menu opens: at the pointer, or, from the keyboard, at the element that has the focus. */
export function menuPoint(event: { readonly clientX: number; readonly clientY: number }, element: Element): { x: number; y: number } {
  if (event.clientX > 0 || event.clientY > 0) return { x: event.clientX, y: event.clientY };
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + Math.min(24, width / 2), y: top + Math.min(height, 40) };
}
