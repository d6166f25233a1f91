import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { KeyStore } from '#main/models/keys/key-store.ts';
import { makeProfileFolder, profileFolder } from '#main/platform/profile.ts';
import { replaceFile } from '#main/platform/replace-file.ts';
import { type KnownServer, knownServerSchema, serverNameSchema } from '#shared/contract/servers.ts';
import { FlowError } from '#shared/run/error.ts';

const fileSchema = z.object({ servers: z.array(knownServerSchema) });

/** A server that the user has added, with the token that was entered for its address; null if it can't be read here. */
export interface ServerWithToken extends KnownServer {
  readonly token: string | null;
}

/**
 * The servers that the user has added: names and addresses in the profile (`servers.json`), tokens in the key store, each bound to the address that it
 * was entered for.
 */
export class KnownServers {
  readonly #keys: KeyStore;

  constructor(keys: KeyStore) {
    this.#keys = keys;
  }

  /** By name. */
  async list(): Promise<ServerWithToken[]> {
    const [servers, keys] = [await readServers(), await this.#keys.keys()];
    return servers.map((server) => ({
      ...server,
      token: keys.find(({ provider, endpoint }) => provider === entryOf(server.name) && endpoint === server.url)?.key ?? null,
    }));
  }

  /** Throws `NotFound`. */
  async get(name: string): Promise<ServerWithToken> {
    const found = (await this.list()).find((server) => server.name === name);
    if (found) return found;
    throw new FlowError('NotFound', `There is no server “${name}”. Add it with: pravah server add ${name} URL.`, { details: { name } });
  }

  /** Stores a server and its token, replacing one with this name. Throws `Invalid`; the message never contains the token. */
  async add(server: KnownServer, token: string, now: number): Promise<KnownServer> {
    const checked = checkedServer(server);
    await this.#removeToken(checked.name);
    await this.#keys.set({ provider: entryOf(checked.name), endpoint: checked.url, key: token }, now);
    const others = (await readServers()).filter(({ name }) => name !== checked.name);
    await writeServers([...others, checked]);
    return checked;
  }

  /** Returns whether there was one. */
  async remove(name: string): Promise<boolean> {
    const servers = await readServers();
    const kept = servers.filter((server) => server.name !== name);
    if (kept.length === servers.length) return false;
    await this.#removeToken(name);
    await writeServers(kept);
    return true;
  }

  async #removeToken(name: string): Promise<void> {
    for (const { provider, endpoint } of await this.#keys.list()) {
      if (provider === entryOf(name)) await this.#keys.remove(provider, endpoint);
    }
  }
}

/** A name that no provider of models has. */
const entryOf = (name: string) => `server:${name}`;

/** The server with its address in one form. Throws `Invalid` for a name or an address that can't be used. */
export function checkedServer({ name, url }: KnownServer): KnownServer {
  if (!serverNameSchema.safeParse(name).success)
    throw new FlowError('Invalid', `“${name}” can't be the name of a server. Use letters, digits, “.”, “_” and “-”, 63 at most.`);
  const address = URL.parse(url);
  if (!address || (address.protocol !== 'https:' && address.protocol !== 'http:') || address.username !== '' || address.password !== '')
    throw new FlowError('Invalid', `“${url}” is not the address of a server. Write it like https://runs.example.com.`);
  if (address.protocol === 'http:' && !isLoopback(address.hostname))
    throw new FlowError('Invalid', `The token would travel to ${address.host} unencrypted. Use an address with https://.`);
  return { name, url: address.origin };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
}

async function readServers(): Promise<KnownServer[]> {
  const path = join(profileFolder(), 'servers.json');
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{"servers":[]}';
    throw error;
  });
  try {
    return fileSchema.parse(JSON.parse(text)).servers;
  } catch {
    throw new FlowError('Invalid', `${path} is corrupt, so the servers can't be read. Remove the file and add your servers again.`);
  }
}

async function writeServers(servers: readonly KnownServer[]): Promise<void> {
  const sorted = [...servers].sort((one, other) => (one.name < other.name ? -1 : 1));
  await replaceFile(join(await makeProfileFolder(), 'servers.json'), `${JSON.stringify({ servers: sorted }, null, 2)}\n`, { mode: 0o600 });
}
