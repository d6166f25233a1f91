import type { KeyStore } from '#main/models/keys/key-store.ts';
import { shareKeys } from '#main/models/keys/shared-keys.ts';
import {
  addModelFile,
  removeModelFile,
  removeService,
  setDefaultModel,
  setPrice,
  setService,
} from '#main/models/registry/edit-settings.ts';
import { createModelClients, providerSource } from '#main/models/registry/model-clients.ts';
import { listModels } from '#main/models/registry/model-list.ts';
import { testModel } from '#main/models/registry/model-test.ts';
import { modelsOverview } from '#main/models/registry/models-overview.ts';
import { readModelSettings } from '#main/models/settings/model-settings.ts';
import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { recordModels } from '#main/services/workspace/record-models.ts';
import { studio } from './implementer.ts';

/** How long a provider may take to list its models, in milliseconds. */
const listPatience = 20_000;

/** Models: providers, keys and prices. No response contains a key. */
export function modelsRouter(current: CurrentFolder, store: KeyStore) {
  const source = async () => {
    const session = await current.required();
    const [settings, trusted, { files, services }, keys] = await Promise.all([
      session.settings(),
      session.trusted(),
      readModelSettings(),
      store.keys(),
    ]);
    return { folder: session.folder, settings, trusted, user: { files, services, keys } };
  };
  const overview = async () => {
    const from = await source();
    return modelsOverview(providerSource(from), store, from.settings.prices);
  };
  /** Idle runs reload settings and keys when they continue. */
  const changed = async () => {
    // Threads read file-protected keys themselves.
    shareKeys(store.protection === 'keychain' ? await store.keys() : undefined);
    const session = await current.required();
    await session.runs.renew();
    return overview();
  };
  return {
    overview: studio.models.overview.handler(overview),
    setKey: studio.models.setKey.handler(async ({ input }) => {
      await store.set(input, Date.now());
      return changed();
    }),
    removeKey: studio.models.removeKey.handler(async ({ input }) => {
      await store.remove(input.provider, input.endpoint);
      return changed();
    }),
    setService: studio.models.setService.handler(async ({ input }) => {
      await setService(input.name, input.base_url);
      return changed();
    }),
    removeService: studio.models.removeService.handler(async ({ input }) => {
      await removeService(input.name);
      return changed();
    }),
    addFile: studio.models.addFile.handler(async ({ input }) => {
      await addModelFile(input.path, (await current.required()).folder);
      return changed();
    }),
    removeFile: studio.models.removeFile.handler(async ({ input }) => {
      await removeModelFile(input.path);
      return changed();
    }),
    setDefault: studio.models.setDefault.handler(async ({ input }) => {
      await setDefaultModel(input.model);
      return overview();
    }),
    setPrice: studio.models.setPrice.handler(async ({ input }) => {
      await setPrice(input.model, input.price);
      return overview();
    }),
    list: studio.models.list.handler(async ({ input, signal }) =>
      listModels(
        input.provider,
        providerSource(await source()),
        AbortSignal.any([AbortSignal.timeout(listPatience), ...(signal ? [signal] : [])]),
      ),
    ),
    record: studio.models.record.handler(async ({ input }) => recordModels(await current.required(), input)),
    test: studio.models.test.handler(async ({ input }) => testModel(input.model, createModelClients(await source()), Date.now)),
  };
}
