import { useReactFlow } from '@xyflow/react';
import { type KeyboardEvent, useRef } from 'react';
import type { DrawnFlow } from '#renderer/document/editing/open-flow.ts';
import { moveNodes } from '#renderer/document/flows/editor.ts';
import { revealNode, select, selectionStore } from '#renderer/document/flows/selection.ts';
import { openOutputOf } from '#renderer/document/graph/open-output.ts';
import { addFromLibrary } from '#renderer/editor/actions/add-from-library.ts';
import { deleteSelection } from '#renderer/editor/actions/delete-selection.ts';
import { openInInspector } from '#renderer/editor/actions/open-in-inspector.ts';
import { openNested } from '#renderer/editor/actions/open-nested.ts';
import { toggleDisabledAtSelection, togglePinAtSelection } from '#renderer/editor/actions/pin-actions.ts';
import { openQuickAdd } from '#renderer/editor/actions/quick-add-store.ts';
import { renameStateOf } from '#renderer/editor/actions/rename-store.ts';
import { editTitle } from '#renderer/editor/actions/title-store.ts';
import { isTextField } from '#renderer/shell/shortcut.ts';
import { kindLooks, libraryKinds } from '#renderer/ui/kinds/node-kinds.ts';
import { type Direction, neighbour } from './neighbour.ts';
import { texts } from './texts.ts';

const directions: Record<string, Direction> = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };
const offsets: Record<Direction, readonly [number, number]> = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] };

/** Keyboard handling of the canvas while it or an element in it has the focus. */
export function useCanvasKeys(flow: DrawnFlow): (event: KeyboardEvent<HTMLElement>) => void {
  const instance = useReactFlow();
  const latest = useRef(flow);
  latest.current = flow;
  return (event) => {
    // An open dialog handles all keys, even before it has the focus.
    if (isTextField(event.target) || document.querySelector('[role="dialog"]')) return;
    const focused = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('.react-flow__node')?.dataset.id : undefined;
    if (!handleKey(event, latest.current, focused ?? null)) return;
    event.preventDefault();
    event.stopPropagation();
  };

  function handleKey(event: KeyboardEvent, { view, positions }: DrawnFlow, focused: string | null): boolean {
    const wire = event.target instanceof Element ? event.target.closest<HTMLElement>('.react-flow__edge')?.dataset.id : undefined;
    if (wire !== undefined && (event.key === 'Delete' || event.key === 'Backspace')) {
      select([], [wire]);
      return deleteSelection();
    }
    const selected = selectionStore.getState().nodes;
    const key = focused ?? selected.at(-1) ?? null;
    const direction = directions[event.key];
    const ctrl = event.ctrlKey || event.metaKey;
    // Shift with the arrows to the sides grows the selection: a command.
    if (event.shiftKey && !ctrl && (direction === 'left' || direction === 'right')) return false;
    if (direction && !event.altKey) {
      if (ctrl) return nudge(selected.length > 0 ? selected : key ? [key] : [], positions, direction, event.shiftKey ? 40 : 8);
      const next = key ? neighbour(view, positions, key, direction) : (view.nodes[0]?.key ?? null);
      if (next) revealNode(next, true);
      return true;
    }
    if (event.altKey || ctrl) return false;
    switch (event.key) {
      case 'Delete':
      case 'Backspace':
        return deleteSelection();
      case 'Enter':
        if (key === null) return false;
        if (openNested(key)) return true;
        openInInspector(key);
        return true;
      case ' ':
        if (focused === null) return false;
        select(selected.includes(focused) ? selected.filter((other) => other !== focused) : [...selected, focused]);
        return true;
      case 'F2':
        if (event.shiftKey) return wire === undefined && key !== null && renameStateOf(key);
        return key !== null && editTitle(key);
      case 'Escape':
        if (selected.length + selectionStore.getState().notes.length === 0) return false;
        select([]);
        return true;
      default:
        return event.shiftKey ? false : letter(event.key, key, positions);
    }
  }

  function letter(pressed: string, key: string | null, positions: DrawnFlow['positions']): boolean {
    const anchor = key ? positions[key] : undefined;
    const frame = document.querySelector('[data-canvas]')?.getBoundingClientRect();
    if (!frame) return false;
    const middle = { x: frame.left + frame.width / 2, y: frame.top + frame.height / 3 };
    const at = anchor ? { x: anchor.x + 300, y: anchor.y } : instance.screenToFlowPosition(middle);
    const consumes = key ? openOutput(key) : undefined;
    if (pressed.toLowerCase() === 'n') {
      const screen = anchor ? instance.flowToScreenPosition(at) : middle;
      openQuickAdd({ screen, at, ...(consumes && { consumes }) });
      return true;
    }
    if (key !== null && pressed.toLowerCase() === 'p') {
      select([key]);
      togglePinAtSelection();
      return true;
    }
    if (key !== null && pressed.toLowerCase() === 'd') {
      select([key]);
      toggleDisabledAtSelection();
      return true;
    }
    const kind = libraryKinds.find((candidate) => kindLooks[candidate].letter.toLowerCase() === pressed.toLowerCase());
    if (!kind) return false;
    const screen = anchor ? instance.flowToScreenPosition(at) : middle;
    addFromLibrary({ kind }, { at, screen, ...(consumes && { consumes }) });
    return true;
  }

  function openOutput(key: string): string | undefined {
    return openOutputOf(latest.current.view.nodes.find((node) => node.key === key));
  }
}

function nudge(keys: readonly string[], positions: DrawnFlow['positions'], direction: Direction, step: number): boolean {
  const [x, y] = offsets[direction];
  const moved = keys.flatMap((key) => {
    const from = positions[key];
    return from ? [[key, { x: from.x + x * step, y: from.y + y * step }] as const] : [];
  });
  if (moved.length > 0) moveNodes(Object.fromEntries(moved), texts.moveWithKeyboard, `nudge ${keys.join()}`);
  return true;
}
