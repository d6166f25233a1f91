import { createStore } from 'zustand/vanilla';
import type { FlowPart } from '#renderer/editing/extract-flow.ts';

/** The part of the shown flow for which the dialog asks a name; null while none is to become a nested flow. */
export const extractStore = createStore<{ readonly part: FlowPart | null }>()(() => ({ part: null }));
