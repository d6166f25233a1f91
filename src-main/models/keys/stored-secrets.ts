import { secretHost } from '#main/engine/secrets/hosts.ts';
import type { StoredSecret } from '#main/workspace/secrets.ts';
import { FlowError } from '#shared/run/error.ts';
import type { KeyStore, StoredKey } from './key-store.ts';

/*
 * Secrets for tools are in the same store as models' keys, one entry per host, under a provider name that no model can have. So both are
 * encrypted, bound to an address and protected in the same way.
 */
const mark = 'secret:';
/** Shorter values could not be recognized in a result. */
const shortest = 8;

export function isSecretEntry({ provider }: { readonly provider: string }): boolean {
  return provider.startsWith(mark);
}

/** The secrets among the stored keys, each with all its hosts. */
export function storedSecrets(keys: readonly StoredKey[]): StoredSecret[] {
  const found = new Map<string, { name: string; value: string; hosts: string[] }>();
  for (const { provider, endpoint, key } of keys.filter(isSecretEntry)) {
    const name = provider.slice(mark.length);
    const host = secretHost(endpoint);
    const known = found.get(name);
    if (host === null || (known && known.value !== key)) continue;
    if (known) known.hosts.push(host);
    else found.set(name, { name, value: key, hosts: [host] });
  }
  return [...found.values()];
}

/** Stores a secret for some hosts, replacing an earlier one with this name. Throws `Invalid`; the message never contains the secret. */
export async function setSecret(store: KeyStore, name: string, value: string, hosts: readonly string[], now: number): Promise<void> {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new FlowError('Invalid', 'Invalid secret name: use only letters, digits and _, and do not start with a digit.');
  }
  if (value.trim().length < shortest) {
    throw new FlowError('Invalid', `A secret needs at least ${shortest} characters: a shorter one could not be recognized and masked.`);
  }
  const addresses = hosts.map((host) => {
    const plain = secretHost(host);
    if (plain === null)
      throw new FlowError('Invalid', `${JSON.stringify(host)} is not a valid host. Write it like api.example.com or localhost:8080.`);
    return plain.startsWith('http://') ? plain : `https://${plain}`;
  });
  if (addresses.length === 0) throw new FlowError('Invalid', 'A secret needs at least one host.');
  // Validate the first entry before removing the earlier ones.
  const [first, ...others] = addresses.map((endpoint) => ({ provider: mark + name, endpoint, key: value }));
  if (first) await store.set(first, now);
  for (const entry of await store.list()) {
    if (entry.provider === mark + name && entry.endpoint !== first?.endpoint) await store.remove(entry.provider, entry.endpoint);
  }
  for (const other of others) await store.set(other, now);
}

/** Lists the names and hosts of the stored secrets. */
export async function listSecrets(store: KeyStore): Promise<{ name: string; hosts: string[] }[]> {
  const byName = Map.groupBy((await store.list()).filter(isSecretEntry), ({ provider }) => provider.slice(mark.length));
  return [...byName].map(([name, entries]) => ({ name, hosts: entries.map(({ endpoint }) => secretHost(endpoint) ?? endpoint) }));
}

/** Removes a secret. Returns whether there was one. */
export async function removeSecret(store: KeyStore, name: string): Promise<boolean> {
  const entries = (await store.list()).filter(({ provider }) => provider === mark + name);
  for (const { provider, endpoint } of entries) await store.remove(provider, endpoint);
  return entries.length > 0;
}
