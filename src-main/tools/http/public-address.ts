import { BlockList, isIP } from 'node:net';

/** Ranges that are not global unicast, from IANA's special-purpose registries (RFC 6890 and its updates). */
const special4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);

// In IPv6 only 2000::/3 is global unicast; it includes ranges that embed another protocol's address or are for documentation.
const unicast6 = blockList('ipv6', ['2000::/3']);
const special6 = blockList('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

/** Whether an IP address is public. Everything else counts as private: loopback, link-local, mapped, translated, … */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !special4.check(address, 'ipv4');
    case 6:
      return !address.includes('%') && unicast6.check(address, 'ipv6') && !special6.check(address, 'ipv6');
    default:
      return false;
  }
}

/** Whether an address is in a CIDR range (`10.0.0.0/8`, `fd00::/8`). False for an invalid range. */
export function isInRange(address: string, range: string): boolean {
  const [network = '', prefix = ''] = range.split('/');
  const family = isIP(network);
  if (!family || family !== isIP(address) || !/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === 4 ? 32 : 128)) return false;
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  return blockList(kind, [range]).check(address, kind);
}

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
