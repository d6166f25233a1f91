import type { FrameProgress } from '#shared/contract/runs.ts';
import { toolText } from '#shared/run/stop.ts';
import { texts } from './texts.ts';

/** Where the states of a frame in progress are: `inside item 2 of 3`, `inside look-up`. */
export function itemText({ index, of, call }: Pick<FrameProgress, 'index' | 'of' | 'call'>): string {
  return call ? texts.state.insideCall(toolText(call.tool)) : texts.state.insideItem(index + 1, of);
}
