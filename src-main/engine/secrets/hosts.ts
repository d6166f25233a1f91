import { isLoopback } from '#shared/loopback.ts';

/**
 * Whether a secret that was entered for these hosts may go to an address. A rule is `host` or `host:port`, which allows only https
 * (this machine's own addresses take http too), or begins with `http://`, which allows the same without encryption.
 */
export function mayGoTo(hosts: readonly string[], url: URL): boolean {
  return hosts.some((rule) => allows(rule, url));
}

/** A rule in its plain form; null for what is not a rule. */
export function secretHost(text: string): string | null {
  const open = text.toLowerCase().startsWith('http://');
  const url = URL.parse(open || text.toLowerCase().startsWith('https://') ? text : `https://${text}`);
  if (!url?.hostname || url.pathname !== '/' || url.search || url.hash || url.username || url.password || text.includes('*')) return null;
  return open ? `http://${url.host}` : url.host;
}

function allows(rule: string, url: URL): boolean {
  const open = rule.startsWith('http://');
  if (url.protocol === 'https:') return !open && URL.parse(`https://${rule}`)?.origin === url.origin;
  if (url.protocol !== 'http:') return false;
  if (open) return URL.parse(rule)?.origin === url.origin;
  return isLoopback(url.hostname) && URL.parse(`http://${rule}`)?.origin === url.origin;
}
