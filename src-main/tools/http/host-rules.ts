import type { Context } from '#main/runtime/context.ts';
import { ToolError } from '#shared/runtime/error.ts';
import { isInRange, isPublicAddress } from './public-address.ts';

/** The part of a context that decides about hosts. */
export type HostScope = Pick<Context, 'allow_hosts' | 'allow_private' | 'from_program'>;

/** Decides where one call may connect to. Both functions throw ToolError `Denied`. */
export interface HostRules {
  /** Judges an address as it is written, also that of a redirect. */
  checkUrl(url: URL): void;
  /** Judges what a host's name turned out to mean; the connection goes to this very address. */
  checkAddress(url: URL, address: string): void;
}

/** The rules of a workspace. Private addresses are reached only where `mayBePrivate`, and only those that `pravah.json` allows. */
export function hostRules(scope: HostScope, mayBePrivate: boolean): HostRules {
  return {
    checkUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') throw denied(url, 'only http and https are allowed');
      if (url.username !== '' || url.password !== '') throw denied(url, 'an address must not hold a name or password');
      const host = plainHost(url);
      if (isAllowedHost(scope, url)) return;
      const option = scope.from_program ? `createContext({ allow_hosts: ['${host}'] })` : `--allow-host ${host}`;
      throw denied(url, `the host ${host} is not among those that this run may reach; allow it with ${option}`);
    },
    checkAddress(url, address) {
      if (isPublicAddress(address)) return;
      const listed = scope.allow_private.some((rule) => namesHost(rule, url) || isInRange(address, rule));
      if (listed && mayBePrivate) return;
      const list = scope.from_program ? 'allow_private of createContext' : '"http"."allow_private" in pravah.json';
      const advice = listed ? 'set "allow_private" for this call' : `to reach it, list it under ${list}`;
      throw denied(url, `${address} is no address of the public internet; ${advice}`);
    },
  };
}

/** Whether a scope names the host of an address. */
export function isAllowedHost({ allow_hosts, allow_private }: HostScope, url: URL): boolean {
  return allow_hosts.some((rule) => rule === '*' || namesHost(rule, url)) || allow_private.some((rule) => namesHost(rule, url));
}

/** A rule names a host by `host` or `host:port`. */
function namesHost(rule: string, url: URL): boolean {
  const host = plainHost(url);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const wanted = rule.toLowerCase();
  return wanted === host || wanted === `${host}:${port}` || wanted === `[${host}]` || wanted === `[${host}]:${port}`;
}

/** The host's name without the brackets of IPv6 and the dot of the root. */
export function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function denied(url: URL, reason: string): ToolError {
  return new ToolError('Denied', `${url.protocol}//${url.host} is refused: ${reason}`, { details: { host: url.host } });
}
