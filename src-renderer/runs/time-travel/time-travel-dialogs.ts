import { createStore } from 'zustand/vanilla';
import type { RunView } from '#renderer/runs/model/run-fold.ts';

/** The run of a time travel dialog. */
export type TravelledRun = Pick<RunView, 'run_id' | 'flow_path' | 'flow_name' | 'flow_text' | 'forked_from' | 'seq' | 'titles'>;

/** The open dialog, with its run and step. */
export type TimeTravelDialog =
  | {
      readonly type: 'fork';
      readonly run: TravelledRun;
      readonly seq: number;
      readonly flow: 'recorded' | 'current';
      readonly continues?: boolean;
    }
  | { readonly type: 'matrix'; readonly run: TravelledRun; readonly seq: number }
  | { readonly type: 'restore'; readonly run: TravelledRun; readonly seq: number }
  | { readonly type: 'compare'; readonly run: TravelledRun }
  | { readonly type: 'export'; readonly run: TravelledRun };

export const timeTravelDialogStore = createStore<{ readonly dialog: TimeTravelDialog | null }>()(() => ({ dialog: null }));

export function openTimeTravelDialog(dialog: TimeTravelDialog): void {
  timeTravelDialogStore.setState({ dialog });
}

export function closeTimeTravelDialog(): void {
  timeTravelDialogStore.setState({ dialog: null });
}
