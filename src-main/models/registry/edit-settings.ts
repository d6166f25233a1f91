import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { assertModelFile } from '#main/models/llama/llama-file.ts';
import { changeModelSettings } from '#main/models/settings/model-settings.ts';
import { parseModelUrl } from '#shared/flow/model-url.ts';
import { providers } from '#shared/flow/providers.ts';
import { FlowError } from '#shared/run/error.ts';
import type { ModelPrice } from '#shared/run/model-price.ts';

/** Reserved names that cannot be used for a `genai://` service. */
const taken = new Set<string>([...Object.keys(providers), '__proto__']);

/** Adds a service for all folders, or changes its address. Throws `Invalid`. */
export async function setService(name: string, base_url: string): Promise<void> {
  if (taken.has(name)) throw new FlowError('Invalid', `The name ${name} is reserved. Choose another name for the service.`);
  await changeModelSettings((settings) => ({ ...settings, services: { ...settings.services, [name]: { base_url } } }));
}

export async function removeService(name: string): Promise<void> {
  await changeModelSettings((settings) => {
    const { [name]: _removed, ...services } = settings.services;
    return { ...settings, services };
  });
}

/** Allows a model file in any folder to be loaded and returns its real path. Throws `AgentError` if it is not a model file. */
export async function addModelFile(path: string, from = process.cwd()): Promise<string> {
  const named = resolve(from, path);
  const real = await realpath(named).catch(() => {
    throw new FlowError('NotFound', `File ${named} does not exist.`);
  });
  await assertModelFile(named, real);
  await changeModelSettings((settings) => ({ ...settings, files: [...new Set([...settings.files, real])] }));
  return real;
}

export async function removeModelFile(path: string): Promise<void> {
  await changeModelSettings((settings) => ({ ...settings, files: settings.files.filter((file) => file !== path) }));
}

/** Sets the default model of new agents; null: none. Throws `Invalid` for an invalid model URL. */
export async function setDefaultModel(model: string | null): Promise<void> {
  if (model !== null) assertModelUrl(model);
  await changeModelSettings((settings) => ({ ...settings, default_model: model }));
}

/** Sets a model's price; null: unknown. */
export async function setPrice(model: string, price: ModelPrice | null): Promise<void> {
  assertModelUrl(model);
  await changeModelSettings((settings) => {
    const { [model]: _former, ...others } = settings.prices;
    return { ...settings, prices: price ? { ...others, [model]: price } : others };
  });
}

function assertModelUrl(model: string): void {
  const parsed = parseModelUrl(model);
  if (!parsed.ok) throw new FlowError('Invalid', parsed.message);
}
