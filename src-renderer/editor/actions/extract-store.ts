import { createStore } from 'zustand/vanilla';
import type { FlowPart } from '#renderer/document/editing/extract-flow.ts';

/** The part of the current flow that the dialog turns into a nested flow, or null while the dialog is closed. */
export const extractStore = createStore<{ readonly part: FlowPart | null }>()(() => ({ part: null }));
