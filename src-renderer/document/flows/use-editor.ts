import { useStore } from 'zustand';
import { type EditorState, editorStore } from './editor.ts';

/** Subscribes to a part of the editor. */
export function useEditor<Selected>(select: (state: EditorState) => Selected): Selected {
  return useStore(editorStore, select);
}
