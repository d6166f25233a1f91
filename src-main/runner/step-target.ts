import { enclosingItem } from '#main/engine/step/each-cursor.ts';
import { isUnderWay, type LoadedRun } from './loaded-run.ts';

/**
 * How far one call of `step` goes. `into`: one transition. `over`: until the node that fires next has finished. `out`: the same, but of a
 * node inside an `each` node that is not in progress itself, until that `each` node has finished.
 */
export type StepMode = 'into' | 'over' | 'out';

/** Returns the node whose end completes a step over or out of it. */
export function stepTarget(run: LoadedRun, mode: StepMode): string {
  const node = run.runtime.nextNode ?? '';
  if (mode !== 'out' || isUnderWay(run, node)) return node;
  return enclosingItem(node)?.each ?? node;
}
