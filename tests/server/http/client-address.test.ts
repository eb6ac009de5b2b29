import { describe, expect, test } from 'vitest';
import { getClientAddress, getNetwork, parseAddress } from '#server/http/client-address.ts';

const PROXY = '10.0.0.1';

describe('getClientAddress', () => {
  test.each([
    ['no proxy is trusted', 0, '203.0.113.7', PROXY],
    ['one proxy appended the last entry', 1, '198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['two proxies appended the last two', 2, 'spoofed, 203.0.113.7, 10.0.0.2', '203.0.113.7'],
    ['three proxies appended the last three', 3, '1.2.3.4,203.0.113.7,10.0.0.2,10.0.0.3', '203.0.113.7'],
    ['fewer entries than proxies', 3, '203.0.113.7, 10.0.0.2', '203.0.113.7'],
    ['no header', 2, undefined, PROXY],
    ['an empty header', 1, '', PROXY],
    ['a word instead of an address', 1, '203.0.113.7, unknown', PROXY],
    ['a word before the trusted entry', 1, '<script>, 203.0.113.7', '203.0.113.7'],
    ['an empty last entry', 1, '203.0.113.7,', PROXY],
    ['a loopback address, which is told as it is', 1, '203.0.113.7, 127.0.0.1', '127.0.0.1'],
    ['a port', 1, '203.0.113.7:51234', '203.0.113.7'],
    ['IPv6 with brackets and a port', 1, '[2001:DB8::7]:51234', '2001:db8::7'],
    ['an IPv4 address mapped to IPv6', 1, '::ffff:203.0.113.7', '203.0.113.7'],
  ])('is correct with %s', (_, hops, header, address) => {
    expect(getClientAddress(PROXY, header, hops)).toBe(address);
  });

  test('uses the socket’s address if there is no header', () => {
    expect(getClientAddress('::ffff:192.0.2.1', undefined, 0)).toBe('192.0.2.1');
    expect(getClientAddress(undefined, undefined, 1)).toBe('');
  });
});

test.each([
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:203.0.113.7', '203.0.113.7'],
  ['fe80::1%eth0', 'fe80::1'],
  ['  203.0.113.7 ', '203.0.113.7'],
  ['203.0.113', null],
  ['203.0.113.256', null],
  ['203.0.113.7:port', null],
  ['[203.0.113.7', null],
  ['::1::2', null],
  ['_hidden', null],
  ['', null],
])('The address in %j is %j', (text, address) => {
  expect(parseAddress(text)).toBe(address);
});

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['::ffff:cb00:714d', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:1::203.0.113.7', '2001:db8:1:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['203.0.113.77:50123', '203.0.113.0/24'],
  ['[2001:db8:1:2::9]:50123', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2::/64'],
  ['', ''],
])('The network of %j is %j', (address, network) => {
  expect(getNetwork(address)).toBe(network);
});
