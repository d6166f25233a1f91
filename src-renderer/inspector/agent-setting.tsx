import { NumberInput, Select, Switch } from '@mantine/core';
import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { setField } from './edit-node.ts';

/** Where one setting of an agent stands: `limits`, `turns`. */
interface Place {
  readonly label: string;
  readonly agent: JsonObject;
  /** Path of the agent in the document. */
  readonly path: DocumentPath;
  readonly keys: readonly [group: string, field: string];
}

interface NumberSettingProps extends Place {
  /** What holds without one. */
  readonly placeholder: string;
  readonly step?: number;
  readonly max?: number;
}

/** A number among an agent's settings; left empty, its default holds and nothing is written. */
export function NumberSetting({ placeholder, step = 1, max, ...place }: NumberSettingProps) {
  const value = valueAt(place);
  return (
    <NumberInput
      label={place.label}
      placeholder={placeholder}
      value={typeof value === 'number' ? value : ''}
      min={0}
      {...(max !== undefined && { max })}
      step={step}
      onChange={(next) => set(place, typeof next === 'number' ? next : undefined)}
    />
  );
}

/** Yes or no among an agent's settings; what is the default is not written. */
export function SwitchSetting({
  byDefault,
  description,
  ...place
}: Place & { readonly byDefault: boolean; readonly description?: string }) {
  const value = valueAt(place);
  return (
    <Switch
      label={place.label}
      {...(description !== undefined && { description })}
      checked={typeof value === 'boolean' ? value : byDefault}
      onChange={(event) => set(place, event.currentTarget.checked === byDefault ? undefined : event.currentTarget.checked)}
    />
  );
}

interface ChoiceSettingProps extends Place {
  readonly data: readonly { readonly value: string; readonly label: string }[];
  /** What holds without a choice; it is not written. */
  readonly byDefault: string;
}

/** One of a few among an agent's settings. */
export function ChoiceSetting({ data, byDefault, ...place }: ChoiceSettingProps) {
  const value = valueAt(place);
  return (
    <Select
      label={place.label}
      data={[...data]}
      value={typeof value === 'string' ? value : byDefault}
      allowDeselect={false}
      onChange={(next) => set(place, next === null || next === byDefault ? undefined : next)}
    />
  );
}

function valueAt({ agent, keys: [group, field] }: Place): Json | undefined {
  const outer = agent[group];
  return isJsonObject(outer) ? outer[field] : undefined;
}

/** Writes a setting, or takes it out with a group that would be left empty. */
function set({ label, agent, path, keys: [group, field], ...place }: Place, value: Json | undefined): void {
  const name = `Edit ${label.toLowerCase()}`;
  const outer = agent[group];
  if (value !== undefined) setField([...path, group, field], value, name);
  else if (valueAt({ label, agent, path, keys: [group, field], ...place }) === undefined) return;
  else if (isJsonObject(outer) && Object.keys(outer).length === 1) setField([...path, group], undefined, name);
  else setField([...path, group, field], undefined, name);
}
