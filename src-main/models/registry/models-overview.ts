import { stat } from 'node:fs/promises';
import { findVendorEndpoint, type KeySources } from '#main/models/endpoint.ts';
import { endpointAddress } from '#main/models/keys/endpoint-address.ts';
import { isModelKey, type KeyEntry, type KeyStore } from '#main/models/keys/key-store.ts';
import type { ProviderSource } from '#main/models/provider-source.ts';
import { readModelSettings } from '#main/models/settings/model-settings.ts';
import type { ModelProvider, ModelsOverview } from '#shared/contract/models.ts';
import { hostedNames, providers } from '#shared/flow/providers.ts';
import { toTransferable } from '#shared/run/error.ts';
import type { Prices } from '#shared/run/model-cost.ts';
import { ollamaAddress } from './model-list.ts';

/** Explains protection by a file, for systems without a keychain. */
const fileWarning =
  'Keys are encrypted, but the decryption key is stored on this machine. Anyone with access to your files can read them. The desktop application uses the system’s keychain if there is one.';

/** The studio's overview of models: providers, sources of keys, files, prices. Contains no keys. `folderPrices` are those of `pravah.json`. */
export async function modelsOverview(source: ProviderSource, store: KeyStore, folderPrices: Prices = {}): Promise<ModelsOverview> {
  const [settings, entries, sources] = await Promise.all([readModelSettings(), store.list(), source.keySources()]);
  const providers = [
    ...vendorPlaces(sources, entries),
    ...servicePlaces(source, settings.services, sources, entries),
    ollamaPlace(sources),
    llamaPlace,
  ];
  const used = new Set(providers.map(({ id, endpoint }) => `${id} ${endpoint === null ? '' : endpointAddress(endpoint)}`));
  const files = await Promise.all(
    settings.files.map(async (path) => ({
      path,
      url: `llama://${path}`,
      size: await stat(path).then(
        ({ size }) => size,
        () => null,
      ),
    })),
  );
  return {
    providers,
    other_keys: entries
      .filter((entry) => isModelKey(entry) && !used.has(`${entry.provider} ${entry.endpoint}`))
      .map(({ provider, endpoint }) => ({ provider, endpoint })),
    protection: store.protection,
    warning: store.protection === 'file' ? fileWarning : null,
    files,
    default_model: settings.default_model,
    prices: settings.prices,
    folder_prices: folderPrices,
  };
}

function vendorPlaces(sources: KeySources, entries: readonly KeyEntry[]): ModelProvider[] {
  return hostedNames.map((name) => {
    const variables = providers[name];
    const place = { id: name, kind: 'vendor', prefix: `${name}://`, key_variable: variables.key } as const;
    try {
      const { base_url, address_from, key_from } = findVendorEndpoint(name, variables, sources);
      const key_set_at = setAt(entries, name, base_url);
      return { ...place, endpoint: base_url, endpoint_from: address_from, key: key_from, key_set_at, problem: null };
    } catch (error) {
      // An invalid address must not hide the others.
      const from = sources.dotEnv[variables.base_url] ? 'workspace' : 'environment';
      return { ...place, endpoint: null, endpoint_from: from, key: 'none', key_set_at: null, problem: toTransferable(error).message };
    }
  });
}

function servicePlaces(
  { trusted, providers }: ProviderSource,
  own: Readonly<Record<string, { readonly base_url: string }>>,
  { dotEnv, stored }: KeySources,
  entries: readonly KeyEntry[],
): ModelProvider[] {
  type Named = { readonly base_url: string; readonly key?: string | undefined; readonly from: 'settings' | 'workspace' };
  const named = new Map<string, Named>(Object.entries(own).map(([name, { base_url }]) => [name, { base_url, from: 'settings' }]));
  if (trusted) {
    for (const [name, { base_url, key }] of Object.entries(providers)) {
      if (base_url !== undefined) named.set(name, { base_url, key, from: 'workspace' });
    }
  }
  return [...named].map(([name, { base_url, key, from }]) => {
    const inFolder = key !== undefined && Boolean(dotEnv[key]);
    const isStored = stored.some(({ endpoint }) => endpoint === endpointAddress(base_url));
    return {
      id: name,
      kind: 'service',
      prefix: `genai://${name}/`,
      endpoint: base_url,
      endpoint_from: from,
      key: inFolder ? 'workspace' : isStored ? 'stored' : 'none',
      key_variable: key ?? null,
      key_set_at: setAt(entries, name, base_url),
      problem: null,
    };
  });
}

function ollamaPlace({ environment }: KeySources): ModelProvider {
  const place = { id: 'ollama', kind: 'ollama', ...noKey } as const;
  const endpoint_from = environment.OLLAMA_HOST ? 'environment' : 'default';
  try {
    const { host, port } = ollamaAddress(environment.OLLAMA_HOST);
    return { ...place, prefix: `ollama://${host}:${port}/`, endpoint: `http://${host}:${port}`, endpoint_from, problem: null };
  } catch (error) {
    return { ...place, prefix: 'ollama://', endpoint: null, endpoint_from, problem: toTransferable(error).message };
  }
}

const noKey = { key: 'none', key_variable: null, key_set_at: null } as const;

const llamaPlace: ModelProvider = {
  id: 'llama',
  kind: 'llama',
  prefix: 'llama://',
  endpoint: null,
  endpoint_from: 'default',
  ...noKey,
  problem: null,
};

function setAt(entries: readonly KeyEntry[], provider: string, endpoint: string): number | null {
  return entries.find((entry) => entry.provider === provider && entry.endpoint === endpointAddress(endpoint))?.set_at ?? null;
}
