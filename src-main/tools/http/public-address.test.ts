import { describe, expect, test } from 'vitest';
import { isInRange, isPublicAddress } from './public-address.ts';

describe('an address', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::1',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ['loopback', ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1']],
    ['this host', ['0.0.0.0', '0.1.2.3', '::']],
    ['private', ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1']],
    ['link-local, where clouds keep their secrets', ['169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fec0::1']],
    ['carrier', ['100.64.0.1', '100.127.255.255']],
    ['mapped', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1']],
    ['translated', ['64:ff9b::7f00:1', '64:ff9b:1::1', '2002:7f00:1::', '2001:0:7f00:1::']],
    ['multicast and reserved', ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', 'ff02::1']],
    ['documentation and tests', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '2001:db8::1', '3fff::1', '192.0.0.8']],
    ['nothing at all', ['', 'localhost', '1.2.3', '0x7f.1', '2130706433', '::g']],
  ])('that is %s is not public', (_name, addresses) => {
    for (const address of addresses) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  });
});

test.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', false],
  ['fd00::5', 'fd00::/8', true],
  ['10.1.2.3', 'fd00::/8', false],
  ['10.1.2.3', '10.1.2.3', false],
  ['10.1.2.3', '10.0.0.0/99', false],
  ['10.1.2.3', 'host/8', false],
  ['10.1.2.3', '10.0.0.0/', false],
])('%s in %s: %s', (address, range, expected) => {
  expect(isInRange(address, range)).toBe(expected);
});
