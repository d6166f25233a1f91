/** Normalizes an endpoint's address for comparison: a key is for one address only. */
export function endpointAddress(address: string): string {
  const url = URL.parse(address);
  return url ? `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, '')}${url.search}` : address;
}
