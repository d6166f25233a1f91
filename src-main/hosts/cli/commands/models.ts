import { exitCodes } from '#main/hosts/cli/options/exit-codes.ts';
import { alignedRows, printLine, printNote } from '#main/hosts/cli/output/terminal.ts';
import { chooseWorkspace } from '#main/hosts/cli/session/workspace.ts';
import { fileCipher } from '#main/models/keys/key-cipher.ts';
import { KeyStore } from '#main/models/keys/key-store.ts';
import {
  addModelFile,
  removeModelFile,
  removeService,
  setDefaultModel,
  setPrice,
  setService,
} from '#main/models/registry/edit-settings.ts';
import { createModelClients, type ModelSource, providerSource } from '#main/models/registry/model-clients.ts';
import { listModels } from '#main/models/registry/model-list.ts';
import { testModel } from '#main/models/registry/model-test.ts';
import { modelsOverview } from '#main/models/registry/models-overview.ts';
import { readUserModels } from '#main/models/settings/user-models.ts';
import { loadSettings } from '#main/workspace/settings.ts';
import { isTrusted } from '#main/workspace/trust.ts';
import type { ModelProvider } from '#shared/contract/models.ts';
import type { ModelPrice } from '#shared/run/model-price.ts';

export interface ModelsOptions {
  readonly folder?: string;
  readonly json?: boolean;
}

/** Returns where a folder's models come from. */
export async function modelSource(folder: string | undefined): Promise<ModelSource> {
  const chosen = await chooseWorkspace(folder);
  const [settings, trusted, user] = await Promise.all([loadSettings(chosen), isTrusted(chosen), readUserModels()]);
  return { folder: chosen, settings, trusted, user };
}

/** `pravah models list [PROVIDER]`. */
export async function list(provider: string | undefined, options: ModelsOptions): Promise<number> {
  const source = providerSource(await modelSource(options.folder));
  if (provider !== undefined) {
    const models = await listModels(provider, source, AbortSignal.timeout(20_000));
    for (const model of models) printLine(options.json ? JSON.stringify(model) : model.url);
    if (models.length === 0) printNote(`${provider} offers no models.`);
    return exitCodes.success;
  }
  const overview = await modelsOverview(source, new KeyStore(fileCipher));
  if (options.json) {
    printLine(JSON.stringify(overview));
    return exitCodes.success;
  }
  for (const line of alignedRows(overview.providers.map(columns))) printLine(line);
  if (overview.default_model) printLine(`Default model: ${overview.default_model}`);
  return exitCodes.success;
}

function columns({ prefix, endpoint, key, key_variable, kind, problem }: ModelProvider): string[] {
  if (problem !== null) return [prefix, problem];
  const needed = kind === 'vendor' || key_variable !== null;
  const keyLabels = {
    stored: 'key stored',
    environment: `key from ${key_variable}`,
    workspace: `key from .env`,
    none: needed ? 'no key' : '',
  };
  return [prefix, endpoint ?? 'files', keyLabels[key]];
}

/** `pravah models test MODEL`. */
export async function test(model: string, options: ModelsOptions): Promise<number> {
  const result = await testModel(model, createModelClients(await modelSource(options.folder)), Date.now);
  if (options.json) printLine(JSON.stringify(result));
  else if (result.ok) printLine(`${result.message} ${result.tokens} tokens.`);
  else printNote(result.message);
  return result.ok ? exitCodes.success : exitCodes.error;
}

/** `pravah models add FILE`. */
export async function add(file: string): Promise<number> {
  printLine(`llama://${await addModelFile(file)}`);
  return exitCodes.success;
}

/** `pravah models remove FILE`. */
export async function remove(file: string): Promise<number> {
  await removeModelFile(file);
  return exitCodes.success;
}

/** `pravah models service NAME [ADDRESS]`. */
export async function service(name: string, address: string | undefined): Promise<number> {
  await (address === undefined ? removeService(name) : setService(name, address));
  return exitCodes.success;
}

/** `pravah models default MODEL|none`. */
export async function setDefault(model: string): Promise<number> {
  await setDefaultModel(model === 'none' ? null : model);
  return exitCodes.success;
}

/** `pravah models price MODEL [INPUT OUTPUT]`. */
export async function setModelPrice(model: string, figures: ModelPrice | null): Promise<number> {
  await setPrice(model, figures);
  return exitCodes.success;
}
