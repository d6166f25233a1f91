import { type Place, placeOf, type RunAt } from '#main/debug/place.ts';
import { frameOf } from '#main/debug/scope.ts';
import { isUnderWay, type LoadedRun } from './loaded-run.ts';

/**
 * How far one call of `step` goes. `into`: one transition. `over`: until the node that fires next has finished. `out`: until the innermost frame has
 * finished: the agent in progress, the nested flow, the item of an `each` node, else the run.
 */
export type StepMode = 'into' | 'over' | 'out';

/** Returns whether a step has gone far enough, to be asked after each transition. */
export function stepGoal(run: LoadedRun, mode: StepMode): () => boolean {
  const node = run.runtime.nextNode ?? '';
  if (mode === 'into') return () => true;
  if (mode === 'over' || isUnderWay(run, node)) return () => !isUnderWay(run, node);
  const place = placeOf(run.graph, node, runAt(run));
  if (!place) return () => true;
  const inner = statesOfNestedFlow(place);
  const level = place.levels.at(-1);
  const itemEnded = () => level !== undefined && run.recorder.folded.control.frames[level.id]?.index !== level.index;
  if (inner.length === 0) return level ? itemEnded : () => false;
  return () => {
    if (itemEnded()) return true;
    const now = placeOf(run.graph, node, runAt(run));
    return !now || inner.every((name) => now.state(name) === undefined);
  };
}

/** Returns a run between two transitions. */
export function runAt({ recorder }: LoadedRun): RunAt {
  return { states: recorder.folded, control: recorder.folded.control };
}

/** Returns the states that wait while the nested flow of a place has not finished; none for a node of the flow itself. */
function statesOfNestedFlow({ graph, node }: Place): string[] {
  const frame = frameOf(graph, node);
  if (frame === '') return [];
  const inside = graph.nodes.filter((each) => frameOf(graph, each) === frame || frameOf(graph, each).startsWith(`${frame}\n`));
  return inside.flatMap(({ from }) => from);
}
