import { IconX } from '@tabler/icons-react';
import { useReactFlow, useStoreApi, ViewportPortal } from '@xyflow/react';
import { type KeyboardEvent, type MouseEvent, memo, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { select, selectionStore } from '#renderer/document/flows/selection.ts';
import { useSelection } from '#renderer/document/flows/use-selection.ts';
import { deleteSelection } from '#renderer/editor/actions/delete-selection.ts';
import { changeNote, nextColour, noteStore, removeNote } from '#renderer/editor/actions/note-actions.ts';
import { texts as actionTexts } from '#renderer/editor/actions/texts.ts';
import { isTextField } from '#renderer/shell/shortcut.ts';
import type { LayoutNote } from '#shared/flow/layout/layout.ts';
import styles from './note-layer.module.css';
import { NoteText } from './note-text.tsx';
import { texts } from './texts.ts';
import { useDrag } from './use-drag.ts';

/** The notes of a flow, behind its cards. */
export const NoteLayer = memo(function NoteLayer({ notes }: { notes: readonly LayoutNote[] }) {
  useRevealNote(notes);
  useBoxSelection(notes);
  return (
    <ViewportPortal>
      {notes.map((note) => (
        <Note key={note.id} note={note} />
      ))}
    </ViewportPortal>
  );
});

/** Brings a requested note into the middle of the canvas and focuses it. */
function useRevealNote(notes: readonly LayoutNote[]): void {
  const { setCenter, getZoom } = useReactFlow();
  const reveal = useStore(noteStore, (state) => state.reveal);
  const latest = useRef(notes);
  latest.current = notes;
  useEffect(() => {
    const note = latest.current.find(({ id }) => id === reveal?.id);
    if (!note) return;
    void setCenter(note.x + note.width / 2, note.y + note.height / 2, { zoom: Math.max(getZoom(), 0.8) });
    // A closing dialog restores the focus first.
    const timer = setTimeout(
      () => document.querySelector<HTMLElement>(`[data-note="${CSS.escape(note.id)}"]`)?.focus({ preventScroll: true }),
      60,
    );
    return () => clearTimeout(timer);
  }, [reveal, setCenter, getZoom]);
}

/** Selects the notes that the box of a selection touches. */
function useBoxSelection(notes: readonly LayoutNote[]): void {
  const store = useStoreApi();
  useEffect(
    () =>
      store.subscribe(({ userSelectionRect: rect, userSelectionActive, transform: [x, y, zoom] }, before) => {
        if (!rect || !userSelectionActive || rect === before.userSelectionRect) return;
        const [left, top] = [(rect.x - x) / zoom, (rect.y - y) / zoom];
        const [right, bottom] = [left + rect.width / zoom, top + rect.height / zoom];
        const touched = notes.filter(
          (note) => note.x < right && note.x + note.width > left && note.y < bottom && note.y + note.height > top,
        );
        const { nodes, wires } = selectionStore.getState();
        select(
          nodes,
          wires,
          touched.map(({ id }) => id),
        );
      }),
    [notes, store],
  );
}

/** Selects a note alone, or with Shift, Ctrl or Cmd beside what is selected. */
function onNoteClick({ shiftKey, ctrlKey, metaKey }: MouseEvent, id: string): void {
  const { nodes, wires, notes } = selectionStore.getState();
  if (!(shiftKey || ctrlKey || metaKey)) select([], [], [id]);
  else select(nodes, wires, notes.includes(id) ? notes.filter((other) => other !== id) : [...notes, id]);
}

const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-8, 0],
  ArrowRight: [8, 0],
  ArrowUp: [0, -8],
  ArrowDown: [0, 8],
};

/** A note: drag to move it, double-click or Enter to edit it, Ctrl with the arrows moves it, Delete removes it. */
function Note({ note }: { note: LayoutNote }) {
  const { id, x, y, width, height, text, colour } = note;
  const editing = useStore(noteStore, (state) => state.editing === id);
  const selected = useSelection((state) => state.notes.includes(id));
  const edit = () => noteStore.setState({ editing: id });
  const move = useDrag((shift) => changeNote(id, { x: x + shift.x, y: y + shift.y }, actionTexts.note.move));
  const resize = useDrag((shift) =>
    changeNote(id, { width: Math.max(80, width + shift.x), height: Math.max(40, height + shift.y) }, actionTexts.note.resize),
  );

  function onKeyDown(event: KeyboardEvent) {
    if (isTextField(event.target)) return;
    const step = event.ctrlKey || event.metaKey ? steps[event.key] : undefined;
    if (step) changeNote(id, { x: x + step[0], y: y + step[1] }, actionTexts.note.move, `move ${id}`);
    else if (event.key === 'Enter') edit();
    else if (event.key === 'Delete' || event.key === 'Backspace') {
      if (selected) deleteSelection();
      else removeNote(id);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a note is no landmark
    <div
      className={`${styles.note} nopan nodrag`}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys edit, move and delete it
      tabIndex={0}
      data-colour={colour}
      data-note={id}
      data-selected={selected}
      aria-label={texts.notes.label(text)}
      style={{
        transform: `translate(${x + move.shift.x}px, ${y + move.shift.y}px)`,
        width: Math.max(80, width + resize.shift.x),
        height: Math.max(40, height + resize.shift.y),
      }}
      onKeyDown={onKeyDown}
      onClick={(event) => onNoteClick(event, id)}
      onDoubleClick={(event) => {
        event.stopPropagation();
        edit();
      }}
      {...(editing ? {} : move.handlers)}
    >
      {editing ? (
        <textarea
          className={`${styles.field} nowheel`}
          aria-label={texts.notes.text}
          placeholder={texts.notes.placeholder}
          defaultValue={text}
          ref={(element) => element?.focus({ preventScroll: true })}
          onPointerDown={(event) => event.stopPropagation()}
          onKeyDown={(event) => {
            event.stopPropagation();
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
          onBlur={(event) => {
            noteStore.setState({ editing: null });
            changeNote(id, { text: event.currentTarget.value });
          }}
        />
      ) : (
        <div className={styles.text}>
          <NoteText text={text} />
        </div>
      )}
      <div className={styles.tools}>
        <button
          type="button"
          className={styles.colour}
          aria-label={texts.groups.colour(colour)}
          title={texts.groups.colour(colour)}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => changeNote(id, { colour: nextColour(colour) })}
        />
        <button
          type="button"
          aria-label={texts.notes.remove}
          title={texts.notes.remove}
          onPointerDown={(event) => event.stopPropagation()}
          onClick={() => removeNote(id)}
        >
          <IconX size={12} aria-hidden="true" />
        </button>
      </div>
      <span className={styles.corner} title={texts.notes.resize} {...resize.handlers} />
    </div>
  );
}
