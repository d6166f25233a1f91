import type { FieldFault } from '#renderer/ui/forms/field-faults.ts';
import type { StateEntry } from '#shared/contract/runs.ts';
import type { Misfit } from '#shared/contract/time-travel.ts';
import type { Json } from '#shared/json.ts';

/** The user's changes to the states of a fork. */
export interface ForkEdits {
  /** New values by state. */
  readonly values: Readonly<Record<string, Json>>;
  /** States that the fork leaves out. */
  readonly dropped: readonly string[];
}

export const noEdits: ForkEdits = { values: {}, dropped: [] };

/** The edits with one state's value replaced; its original value is not an edit. */
export function withValue(edits: ForkEdits, state: StateEntry, value: Json | undefined): ForkEdits {
  const { [state.name]: _former, ...rest } = edits.values;
  const same = value === undefined || JSON.stringify(value) === JSON.stringify(state.value);
  return { ...edits, values: same ? rest : { ...rest, [state.name]: value } };
}

/** The edits with one state removed, or added back. */
export function withDropped(edits: ForkEdits, name: string, drop: boolean): ForkEdits {
  const others = edits.dropped.filter((dropped) => dropped !== name);
  return { ...edits, dropped: drop ? [...others, name] : others };
}

/** The states of a fork's request. A removed state needs no value. */
export function requestOf({ values, dropped }: ForkEdits): { states: { name: string; value: Json }[]; drop: string[] } {
  const states = Object.entries(values).flatMap(([name, value]) => (dropped.includes(name) ? [] : [{ name, value }]));
  return { states, drop: [...dropped] };
}

/** The faults of one state's value, at their fields (`/states/1/value/name` is the field `name`). */
export function faultsOfState(misfits: readonly Misfit[], name: string): readonly FieldFault[] {
  return misfits.flatMap(({ state, path, message }) => {
    if (state !== name) return [];
    const inside = /^\/states\/\d+\/value(\/.*)?$/.exec(path)?.[1] ?? '';
    const segments = inside.split('/').slice(1);
    return [{ path: segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')), message }];
  });
}

/** Misfits of no shown state. */
export function otherMisfits(misfits: readonly Misfit[], names: readonly string[]): readonly Misfit[] {
  return misfits.filter(({ state }) => state === null || !names.includes(state));
}
