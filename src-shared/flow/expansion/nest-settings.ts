import type { AgentSettings, SettingsByInput } from '#shared/flow/document.ts';
import { nestTemplate } from './nest-template.ts';

/** Settings that the input gives, for an agent whose input has that of the whole under `key`. */
export function nestSettings({ by_input: given }: Pick<AgentSettings, 'by_input'>, key: string): Pick<AgentSettings, 'by_input'> {
  if (!given) return {};
  const nested = (templates: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, nestTemplate(template, key)]));
  return byInput({
    ...(given.model && { model: { ...given.model, by: `${key}.${given.model.by}` } }),
    ...(given.params && { params: nested(given.params) }),
    ...(given.limits && { limits: nested(given.limits) }),
  });
}

/** The same without what an agent of its own has: these parts are fixed. */
export function withoutSettings(
  { by_input: given = {} }: Pick<AgentSettings, 'by_input'>,
  { model, params, limits = {} }: Partial<Pick<AgentSettings, 'model' | 'params' | 'limits'>>,
): Pick<AgentSettings, 'by_input'> {
  const left = (templates: Readonly<Record<string, string>> = {}, fixed: object = {}) => {
    const entries = Object.entries(templates).filter(([name]) => !Object.hasOwn(fixed, name));
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  };
  const [ownParams, ownLimits] = [left(given.params, params), left(given.limits, limits)];
  return byInput({
    ...(given.model && model === undefined && { model: given.model }),
    ...(ownParams && { params: ownParams }),
    ...(ownLimits && { limits: ownLimits }),
  });
}

function byInput(given: SettingsByInput): Pick<AgentSettings, 'by_input'> {
  return Object.keys(given).length > 0 ? { by_input: given } : {};
}
