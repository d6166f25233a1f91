import type { KeyStore, StoredKey } from '#main/models/keys/key-store.ts';
import { secretHost } from '#main/runtime/secret-hosts.ts';
import type { StoredSecret } from '#main/workspace/secrets.ts';
import { FlowError } from '#shared/runtime/error.ts';

/*
 * Secrets for tools stand in the same store as models' keys, one entry for each host, under a provider that no model can have. So both are
 * sealed, bound to an address and kept from other processes in the same way.
 */
const mark = 'secret:';
/** Shorter values would not be recognised in a result. */
const shortest = 8;

export function isSecretEntry({ provider }: { readonly provider: string }): boolean {
  return provider.startsWith(mark);
}

/** The secrets among stored keys, each with all its hosts. */
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

/** Stores a secret for some hosts, in the place of an earlier one of this name. Throws `Invalid`, which does not repeat it. */
export async function setSecret(store: KeyStore, name: string, value: string, hosts: readonly string[], now: number): Promise<void> {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new FlowError('Invalid', 'The name of a secret is letters, digits and _, and does not begin with a digit.');
  }
  if (value.trim().length < shortest) {
    throw new FlowError('Invalid', `A secret has ${shortest} characters or more: a shorter one would not be recognised where it turns up.`);
  }
  const addresses = hosts.map((host) => {
    const plain = secretHost(host);
    if (plain === null)
      throw new FlowError('Invalid', `${JSON.stringify(host)} is no host. Write it like api.example.com or localhost:8080.`);
    return plain.startsWith('http://') ? plain : `https://${plain}`;
  });
  if (addresses.length === 0) throw new FlowError('Invalid', 'A secret is for at least one host.');
  // The first entry is checked before the earlier ones go.
  const [first, ...others] = addresses.map((endpoint) => ({ provider: mark + name, endpoint, key: value }));
  if (first) await store.set(first, now);
  for (const entry of await store.list()) {
    if (entry.provider === mark + name && entry.endpoint !== first?.endpoint) await store.remove(entry.provider, entry.endpoint);
  }
  for (const other of others) await store.set(other, now);
}

/** Names and hosts of the stored secrets. */
export async function listSecrets(store: KeyStore): Promise<{ name: string; hosts: string[] }[]> {
  const byName = Map.groupBy((await store.list()).filter(isSecretEntry), ({ provider }) => provider.slice(mark.length));
  return [...byName].map(([name, entries]) => ({ name, hosts: entries.map(({ endpoint }) => secretHost(endpoint) ?? endpoint) }));
}

/** Forgets a secret. Answers whether there was one. */
export async function removeSecret(store: KeyStore, name: string): Promise<boolean> {
  const entries = (await store.list()).filter(({ provider }) => provider === mark + name);
  for (const { provider, endpoint } of entries) await store.remove(provider, endpoint);
  return entries.length > 0;
}
