import type { ModelClient, ModelClients } from '#main/models/model-client.ts';
import { scriptModel } from '#main/models/script-model.ts';
import type { WorkspaceSettings } from '#main/workspace/settings.ts';
import { type ModelUrl, parseModelUrl } from '#shared/flow/model-url.ts';
import { FlowError } from '#shared/runtime/error.ts';

/** Where a workspace's models come from. */
export interface ModelSource {
  /** Real path of the workspace. */
  readonly folder: string;
  /** What `pravah.json` says of model endpoints. */
  readonly settings?: Pick<WorkspaceSettings, 'providers'>;
}

type MakeClient = (model: ModelUrl, source: ModelSource) => ModelClient | Promise<ModelClient>;

/** One file a provider. A provider that is not here cannot be reached by this version. */
const providers: Readonly<Partial<Record<ModelUrl['provider'], MakeClient>>> = {
  script: scriptModel,
};

/** The model clients of a workspace, by model URL. */
export function createModelClients(source: ModelSource): ModelClients {
  return (url) => {
    const parsed = parseModelUrl(url);
    if (!parsed.ok) throw unavailable(parsed.message);
    const make = providers[parsed.model.provider];
    if (!make) {
      const known = Object.keys(providers).map((name) => `${name}://`);
      throw unavailable(`Models of ${parsed.model.provider}:// cannot be reached by this version, only ${known.join(', ')}.`);
    }
    return make(parsed.model, source);
  };
}

/** The failure of a model that cannot be had. */
export function unavailable(message: string): FlowError {
  return new FlowError('AgentError', message, { code: 'INFERENCE_MODEL_UNAVAILABLE', retryable: false });
}
