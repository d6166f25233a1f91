import type { TokenMark } from '#renderer/runs/model/run-marks.ts';
import { texts } from './texts.ts';

/** The tooltip of a token. */
export function tokenTitle(state: string, { preview, wrong }: TokenMark): string {
  if (wrong) return texts.node.neverConsumed(state);
  return preview === '' ? texts.node.waits(state) : texts.node.waitsWith(state, preview);
}
