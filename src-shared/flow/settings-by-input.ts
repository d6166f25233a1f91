import { isJsonObject, type Json, type JsonObject } from '#shared/json.ts';
import { FlowError } from '#shared/run/error.ts';
import type { AgentSettings, SettingsByInput } from './document.ts';
import { fieldAt, fillTemplate } from './template.ts';

/** An agent's settings as a document has them: values, or templates that are filled from the input. */
type Written = { readonly [key: string]: Json };
type Rule = { readonly fits: (value: Json) => boolean; readonly form: string };

const whole: Rule = { fits: (value) => Number.isInteger(value) && (value as number) >= 1, form: 'a whole number of at least 1' };
const count: Rule = { fits: (value) => Number.isInteger(value) && (value as number) >= 0, form: 'a whole number, 0 or more' };
const positive: Rule = { fits: (value) => typeof value === 'number' && value > 0, form: 'a number greater than 0' };

/** What the settings that may be templates have to be once they are filled. */
const rules = {
  params: {
    temperature: { fits: (value: Json) => typeof value === 'number' && value >= 0, form: 'a number, 0 or more' },
    max_tokens: whole,
    top_p: { fits: (value: Json) => typeof value === 'number' && value >= 0 && value <= 1, form: 'a number from 0 to 1' },
    top_k: count,
  },
  limits: { turns: whole, seconds: positive, tool_calls: whole, tokens: whole, cost: positive },
} satisfies Readonly<Record<string, Readonly<Record<string, Rule>>>>;

/** The settings of a document's agent as a graph has them: those that are fixed, and apart from them those that the input gives. */
export function settingsOfGraph(written: JsonObject): AgentSettings {
  const { model, params, limits, ...others } = written;
  const choice = isJsonObject(model) ? choiceOf(model) : undefined;
  const [fixedParams, filledParams] = partsOf(params);
  const [fixedLimits, filledLimits] = partsOf(limits);
  const byInput: SettingsByInput = {
    ...(choice && { model: choice.choice }),
    ...(filledParams && { params: filledParams }),
    ...(filledLimits && { limits: filledLimits }),
  };
  return {
    ...others,
    model: choice ? choice.otherwise : model,
    ...(fixedParams && { params: fixedParams }),
    ...(fixedLimits && { limits: fixedLimits }),
    ...(Object.keys(byInput).length > 0 && { by_input: byInput }),
  } as AgentSettings;
}

function choiceOf({ by, else: otherwise, ...urls }: JsonObject): {
  readonly choice: NonNullable<SettingsByInput['model']>;
  readonly otherwise: Json | undefined;
} {
  return { choice: { by: String(by), urls: urls as Readonly<Record<string, string>> }, otherwise: urls[String(otherwise)] };
}

/** The values, and the templates, of settings. */
function partsOf(settings: Json | undefined): readonly [Written | undefined, Readonly<Record<string, string>> | undefined] {
  if (!isJsonObject(settings)) return [undefined, undefined];
  const isFilled = ([key, value]: [string, Json]) => key !== 'options' && typeof value === 'string';
  const entries = Object.entries(settings);
  const filled = entries.filter(isFilled) as [string, string][];
  const fixed = entries.filter((entry) => !isFilled(entry));
  return [
    fixed.length > 0 || filled.length === 0 ? Object.fromEntries(fixed) : undefined,
    filled.length > 0 ? Object.fromEntries(filled) : undefined,
  ];
}

/** The URLs of all models that the input can choose. */
export function chosenModels({ by_input, model }: AgentSettings): readonly string[] {
  return by_input?.model ? [...new Set(Object.values(by_input.model.urls))] : [model];
}

/** An agent's settings for this input. Throws `FlowError` `HandlerError` `CONFIG_SETTINGS_INVALID` for a value that a setting does not take. */
export function settingsForInput(settings: AgentSettings, input: Json, node: string): AgentSettings {
  const { by_input: byInput, ...fixed } = settings;
  if (!byInput) return settings;
  const filled = (group: 'params' | 'limits') =>
    Object.fromEntries(
      Object.entries(byInput[group] ?? {}).map(([key, template]) => [key, filledSetting({ group, key, template, input, node })]),
    );
  const name = byInput.model ? fieldAt(input, byInput.model.by.split('.')) : undefined;
  const chosen =
    typeof name === 'string' && byInput.model && Object.hasOwn(byInput.model.urls, name) ? byInput.model.urls[name] : undefined;
  return {
    ...fixed,
    ...(chosen !== undefined && { model: chosen }),
    ...(byInput.params && { params: { ...fixed.params, ...filled('params') } }),
    ...(byInput.limits && { limits: { ...fixed.limits, ...filled('limits') } }),
  };
}

/** What is wrong with settings that code gives; null if nothing is. */
export function faultOfSettings(group: 'params' | 'limits', settings: Json | undefined): string | null {
  if (settings === undefined) return null;
  if (!isJsonObject(settings)) return `returns ${group} that are not an object`;
  for (const [key, value] of Object.entries(settings)) {
    if (group === 'params' && key === 'options' && isJsonObject(value)) continue;
    if (group === 'limits' && key === 'conclude' && typeof value === 'boolean') continue;
    const rule = (rules[group] as Readonly<Record<string, Rule>>)[key];
    if (!rule) return `returns ${group}.${key}, which is not a setting`;
    if (!rule.fits(value)) return `returns ${JSON.stringify(value).slice(0, 80)} as ${group}.${key}, which has to be ${rule.form}`;
  }
  return null;
}

interface FilledSetting {
  readonly group: 'params' | 'limits';
  readonly key: string;
  readonly template: string;
  readonly input: Json;
  readonly node: string;
}

function filledSetting({ group, key, template, input, node }: FilledSetting): Json {
  const value = fillTemplate(template, input);
  const rule = (rules[group] as Readonly<Record<string, Rule>>)[key];
  if (rule?.fits(value)) return value;
  const said = JSON.stringify(value)?.slice(0, 80);
  throw new FlowError('HandlerError', `${group}.${key} of ${node} is ${said} for this input, and has to be ${rule?.form ?? 'a number'}.`, {
    node,
    code: 'CONFIG_SETTINGS_INVALID',
    category: 'configuration',
    retryable: false,
    details: { setting: `${group}.${key}`, value },
  });
}
