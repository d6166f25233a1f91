import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { ModelClients } from '#main/engine/ports/model-client.ts';
import type { PassedKeys } from '#main/models/endpoint.ts';
import type { HostScope } from '#main/tools/http/host-rules.ts';
import type { ContextOptions } from './context-options.ts';
import type { FolderRights } from './folder-rights.ts';

/** The sources of the models of a program's runs. */
export interface ModelPlace {
  readonly folder: string;
  readonly scope: HostScope;
  readonly rights: FolderRights;
}

/** The model clients of a program: its own first, then those of this package, which are loaded lazily. */
export function programModels(options: ContextOptions, place: ModelPlace): ModelClients {
  let ours: Promise<ModelClients> | undefined;
  return async (url) => {
    const own = await options.models?.(url);
    if (own) return own;
    ours ??= packageModels(options, place);
    return (await ours)(url);
  };
}

async function packageModels(options: ContextOptions, { folder, scope, rights }: ModelPlace): Promise<ModelClients> {
  const [{ createModelClients }, { noUserModels }, { programAdvice }, { isAllowedHost }] = await Promise.all([
    import('#main/models/registry/model-clients.ts'),
    import('#main/models/settings/user-models.ts'),
    import('#main/models/model-advice.ts'),
    import('#main/tools/http/host-rules.ts'),
  ]);
  const { trusted = false, env, env_file = false, settings, model_files = [] } = options;
  const user = rights.user ?? noUserModels;
  return createModelClients({
    folder,
    trusted,
    user: { ...user, files: [...user.files, ...model_files.map((path) => realFile(resolve(folder, path)))] },
    ...(rights.settings && { settings: rights.settings }),
    ...(env && { environment: env }),
    program: {
      env_file,
      providers_from: settings === true ? 'workspace' : 'program',
      keys: passedKeys(options.keys),
      limits: options.providers,
      mayReach: (url) => isAllowedHost(scope, url),
      advice: programAdvice,
    },
  });
}

/** Keys by provider are the program's own and are never sent to an address that a folder chose. */
function passedKeys(keys: ContextOptions['keys']): PassedKeys | undefined {
  if (keys === undefined || typeof keys === 'function') return keys;
  return ({ provider, from_workspace }) => (from_workspace || !Object.hasOwn(keys, provider) ? undefined : keys[provider]);
}

/** A file's real path, or the path itself if the file does not exist, which is reported on load. */
function realFile(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
