/** The host of an address of the web; null for another one. */
export function readHost(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  // A trailing root dot names the same host.
  return url.host.replace(/\.(?=:|$)/, '');
}
