import type { Context } from '#main/engine/ports/context.ts';
import { ToolError } from '#shared/run/error.ts';
import { isInRange, isPublicAddress } from './public-address.ts';

/** The part of a context that decides which hosts tools may reach. */
export type HostScope = Pick<Context, 'allow_hosts' | 'allow_private' | 'from_program'>;

/** Decides where a call may connect to. Both functions throw ToolError `Denied`. */
export interface HostRules {
  /** Checks an address as written, including those of redirects. */
  checkUrl(url: URL): void;
  /** Checks a resolved IP address; the connection goes to exactly this address. */
  checkAddress(url: URL, address: string): void;
}

/** A workspace's rules. Private addresses are reachable only if `mayBePrivate` and `pravah.json` allows them. */
export function hostRules(scope: HostScope, mayBePrivate: boolean): HostRules {
  return {
    checkUrl(url) {
      if (url.protocol !== 'http:' && url.protocol !== 'https:') throw denied(url, 'only http and https are allowed.');
      if (url.username !== '' || url.password !== '') throw denied(url, 'the URL must not contain a user name or password.');
      const host = plainHost(url);
      if (isAllowedHost(scope, url)) return;
      const option = scope.from_program ? `createContext({ allow_hosts: ['${host}'] })` : `--allow-host ${host}`;
      throw denied(url, `this run may not reach the host ${host}. Allow it with ${option}.`);
    },
    checkAddress(url, address) {
      if (isPublicAddress(address)) return;
      const listed = scope.allow_private.some((rule) => namesHost(rule, url) || isInRange(address, rule));
      if (listed && mayBePrivate) return;
      const list = scope.from_program ? 'allow_private of createContext' : '"http"."allow_private" in pravah.json';
      const advice = listed ? 'Set "allow_private" for this call.' : `To allow it, list it under ${list}.`;
      throw denied(url, `${address} is not a public address. ${advice}`);
    },
  };
}

/** Whether a scope lists the host of an address. */
export function isAllowedHost({ allow_hosts, allow_private }: HostScope, url: URL): boolean {
  return allow_hosts.some((rule) => rule === '*' || namesHost(rule, url)) || allow_private.some((rule) => namesHost(rule, url));
}

/** A rule matches a host by `host` or `host:port`. */
function namesHost(rule: string, url: URL): boolean {
  const host = plainHost(url);
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const wanted = rule.toLowerCase();
  return wanted === host || wanted === `${host}:${port}` || wanted === `[${host}]` || wanted === `[${host}]:${port}`;
}

/** The host name without IPv6 brackets and the trailing dot. */
export function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function denied(url: URL, reason: string): ToolError {
  return new ToolError('Denied', `${url.protocol}//${url.host} is blocked: ${reason}`, { details: { host: url.host } });
}
