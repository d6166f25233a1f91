import { parseTemplate } from '#shared/flow/template.ts';
import type { Json } from '#shared/json.ts';

/** Stands for every public host. */
export const anyHost = '*';

/** The host (`host` or `host:port`) of an http address by the standard of URLs; null for anything else. */
export type ReadHost = (address: string) => string | null;

/**
 * The host that an address reaches whatever its placeholders are filled with; `*` when they, or whoever makes the call, decide it. Null
 * for an address that can reach nothing.
 */
export function hostOf(address: Json | undefined, readHost: ReadHost): string | null {
  if (typeof address !== 'string') return anyHost;
  const [first, ...more] = parseTemplate(address);
  if (typeof first !== 'string') return anyHost;
  // The address says its host for good only where the host has ended before anything is filled in: "https://a.com{x}" may be a.com.evil.org.
  const ended = /^[^:]*:[/\\]{2,}[^/\\?#]+[/\\?#]/.test(withoutIgnored(first));
  if (more.length > 0 && !ended) return anyHost;
  return readHost(first);
}

/** What reading an address drops: white space round it, tabs and line breaks everywhere. */
function withoutIgnored(text: string): string {
  return text.replaceAll(/[\t\n\r]/g, '').trim();
}
