import type { Variables } from '#main/models/endpoint.ts';
import type { ModelClient, ModelClients } from '#main/models/model-client.ts';
import { unavailable } from '#main/models/model-failure.ts';
import type { ProviderSource } from '#main/models/provider-source.ts';
import { anthropic } from '#main/models/providers/anthropic.ts';
import { gemini } from '#main/models/providers/gemini.ts';
import { genaiModel } from '#main/models/providers/genai.ts';
import { llamaModel } from '#main/models/providers/llama.ts';
import { ollamaModel } from '#main/models/providers/ollama.ts';
import { openAi } from '#main/models/providers/openai.ts';
import { type RetryTiming, realTiming } from '#main/models/retry.ts';
import { scriptModel } from '#main/models/script-model.ts';
import { noUserModels, type UserModels } from '#main/models/settings/user-models.ts';
import { vendorModel } from '#main/models/vendor.ts';
import { readDotEnv } from '#main/workspace/secrets.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import { type ModelUrl, parseModelUrl } from '#shared/flow/model-url.ts';

/** Where a workspace's models come from. */
export interface ModelSource {
  /** Real path of the workspace. */
  readonly folder: string;
  /** What `pravah.json` says of model endpoints. */
  readonly settings?: Pick<WorkspaceSettings, 'providers'>;
  /** Whether the user trusts the folder. Default: no, so its `.env` and its endpoints do not count. */
  readonly trusted?: boolean;
  /** The user's keys, files and services. Default: none. */
  readonly user?: UserModels;
  /** Default: this process's variables. */
  readonly environment?: Variables;
  /** How pauses between attempts are made. Default: by the clock. */
  readonly timing?: RetryTiming;
}

/** What providers are told of a workspace. */
export function providerSource({
  folder,
  settings,
  trusted = false,
  user = noUserModels,
  environment,
  timing,
}: ModelSource): ProviderSource {
  return {
    folder,
    trusted,
    providers: settings?.providers ?? {},
    user,
    keySources: async () => ({
      environment: environment ?? process.env,
      dotEnv: trusted ? await readDotEnv(folder) : {},
      trusted,
      stored: user.keys,
    }),
    timing: timing ?? realTiming,
  };
}

/** The model clients of a workspace, by model URL. Vendors' libraries are loaded at a model's first call. */
export function createModelClients(source: ModelSource): ModelClients {
  const provided = providerSource(source);
  return (url) => {
    const parsed = parseModelUrl(url);
    if (!parsed.ok) throw unavailable(parsed.message);
    return clientOf(parsed.model, provided);
  };
}

/** One file a provider. */
function clientOf(model: ModelUrl, source: ProviderSource): ModelClient | Promise<ModelClient> {
  switch (model.provider) {
    case 'openai':
      return vendorModel(openAi, model.model, source);
    case 'anthropic':
      return vendorModel(anthropic, model.model, source);
    case 'gemini':
      return vendorModel(gemini, model.model, source);
    case 'ollama':
      return ollamaModel(model, source);
    case 'genai':
      return genaiModel(model, source);
    case 'script':
      return scriptModel(model, source);
    case 'llama':
      return llamaModel(model, source);
  }
}
