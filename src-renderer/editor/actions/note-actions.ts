import { createStore } from 'zustand/vanilla';
import { changeExtras, currentFlow } from '#renderer/document/flows/editor.ts';
import { foldRegion, groupsOf } from '#renderer/document/flows/folded-regions.ts';
import { select, selectionStore } from '#renderer/document/flows/selection.ts';
import { isRegionGroup } from '#renderer/document/graph/regions.ts';
import { freePlace } from '#renderer/document/layout/carry-positions.ts';
import { announce } from '#renderer/shell/announcer.ts';
import { askCanvas } from '#renderer/shell/canvas-requests.ts';
import { menuSubject } from '#renderer/shell/menu-store.ts';
import { type LayoutColour, type LayoutGroup, type LayoutNote, layoutColours } from '#shared/flow/layout/layout.ts';
import { texts } from './texts.ts';

interface NoteState {
  /** The note or group whose text is edited, by its id. */
  readonly editing: string | null;
  /** A note to bring into view, with a number that grows at each request. */
  readonly reveal: { readonly id: string; readonly count: number } | null;
}

/** What the user does with notes and groups. */
export const noteStore = createStore<NoteState>()(() => ({ editing: null, reveal: null }));

/** Brings a note, or the nodes of a group, into view. */
export function revealDrawn(id: string): void {
  const group = currentFlow()?.extras.groups?.find((each) => each.id === id);
  if (!group) {
    noteStore.setState(({ reveal }) => ({ reveal: { id, count: (reveal?.count ?? 0) + 1 } }));
    return;
  }
  select(group.nodes);
  askCanvas('fit_selection');
}

const usual = { width: 220, height: 120 } as const;

/** A new id of a note (`n`) or a group (`g`). */
export function freshId(prefix: string): string {
  return `${prefix}${[...crypto.getRandomValues(new Uint8Array(4))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** The color after this one. */
export function nextColour(colour: LayoutColour): LayoutColour {
  return layoutColours[(layoutColours.indexOf(colour) + 1) % layoutColours.length] as LayoutColour;
}

/** Adds a note and edits it. */
export function addNote(at: { readonly x: number; readonly y: number }): void {
  const flow = currentFlow();
  if (!flow) return;
  const note: LayoutNote = { id: freshId('n'), x: Math.round(at.x), y: Math.round(at.y), ...usual, text: '', colour: 'amber' };
  changeExtras({ ...flow.extras, notes: [...(flow.extras.notes ?? []), note] }, texts.note.add);
  noteStore.setState({ editing: note.id });
}

/** Where a new note goes if no point is named: the next free place below the selected node, else below the flow. */
export function placeOfNote(): { x: number; y: number } {
  const flow = currentFlow();
  if (!flow) return { x: 0, y: 0 };
  const all = Object.values(flow.positions);
  const below = all.length === 0 ? { x: 0, y: 0 } : { x: Math.min(...all.map(({ x }) => x)), y: Math.max(...all.map(({ y }) => y)) };
  const wanted = flow.positions[selectionStore.getState().nodes.at(-1) ?? ''] ?? below;
  return freePlace({ x: wanted.x, y: wanted.y + 100 }, usual.height, flow.view, flow.positions);
}

/** Changes a note, as one undo step; without text it is removed. Equal `merge` texts in quick succession are one step. */
export function changeNote(id: string, change: Partial<LayoutNote>, label: string = texts.note.change, merge?: string): void {
  const flow = currentFlow();
  const notes = flow?.extras.notes;
  if (!flow || !notes) return;
  const next = notes
    .map((note) => (note.id === id ? { ...note, ...change } : note))
    .filter((note) => note.id !== id || note.text.trim() !== '');
  changeExtras({ ...flow.extras, notes: next }, label, {}, merge);
}

/** Removes notes. Equal `merge` texts in quick succession are one undo step. */
export function removeNotes(gone: readonly LayoutNote[], label: string, merge: string): void {
  const flow = currentFlow();
  if (!flow) return;
  const ids = new Set(gone.map(({ id }) => id));
  changeExtras({ ...flow.extras, notes: flow.extras.notes?.filter(({ id }) => !ids.has(id)) ?? [] }, label, {}, merge);
}

export function removeNote(id: string): void {
  changeNote(id, { text: '' }, texts.note.remove);
  announce(texts.note.remove);
}

/** The note that a command is about: the only selected one. */
export function selectedNote(): LayoutNote | null {
  const { notes } = selectionStore.getState();
  const [id] = notes;
  return notes.length === 1 ? (currentFlow()?.extras.notes?.find((note) => note.id === id) ?? null) : null;
}

export function editSelectedNote(): void {
  const note = selectedNote();
  if (note) noteStore.setState({ editing: note.id });
}

export function colourSelectedNote(): void {
  const note = selectedNote();
  if (note) changeNote(note.id, { colour: nextColour(note.colour) });
}

/** Makes a group of the selected nodes, and edits its title. */
export function groupSelection(): void {
  const flow = currentFlow();
  const nodes = flow?.view.nodes.map(({ key }) => key).filter((key) => selectionStore.getState().nodes.includes(key)) ?? [];
  if (!flow || nodes.length === 0) return;
  const group: LayoutGroup = { id: freshId('g'), title: texts.group.untitled, colour: 'blue', nodes, folded: false };
  changeExtras({ ...flow.extras, groups: [...(flow.extras.groups ?? []), group] }, texts.group.make);
  noteStore.setState({ editing: group.id });
}

/** The groups that a command is about: that of its menu, else the smallest ones around the selected nodes. */
export function subjectGroups(): readonly LayoutGroup[] {
  const flow = currentFlow();
  const groups = flow ? groupsOf(flow) : [];
  const { group } = menuSubject();
  if (group !== undefined) return groups.filter(({ id }) => id === group);
  const { nodes } = selectionStore.getState();
  const found = nodes.flatMap((key) => {
    const around = groups.filter(({ id, nodes: inside }) => `group:${id}` === key || inside.includes(key));
    return around.sort((one, other) => one.nodes.length - other.nodes.length).slice(0, 1);
  });
  return [...new Set(found)];
}

/** Those of `subjectGroups` that the user has made. */
export function ownGroups(): readonly LayoutGroup[] {
  return subjectGroups().filter(({ id }) => !isRegionGroup(id));
}

/** Dissolves the groups around the selection; their nodes stay. */
export function ungroupSelection(): void {
  const flow = currentFlow();
  const gone = ownGroups();
  if (!flow || gone.length === 0) return;
  changeExtras({ ...flow.extras, groups: (flow.extras.groups ?? []).filter((group) => !gone.includes(group)) }, texts.group.dissolve);
  select(gone.flatMap(({ nodes }) => nodes));
  announce(texts.group.dissolve);
}

/** Changes a group, as one undo step. Of a region of a workflow only `folded` can be changed, which is part of the view. */
export function changeGroup(id: string, change: Partial<LayoutGroup>, label: string = texts.group.change): void {
  const flow = currentFlow();
  if (flow && isRegionGroup(id)) {
    if (change.folded !== undefined) foldRegion(flow.path, id, change.folded);
    return;
  }
  if (!flow?.extras.groups) return;
  changeExtras({ ...flow.extras, groups: flow.extras.groups.map((group) => (group.id === id ? { ...group, ...change } : group)) }, label);
}

/** Folds the groups around the selection into cards, or unfolds them. */
export function foldSelection(): void {
  for (const { id, folded } of subjectGroups()) changeGroup(id, { folded: !folded }, folded ? texts.group.unfold : texts.group.fold);
}
