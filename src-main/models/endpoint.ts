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

/** Variables of this process and of the workspace's `.env` (empty for a folder that is not trusted). */
export interface VariableSources {
  readonly environment: Variables;
  readonly dotEnv: Variables;
  readonly trusted: boolean;
}

/**
 * The endpoint of a vendor. What `.env` says counts before the environment, for addresses as for keys; but an address from `.env` gets a key
 * from `.env` alone, so that no folder can have the user's own key sent to an address of its choice.
 */
export function vendorEndpoint(model: string, names: VendorVariables, { environment, dotEnv, trusted }: VariableSources): Endpoint {
  const from_workspace = Boolean(dotEnv[names.base_url]);
  const base_url = webAddress(names.base_url, dotEnv[names.base_url] || environment[names.base_url] || names.default_url);
  const key = dotEnv[names.key] || (from_workspace ? undefined : environment[names.key]);
  if (key) return { base_url, key, from_workspace };
  if (from_workspace) {
    throw unavailable(
      `${model} needs a key: .env names its endpoint (${names.base_url}), so its key must stand there too, as ${names.key}. A key from elsewhere is not sent to an address that a workspace chooses.`,
    );
  }
  const untrusted = trusted ? '' : ', which is read once the folder is trusted';
  throw unavailable(`${model} needs a key. Set ${names.key} in the environment, or in the workspace’s .env${untrusted}.`);
}

/** The endpoint of a service that `pravah.json` names. Its key comes from `.env` alone: the workspace chose the address. */
export function serviceEndpoint(
  model: string,
  service: { readonly base_url: string; readonly key?: string | undefined },
  { dotEnv }: VariableSources,
): Endpoint {
  const base_url = webAddress('base_url', service.base_url);
  if (service.key === undefined) return { base_url, key: null, from_workspace: true };
  const key = dotEnv[service.key];
  if (key) return { base_url, key, from_workspace: true };
  throw unavailable(
    `${model} needs a key: put ${service.key} into the workspace’s .env. A key from elsewhere is not sent to an address that a workspace chooses.`,
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
