import type { IncomingHttpHeaders } from 'node:http';
import type { TokenService } from '#main/server/token-service.ts';
import type { TokenRow } from '#main/store/server-store.ts';
import type { Scope } from '#shared/contract/server/common.ts';
import { RequestProblem } from './problems.ts';

const howToAuthorize = 'Send a token as “Authorization: Bearer TOKEN”. Make one with: pravah token create NAME.';

/** Finds out who calls. Throws `RequestProblem`. A bare token without “Bearer” is taken, too. */
export async function authenticate(headers: IncomingHttpHeaders, tokens: TokenService): Promise<TokenRow> {
  const text = (headers.authorization ?? '').replace(/^bearer\s+/i, '').trim();
  const refused = (message: string) =>
    new RequestProblem(401, 'TOKEN_INVALID', `${message} ${howToAuthorize}`, { headers: { 'www-authenticate': 'Bearer' } });
  if (text === '') throw refused('This address needs a token.');
  const token = await tokens.verify(text);
  if (!token) throw refused('The token is not valid: it was mistyped or revoked, or has expired.');
  return token;
}

/** Throws `RequestProblem` for a token that does not have a scope. */
export function assertScope(token: TokenRow, scope: Scope): void {
  if (token.scopes.includes(scope)) return;
  throw new RequestProblem(403, 'SCOPE_MISSING', `The token “${token.name}” does not have the scope “${scope}”.`, {
    details: { scope, scopes: [...token.scopes] },
  });
}

/** Throws `RequestProblem` for a name of the server that is not its own: a page of another site reached it by DNS rebinding. */
export function assertHost(headers: IncomingHttpHeaders, hosts: ReadonlySet<string>): void {
  if (hosts.has((headers.host ?? '').toLowerCase())) return;
  throw new RequestProblem(421, 'HOST_UNKNOWN', 'This server does not answer under this name. Give its address with --public-url.');
}

/** Headers that let pages of allowed origins call the server; none for other origins. */
export function corsHeaders(headers: IncomingHttpHeaders, allowed: ReadonlySet<string>): Readonly<Record<string, string>> {
  const { origin } = headers;
  if (origin === undefined || !allowed.has(origin)) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, traceparent',
    'access-control-expose-headers': 'etag, idempotent-replay, retry-after',
    vary: 'origin',
  };
}
