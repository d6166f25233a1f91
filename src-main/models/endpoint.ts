import { endpointAddress } from '#main/models/keys/endpoint-address.ts';
import type { StoredKey } from '#main/models/keys/key-store.ts';
import { type ModelAdvice, studioAdvice } from '#main/models/model-advice.ts';
import { unavailable } from '#main/models/model-failure.ts';

/** Variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Where a vendor's endpoint and key are named. */
export interface VendorVariables {
  readonly key: string;
  readonly base_url: string;
  /** Address of the vendor itself. */
  readonly default_url: string;
}

/** An endpoint with the key that was entered for it. */
export interface Endpoint {
  readonly base_url: string;
  readonly key: string | null;
  /** True when the address comes from the workspace: then nothing of this machine's own settings may go there. */
  readonly from_workspace: boolean;
}

/** Variables of this process and of the workspace's `.env` (empty for a folder that is not trusted), and the user's stored keys. */
export interface KeySources {
  readonly environment: Variables;
  readonly dotEnv: Variables;
  readonly trusted: boolean;
  readonly stored: readonly StoredKey[];
  /** Keys that a program hands in; they count before all others. */
  readonly handedIn?: HandedInKeys;
  /** Default: that of the studio and the command line. */
  readonly advice?: ModelAdvice;
}

/** An endpoint for which a key is looked up. */
export interface KeyQuestion {
  /** `openai`, `anthropic`, `gemini`, or the name of a service of `genai://`. */
  readonly provider: string;
  readonly base_url: string;
  /** True where the workspace chose the address. */
  readonly from_workspace: boolean;
}

/** The key that a program gives for an endpoint; undefined: none. */
export type HandedInKeys = (endpoint: KeyQuestion) => string | undefined | Promise<string | undefined>;

/** An endpoint of a vendor, and where its address and its key come from. */
export interface FoundEndpoint extends Endpoint {
  readonly address_from: 'default' | 'environment' | 'workspace';
  readonly key_from: 'stored' | 'environment' | 'workspace' | 'none';
}

/**
 * The endpoint of a vendor, with its key where there is one. What `.env` says counts before the environment, for addresses as for keys, and
 * both before a stored key, which is for its own address only. An address from `.env` gets no key from the environment, so that no folder can
 * have the user's own key sent to an address of its choice.
 */
export function findVendorEndpoint(provider: string, names: VendorVariables, { environment, dotEnv, stored }: KeySources): FoundEndpoint {
  const from_workspace = Boolean(dotEnv[names.base_url]);
  const base_url = webAddress(names.base_url, dotEnv[names.base_url] || environment[names.base_url] || names.default_url);
  const address_from = from_workspace ? 'workspace' : environment[names.base_url] ? 'environment' : 'default';
  const found = { base_url, from_workspace, address_from } as const;
  if (dotEnv[names.key]) return { ...found, key: dotEnv[names.key] ?? null, key_from: 'workspace' };
  if (!from_workspace && environment[names.key]) return { ...found, key: environment[names.key] ?? null, key_from: 'environment' };
  const own = stored.find((entry) => entry.provider === provider && entry.endpoint === endpointAddress(base_url));
  return { ...found, key: own?.key ?? null, key_from: own ? 'stored' : 'none' };
}

/** As `findVendorEndpoint`; throws `AgentError` where there is no key, which says what would help. */
export async function vendorEndpoint(model: string, provider: string, names: VendorVariables, sources: KeySources): Promise<Endpoint> {
  const { advice = studioAdvice } = sources;
  const found = findVendorEndpoint(provider, names, sources);
  const { base_url, from_workspace } = found;
  const handedIn = await sources.handedIn?.({ provider, base_url, from_workspace });
  if (handedIn) return { ...found, key: handedIn };
  if (found.key !== null) return found;
  if (from_workspace) {
    throw unavailable(
      `${model} needs a key: .env names its endpoint (${names.base_url}), ${advice.workspaceKey(names.key)}. A key for another one is not sent to an address that a workspace chooses.`,
    );
  }
  const elsewhere = sources.stored.find((entry) => entry.provider === provider);
  if (elsewhere) {
    throw unavailable(`${model} needs a key for ${base_url}. ${advice.otherAddress(elsewhere.endpoint)}`);
  }
  throw unavailable(`${model} needs a key. ${advice.vendorKey(provider, names.key, sources.trusted)}`);
}

/** A service of `genai://` as `pravah.json` or the user's settings name it. */
export interface NamedService {
  readonly name: string;
  readonly base_url: string;
  readonly key?: string | undefined;
  /** True when the workspace names it. */
  readonly from_workspace: boolean;
}

/**
 * The endpoint of a service. Its key is the one that the user entered for this very address, or, where the workspace names the variable, the one
 * in `.env`: the workspace chose the address, so no other key goes there.
 */
export async function serviceEndpoint(model: string, service: NamedService, sources: KeySources): Promise<Endpoint> {
  const { dotEnv, stored, advice = studioAdvice } = sources;
  const { from_workspace } = service;
  const base_url = webAddress('base_url', service.base_url);
  const handedIn = await sources.handedIn?.({ provider: service.name, base_url, from_workspace });
  if (handedIn) return { base_url, key: handedIn, from_workspace };
  const own = stored.find(({ endpoint }) => endpoint === endpointAddress(base_url));
  const key = (service.key === undefined ? undefined : dotEnv[service.key]) || own?.key;
  if (key) return { base_url, key, from_workspace };
  if (service.key === undefined) return { base_url, key: null, from_workspace };
  throw unavailable(
    `${model} needs a key: ${advice.serviceKey(service.key, base_url)}. A key from elsewhere is not sent to an address that a workspace chooses.`,
  );
}

/** True for this machine's own addresses. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

function webAddress(name: string, value: string): string {
  const url = URL.parse(value);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password) {
    return value.replace(/\/+$/, '');
  }
  throw unavailable(`${name} is no address of a model endpoint. It begins with http:// or https:// and holds no user name.`);
}
