import { didYouMean } from '#shared/flow/did-you-mean.ts';
import type { AgentSettings } from '#shared/flow/document.ts';
import { defaultLimits } from '#shared/flow/limits.ts';
import { aheadEffects, defaultParallel, mostAhead } from '#shared/flow/parallel.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

/** An invalid part of a flow, for callers without a compiler. Nested parts are checked only by types. */
interface FormatFault {
  /** JSON Pointer within the checked value. */
  readonly path: string;
  readonly message: string;
}

const agentKeys: Readonly<Record<Exclude<keyof AgentSettings, 'by_input'>, true>> = {
  model: true,
  preamble: true,
  prompt: true,
  tools: true,
  mode: true,
  conversation: true,
  memory: true,
  context: true,
  params: true,
  limits: true,
  stall: true,
  control: true,
  trust_content: true,
  guards: true,
  output: true,
  redundant: true,
  plan: true,
};

/** Validates the settings of an agent. */
export function agentFaults(settings: Json): FormatFault[] {
  if (!isJsonObject(settings) || typeof settings.model !== 'string') return [{ path: '', message: 'An agent needs a "model" URL.' }];
  return unknownKeys(settings, Object.keys(agentKeys), '');
}

/** Validates a flow's limits. */
export function limitFaults(limits: object): FormatFault[] {
  const faults = unknownKeys(limits, Object.keys(defaultLimits), '/limits');
  for (const [key, value] of Object.entries(limits)) {
    if (typeof value !== 'number' || !(value > 0)) faults.push({ path: `/limits/${key}`, message: 'A limit must be a positive number.' });
  }
  return faults;
}

/** Validates how far a flow's runs work ahead. */
export function parallelFaults(parallel: object, at: string): FormatFault[] {
  const faults = unknownKeys(parallel, Object.keys(defaultParallel), at);
  const { ahead = 1, effects = 'model' } = parallel as { ahead?: unknown; effects?: unknown };
  if (!Number.isInteger(ahead) || (ahead as number) < 1 || (ahead as number) > mostAhead)
    faults.push({ path: `${at}/ahead`, message: `It must be an integer from 1 to ${mostAhead}.` });
  if (!aheadEffects.some((one) => one === effects))
    faults.push({ path: `${at}/effects`, message: `It must be one of ${aheadEffects.join(', ')}.` });
  return faults;
}

function unknownKeys(value: object, known: readonly string[], path: string): FormatFault[] {
  return Object.keys(value)
    .filter((key) => !known.includes(key))
    .map((key) => ({ path: `${path}/${key}`, message: `Unknown field "${key}".${didYouMean(key, known)}` }));
}
