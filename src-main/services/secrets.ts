import type { KeyStore } from '#main/models/keys/key-store.ts';
import { shareKeys } from '#main/models/keys/shared-keys.ts';
import { listSecrets, removeSecret, setSecret } from '#main/models/keys/stored-secrets.ts';
import type { CurrentFolder } from '#main/services/workspace/current-folder.ts';
import { studio } from './implementer.ts';

/** Secrets for tools, in the key store. No response contains a secret. */
export function secretsRouter(current: CurrentFolder, store: KeyStore) {
  /** Idle runs reload secrets when they continue. */
  const changed = async () => {
    if (store.protection === 'keychain') shareKeys(await store.keys());
    await (await current.required()).runs.renew();
    return listSecrets(store);
  };
  return {
    list: studio.secrets.list.handler(() => listSecrets(store)),
    set: studio.secrets.set.handler(async ({ input }) => {
      await setSecret(store, input.name, input.value, input.hosts, Date.now());
      return changed();
    }),
    remove: studio.secrets.remove.handler(async ({ input }) => {
      await removeSecret(store, input.name);
      return changed();
    }),
  };
}
