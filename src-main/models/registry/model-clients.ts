import type { ModelClient, ModelClients } from '#main/engine/ports/model-client.ts';
import type { PassedKeys, Variables } from '#main/models/endpoint.ts';
import { type ModelAdvice, studioAdvice } from '#main/models/model-advice.ts';
import { unavailable } from '#main/models/model-failure.ts';
import type { ProviderSource } from '#main/models/provider-source.ts';
import { genaiModel } from '#main/models/providers/genai.ts';
import { llamaModel } from '#main/models/providers/llama.ts';
import { ollamaModel } from '#main/models/providers/ollama.ts';
import { type ProviderLimits, type RetryTiming, realTiming } from '#main/models/retry.ts';
import { scriptModel } from '#main/models/script-model.ts';
import { noUserModels, type UserModels } from '#main/models/settings/user-models.ts';
import { vendorModel } from '#main/models/vendor.ts';
import { readDotEnv } from '#main/workspace/secrets.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import { type ModelUrl, parseModelUrl } from '#shared/flow/model-url.ts';
import { vendors } from './vendors.ts';

/** The sources of a workspace's models. */
export interface ModelSource {
  /** Real path of the workspace. */
  readonly folder: string;
  /** Model endpoints in `pravah.json`. */
  readonly settings?: Pick<WorkspaceSettings, 'providers'>;
  /** Whether the user trusts the folder. Default: no; its `.env` and its endpoints are ignored. */
  readonly trusted?: boolean;
  /** The user's keys, files and services. Default: none. */
  readonly user?: UserModels;
  /** Default: this process's variables. */
  readonly environment?: Variables;
  /** Timing of retries. Default: the system clock. */
  readonly timing?: RetryTiming;
  /** Options of a program. Default: none. */
  readonly program?: ProgramModels;
}

/** A program's options for the models of its runs, whether or not it trusts the folder. */
export interface ProgramModels {
  /** Whether the folder's `.env` is read. */
  readonly env_file: boolean;
  /** Who defines the providers of the settings: the program itself, or a folder that it allows to. */
  readonly providers_from: 'workspace' | 'program';
  readonly keys: PassedKeys | undefined;
  /** Retries and rates, by provider. They replace those of the settings. */
  readonly limits?: Readonly<Record<string, ProviderLimits>> | undefined;
  /** Whether Ollama servers on other machines are allowed. */
  readonly mayReach: (url: URL) => boolean;
  readonly advice: ModelAdvice;
}

/** The workspace as seen by providers. */
export function providerSource({
  folder,
  settings,
  trusted = false,
  user = noUserModels,
  environment,
  timing,
  program,
}: ModelSource): ProviderSource {
  const { advice = studioAdvice } = program ?? {};
  return {
    folder,
    trusted,
    providers: settings?.providers ?? {},
    providers_from: program?.providers_from ?? (trusted ? 'workspace' : 'untrusted'),
    mayReach: program?.mayReach ?? (() => false),
    advice,
    user,
    keySources: async () => ({
      environment: environment ?? process.env,
      dotEnv: (program?.env_file ?? trusted) ? await readDotEnv(folder) : {},
      trusted,
      stored: user.keys,
      advice,
      ...(program?.keys && { passedKeys: program.keys }),
    }),
    timing: timing ?? realTiming,
    limits: { ...(program || trusted ? settings?.providers : {}), ...program?.limits },
  };
}

/** The model clients of a workspace, by model URL. Vendors' libraries are loaded lazily, at a model's first call. */
export function createModelClients(source: ModelSource): ModelClients {
  const provided = providerSource(source);
  return (url) => {
    const parsed = parseModelUrl(url);
    if (!parsed.ok) throw unavailable(parsed.message);
    return clientOf(parsed.model, provided);
  };
}

/** One file per provider. */
function clientOf(model: ModelUrl, source: ProviderSource): ModelClient | Promise<ModelClient> {
  switch (model.provider) {
    case 'ollama':
      return ollamaModel(model, source);
    case 'genai':
      return genaiModel(model, source);
    case 'script':
      return scriptModel(model, source);
    case 'llama':
      return llamaModel(model, source);
    default:
      return vendorModel(vendors[model.provider], model.model, source);
  }
}
