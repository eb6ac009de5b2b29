import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Networks that are not part of the internet (IANA special-purpose registries). */
const PRIVATE_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const;
/** Of the public 2000::/3; those that contain IPv4 addresses could lead into a private network. */
const PRIVATE_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const;

const privateNetworks = new BlockList();
for (const [network, prefix] of PRIVATE_V4) privateNetworks.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of PRIVATE_V6) privateNetworks.addSubnet(network, prefix, 'ipv6');
const publicV6 = new BlockList();
publicV6.addSubnet('2000::', 3, 'ipv6');

/** Whether an IP address is one of the internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !privateNetworks.check(address, 'ipv4');
  if (isIP(address) !== 6) return false;
  return publicV6.check(address, 'ipv6') && !privateNetworks.check(address, 'ipv6');
}

/** A host name leads to an address that is not one of the internet. */
export class PrivateAddressError extends Error {
  override readonly name = 'PrivateAddressError';
}

/**
 * Resolves host names for connections to addresses that strangers chose. The address that is checked is the one that
 * is connected to, so that a name server cannot answer differently the second time. Addresses in place of names are
 * not looked up, so refuse them before.
 */
export const lookUpPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? [];
    if (error || !first) return callback(error ?? new Error('No address.'), '', 0);
    if (!addresses.every(({ address }) => isPublicAddress(address)))
      return callback(new PrivateAddressError('Not an address of the internet.'), '', 0);
    if (options.all) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
};
