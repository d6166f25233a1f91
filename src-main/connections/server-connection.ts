import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '#shared/contract/index.ts';
import { attachedPath, type KnownServer, type ServerState, type ServerStatus } from '#shared/contract/servers.ts';
import { isJsonObject, type Json } from '#shared/json.ts';

/** The calls that a server answers: those about runs. */
export type AttachedClient = Pick<ContractRouterClient<typeof contract>, 'runs' | 'debug'>;

/** How long a server may take to say who calls, in milliseconds. */
const patience = 5000;

/** A client of a server's runs, in the studio's own contract. Calls throw `ORPCError`, and `TypeError` if the server does not answer. */
export function attachTo({ url }: KnownServer, token: string): AttachedClient {
  return createORPCClient(new RPCLink({ url: url + attachedPath, headers: { authorization: `Bearer ${token}` } }));
}

/** Asks a server what the token allows. Never throws. */
export async function serverStatus({ name, url }: KnownServer, token: string | null): Promise<ServerStatus> {
  const status = (state: ServerState, problem: string, scopes: readonly string[] = []): ServerStatus => ({
    name,
    url,
    state,
    problem,
    scopes: [...scopes],
  });
  if (token === null) return status('no_token', 'No token is stored for this address. Enter one.');
  try {
    const response = await fetch(`${url}/v1/me`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(patience),
    });
    if (response.status === 401)
      return status('refused', 'The server does not take the token: it was mistyped or revoked, or has expired.');
    const body = (await response.json()) as Json;
    const scopes = isJsonObject(body) ? body.scopes : undefined;
    if (!response.ok || !Array.isArray(scopes)) return status('away', `There is no Pravah server at ${url}.`);
    return status('ok', '', scopes.map(String));
  } catch {
    return status('away', `${url} does not answer. Check the address, and that the server runs.`);
  }
}
