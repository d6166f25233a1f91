import { NumberInput, Select, Switch } from '@mantine/core';
import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';
import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { setField } from './edit-node.ts';
import { texts } from './texts.ts';

/** One setting of an agent, or of the flow itself, and its path, such as `limits`, `turns`. */
interface Setting {
  readonly label: string;
  readonly agent: JsonObject;
  /** Path of the agent in the document. */
  readonly path: DocumentPath;
  readonly keys: readonly [group: string, field: string];
}

interface NumberSettingProps extends Setting {
  /** The default, shown while the field is empty. */
  readonly placeholder: string;
  readonly step?: number;
  /** Default: 0. */
  readonly min?: number;
  readonly max?: number;
}

/** A numeric setting of an agent. If empty, the default applies and nothing is written. */
export function NumberSetting({ placeholder, step = 1, min = 0, max, ...setting }: NumberSettingProps) {
  const value = valueAt(setting);
  return (
    <NumberInput
      label={setting.label}
      placeholder={placeholder}
      value={typeof value === 'number' ? value : ''}
      min={min}
      {...(max !== undefined && { max })}
      step={step}
      onChange={(next) => set(setting, typeof next === 'number' ? next : undefined)}
    />
  );
}

/** A boolean setting of an agent. The default is not written. */
export function SwitchSetting({
  byDefault,
  description,
  ...setting
}: Setting & { readonly byDefault: boolean; readonly description?: string }) {
  const value = valueAt(setting);
  return (
    <Switch
      label={setting.label}
      {...(description !== undefined && { description })}
      checked={typeof value === 'boolean' ? value : byDefault}
      onChange={(event) => set(setting, event.currentTarget.checked === byDefault ? undefined : event.currentTarget.checked)}
    />
  );
}

interface ChoiceSettingProps extends Setting {
  readonly data: readonly { readonly value: string; readonly label: string }[];
  /** The default, which is not written. */
  readonly byDefault: string;
}

/** A choice between a few values in an agent's settings. */
export function ChoiceSetting({ data, byDefault, ...setting }: ChoiceSettingProps) {
  const value = valueAt(setting);
  return (
    <Select
      label={setting.label}
      data={[...data]}
      value={typeof value === 'string' ? value : byDefault}
      allowDeselect={false}
      onChange={(next) => set(setting, next === null || next === byDefault ? undefined : next)}
    />
  );
}

function valueAt({ agent, keys: [group, field] }: Setting): Json | undefined {
  const outer = agent[group];
  return isJsonObject(outer) ? outer[field] : undefined;
}

/** Writes a setting, or removes it, together with its group if that would be empty. */
function set({ label, agent, path, keys: [group, field], ...setting }: Setting, value: Json | undefined): void {
  const name = texts.agent.editSetting(label);
  const outer = agent[group];
  if (value !== undefined) setField([...path, group, field], value, name);
  else if (valueAt({ label, agent, path, keys: [group, field], ...setting }) === undefined) return;
  else if (isJsonObject(outer) && Object.keys(outer).length === 1) setField([...path, group], undefined, name);
  else setField([...path, group, field], undefined, name);
}
