import type { FieldFault } from '#renderer/forms/field-faults.ts';
import type { StateEntry } from '#shared/contract/runs.ts';
import type { Misfit } from '#shared/contract/time-travel.ts';
import type { Json } from '#shared/json.ts';

/** What a person has changed of the states with which a fork begins. */
export interface ForkEdits {
  /** New values by state. */
  readonly values: Readonly<Record<string, Json>>;
  /** States that the fork does not take along. */
  readonly dropped: readonly string[];
}

export const noEdits: ForkEdits = { values: {}, dropped: [] };

/** The edits with one state's value replaced; the value that it had is no edit. */
export function withValue(edits: ForkEdits, state: StateEntry, value: Json | undefined): ForkEdits {
  const { [state.name]: _former, ...rest } = edits.values;
  const same = value === undefined || JSON.stringify(value) === JSON.stringify(state.value);
  return { ...edits, values: same ? rest : { ...rest, [state.name]: value } };
}

/** The edits with one state left out, or taken along again. */
export function withDropped(edits: ForkEdits, name: string, drop: boolean): ForkEdits {
  const others = edits.dropped.filter((dropped) => dropped !== name);
  return { ...edits, dropped: drop ? [...others, name] : others };
}

/** The states part of a fork's request. A state that is left out needs no value. */
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

/** Misfits that belong to no state that is shown. */
export function otherMisfits(misfits: readonly Misfit[], names: readonly string[]): readonly Misfit[] {
  return misfits.filter(({ state }) => state === null || !names.includes(state));
}
