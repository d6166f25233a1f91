import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { assertModelFile } from '#main/models/llama/llama-file.ts';
import { changeModelSettings } from '#main/models/settings/model-settings.ts';
import { vendors } from '#main/models/vendors.ts';
import type { ModelPrice } from '#shared/contract/models.ts';
import { parseModelUrl } from '#shared/flow/model-url.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** Names that stand for something else than a service of `genai://`. */
const taken = new Set<string>([...vendors.map(({ name }) => name), 'ollama', 'llama', 'script', 'genai', '__proto__']);

/** Adds a service for all folders, or gives it another address. Throws `Invalid`. */
export async function setService(name: string, base_url: string): Promise<void> {
  if (taken.has(name)) throw new FlowError('Invalid', `${name} is taken. Give the service another name.`);
  await changeModelSettings((settings) => ({ ...settings, services: { ...settings.services, [name]: { base_url } } }));
}

export async function removeService(name: string): Promise<void> {
  await changeModelSettings((settings) => {
    const { [name]: _removed, ...services } = settings.services;
    return { ...settings, services };
  });
}

/** Allows a model file to be loaded, wherever it lies, and answers its real path. Throws `AgentError` for what is no model file. */
export async function addModelFile(path: string, from = process.cwd()): Promise<string> {
  const named = resolve(from, path);
  const real = await realpath(named).catch(() => {
    throw new FlowError('NotFound', `There is no file ${named}.`);
  });
  await assertModelFile(named, real);
  await changeModelSettings((settings) => ({ ...settings, files: [...new Set([...settings.files, real])] }));
  return real;
}

export async function removeModelFile(path: string): Promise<void> {
  await changeModelSettings((settings) => ({ ...settings, files: settings.files.filter((file) => file !== path) }));
}

/** The model that new agents begin with; null: none. Throws `Invalid` for what is no model URL. */
export async function setDefaultModel(model: string | null): Promise<void> {
  if (model !== null) assertModelUrl(model);
  await changeModelSettings((settings) => ({ ...settings, default_model: model }));
}

/** What a model costs; null: nothing is said. */
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
