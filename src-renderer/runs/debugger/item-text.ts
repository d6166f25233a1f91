import type { FrameProgress } from '#shared/contract/runs.ts';
import { texts } from './texts.ts';

/** Where the states of an item in progress are: `inside item 2 of 3`. */
export function itemText({ index, of }: Pick<FrameProgress, 'index' | 'of'>): string {
  return texts.state.insideItem(index + 1, of);
}
