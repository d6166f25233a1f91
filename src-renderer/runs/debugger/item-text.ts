import type { ItemProgress } from '#shared/contract/runs.ts';
import { texts } from './texts.ts';

/** Where the states of an item in progress are: `inside item 2 of 3`. */
export function itemText({ index, of }: Pick<ItemProgress, 'index' | 'of'>): string {
  return texts.state.insideItem(index + 1, of);
}
