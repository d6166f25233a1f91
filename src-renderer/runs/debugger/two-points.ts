import { type Difference, differenceOf, wholeOf } from '#renderer/ui/values/value-difference.ts';
import type { StateAt } from '#shared/contract/runs.ts';
import type { Json } from '#shared/json.ts';

/** A state at two points of a run. */
export interface StateDifference {
  /** With its item, as the run names it. */
  readonly name: string;
  readonly difference: Difference;
}

/** Returns the states that differ between two points of a run, those inside items too: first the ones of the later point, then those that are gone. */
export function statesBetween(before: StateAt, after: StateAt): StateDifference[] {
  const [former, current] = [valuesOf(before), valuesOf(after)];
  const found: StateDifference[] = [];
  for (const [name, value] of current) {
    const was = former.get(name);
    found.push({ name, difference: was === undefined ? wholeOf('added', value) : differenceOf(was, value) });
  }
  for (const [name, value] of former) if (!current.has(name)) found.push({ name, difference: wholeOf('removed', value) });
  return found.filter(({ difference }) => difference.kind !== 'same');
}

function valuesOf({ states, items }: StateAt): Map<string, Json> {
  const inside = items.flatMap(({ node, index, call, states: waiting }) =>
    waiting.map(({ name, value }) => [`${call ? node : `${node}[${index}]`}::${name}`, value] as const),
  );
  return new Map([...states.map(({ name, value }) => [name, value] as const), ...inside]);
}
