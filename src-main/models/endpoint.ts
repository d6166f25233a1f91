import { endpointAddress } from '#main/models/keys/endpoint-address.ts';
import type { StoredKey } from '#main/models/keys/key-store.ts';
import type { HostedProvider } from '#shared/flow/providers.ts';
import { type ModelAdvice, studioAdvice } from './model-advice.ts';
import { unavailable } from './model-failure.ts';

/** Variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables for a vendor's endpoint and key, and its own address. */
type VendorVariables = Pick<HostedProvider, 'key' | 'base_url' | 'default_url'>;

/** An endpoint with its key. */
export interface Endpoint {
  readonly base_url: string;
  readonly key: string | null;
  /** True if the workspace chose the address: then none of this machine's own settings may be sent there. */
  readonly from_workspace: boolean;
}

/** Variables of this process and of the workspace's `.env` (empty for an untrusted folder), and the user's stored keys. */
export interface KeySources {
  readonly environment: Variables;
  readonly dotEnv: Variables;
  readonly trusted: boolean;
  readonly stored: readonly StoredKey[];
  /** Keys passed by a program; they take precedence. */
  readonly passedKeys?: PassedKeys;
  /** Default: the advice of the studio and the command line. */
  readonly advice?: ModelAdvice;
}

/** An endpoint that needs a key. */
export interface KeyQuestion {
  /** A hosted provider (`providers.ts`), or the name of a service of `genai://`. */
  readonly provider: string;
  readonly base_url: string;
  /** True if the workspace chose the address. */
  readonly from_workspace: boolean;
}

/** The key that a program passes for an endpoint; undefined: none. */
export type PassedKeys = (endpoint: KeyQuestion) => string | undefined | Promise<string | undefined>;

/** A vendor's endpoint, and the sources of its address and key. */
export interface FoundEndpoint extends Endpoint {
  readonly address_from: 'default' | 'environment' | 'workspace';
  readonly key_from: 'stored' | 'environment' | 'workspace' | 'none';
}

/**
 * Finds a vendor's endpoint and its key, if there is one. `.env` takes precedence over the environment, for addresses and keys, and both over
 * a stored key, which is for its own address only. An address from `.env` gets no key from the environment, so that a folder cannot have the
 * user's own key sent to an address of its choice.
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

/** Like `findVendorEndpoint`; throws `AgentError` with advice if there is no key. */
export async function vendorEndpoint(model: string, provider: string, names: VendorVariables, sources: KeySources): Promise<Endpoint> {
  const { advice = studioAdvice } = sources;
  const found = findVendorEndpoint(provider, names, sources);
  const { base_url, from_workspace } = found;
  const handedIn = await sources.passedKeys?.({ provider, base_url, from_workspace });
  if (handedIn) return { ...found, key: handedIn };
  if (found.key !== null) return found;
  if (from_workspace) {
    throw unavailable(
      `${model} needs a key: .env sets its endpoint (${names.base_url}), ${advice.workspaceKey(names.key)}. Keys for other endpoints are never sent to an address that a workspace chooses.`,
    );
  }
  const elsewhere = sources.stored.find((entry) => entry.provider === provider);
  if (elsewhere) {
    throw unavailable(`${model} needs a key for ${base_url}. ${advice.otherAddress(elsewhere.endpoint)}`);
  }
  throw unavailable(`${model} needs a key. ${advice.vendorKey(provider, names.key, sources.trusted)}`);
}

/** A `genai://` service from `pravah.json` or the user's settings. */
export interface NamedService {
  readonly name: string;
  readonly base_url: string;
  readonly key?: string | undefined;
  /** True if the workspace defines it. */
  readonly from_workspace: boolean;
}

/**
 * The endpoint of a service. Its key is the one that the user entered for exactly this address or, if the workspace names the variable, the one
 * in `.env`: the workspace chose the address, so no other key is sent there.
 */
export async function serviceEndpoint(model: string, service: NamedService, sources: KeySources): Promise<Endpoint> {
  const { dotEnv, stored, advice = studioAdvice } = sources;
  const { from_workspace } = service;
  const base_url = webAddress('base_url', service.base_url);
  const handedIn = await sources.passedKeys?.({ provider: service.name, base_url, from_workspace });
  if (handedIn) return { base_url, key: handedIn, from_workspace };
  const own = stored.find(({ endpoint }) => endpoint === endpointAddress(base_url));
  const key = (service.key === undefined ? undefined : dotEnv[service.key]) || own?.key;
  if (key) return { base_url, key, from_workspace };
  if (service.key === undefined) return { base_url, key: null, from_workspace };
  throw unavailable(
    `${model} needs a key: ${advice.serviceKey(service.key, base_url)}. Other keys are never sent to an address that a workspace chooses.`,
  );
}

/** Whether an address is on this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase();
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

function webAddress(name: string, value: string): string {
  const url = URL.parse(value);
  if (url && (url.protocol === 'http:' || url.protocol === 'https:') && !url.username && !url.password) {
    return value.replace(/\/+$/, '');
  }
  throw unavailable(`${name} is not a valid endpoint URL. It must start with http:// or https:// and must not contain a user name.`);
}
