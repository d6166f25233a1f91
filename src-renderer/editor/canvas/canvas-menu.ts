import { currentFlow } from '#renderer/document/flows/editor.ts';
import { groupsOf } from '#renderer/document/flows/folded-regions.ts';
import { select, selectionStore } from '#renderer/document/flows/selection.ts';
import { groupOfKey } from '#renderer/document/layout/groups.ts';
import { texts } from '#renderer/editor/actions/texts.ts';
import type { MenuPlace } from '#renderer/shell/command.ts';
import { type MenuSubject, openMenu } from '#renderer/shell/menu-store.ts';
import type { FarHit } from './found-at.ts';

interface Found {
  readonly place: MenuPlace;
  readonly label: string;
  readonly subject?: MenuSubject;
}

/**
 * Opens the context menu of what is at an element of the canvas: a token, a port, a node, several, a wire; else of what the surface draws
 * there, else of the canvas.
 */
export function openCanvasMenu(target: Element, point: { readonly x: number; readonly y: number }, drawn: FarHit | null = null): void {
  const { place, label, subject } = found(target) ?? (drawn && ofDrawn(drawn)) ?? { place: 'canvas', label: texts.menu.canvas };
  openMenu({ place, label, ...point, subject: { ...subject, point } });
}

function ofDrawn(drawn: FarHit): Found {
  if (drawn.what === 'token') return ofToken(drawn.state);
  return drawn.what === 'node' ? ofNode(drawn.key) : ofWire(drawn.wire.key, drawn.wire.state);
}

const ofToken = (state: string): Found => ({ place: 'token', label: texts.menu.token(state), subject: { state } });

function ofWire(key: string, state: string): Found {
  select([], [key]);
  return { place: 'wire', label: texts.menu.wire(state) };
}

function ofNote(id: string): Found {
  const { nodes, wires, notes } = selectionStore.getState();
  const others = nodes.length + wires.length + notes.length > 1;
  if (others && notes.includes(id)) return { place: 'selection', label: texts.menu.selection(nodes.length + notes.length) };
  select([], [], [id]);
  return { place: 'note', label: texts.menu.note };
}

function found(target: Element): Found | null {
  const note = target.closest<HTMLElement>('[data-note]')?.dataset.note;
  if (note !== undefined) return ofNote(note);
  const key = target.closest<HTMLElement>('.react-flow__node')?.dataset.id;
  const token = target.closest<HTMLElement>('[data-token]')?.dataset.token;
  if (token !== undefined) return ofToken(token);
  const port = target.closest<HTMLElement>('[data-port]')?.dataset;
  if (port?.port !== undefined && key !== undefined) {
    select([key]);
    const side = port.side === 'input' ? 'input' : 'output';
    return { place: 'port', label: texts.menu.port(port.port), subject: { state: port.port, node: key, side } };
  }
  if (key !== undefined) return ofNode(key);
  const wire = target.closest<HTMLElement>('.react-flow__edge')?.dataset.id ?? target.closest<HTMLElement>('[data-wire]')?.dataset.wire;
  const state = currentFlow()?.view.wires.find((candidate) => candidate.key === wire)?.state;
  return wire !== undefined && state !== undefined ? ofWire(wire, state) : null;
}

function ofNode(key: string): Found {
  const { nodes } = selectionStore.getState();
  if (nodes.length > 1 && nodes.includes(key)) return { place: 'selection', label: texts.menu.selection(nodes.length) };
  select([key]);
  const flow = currentFlow();
  const group = flow && groupsOf(flow).find(({ id }) => id === groupOfKey(key));
  if (group) return { place: 'group', label: texts.menu.group(group.title), subject: { group: group.id } };
  const title = currentFlow()?.view.nodes.find((node) => node.key === key)?.title ?? key;
  return { place: 'node', label: texts.menu.node(title) };
}

/** The same for a node that is not on the canvas, such as its row in the outline. */
export function openNodeMenu(key: string, point: { readonly x: number; readonly y: number }): void {
  const { place, label } = ofNode(key);
  openMenu({ place, label, ...point, subject: { point } });
}
