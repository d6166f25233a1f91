import { createStore } from 'zustand/vanilla';

/** The node to which the timeline is limited. */
export interface TimelineFilter {
  /** The flow of the runs to which the filter applies. */
  readonly flow_path: string;
  /** Its id in the run. */
  readonly node: string;
  /** True for a nested flow with all of its nodes. */
  readonly nested: boolean;
}

/** The timeline's filter; null shows every step. */
export const timelineFilterStore = createStore<{ readonly filter: TimelineFilter | null }>()(() => ({ filter: null }));

/** Limits the timeline to a node; null removes the limit. */
export function filterTimeline(filter: TimelineFilter | null): void {
  timelineFilterStore.setState({ filter });
}
