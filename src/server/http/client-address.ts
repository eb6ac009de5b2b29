import { isIPv4, isIPv6 } from 'node:net';

/**
 * The client's address behind the operator's proxies. Each proxy appends its peer's address to X-Forwarded-For, so only
 * as many of the last entries as there are proxies can be trusted; earlier entries come from the caller.
 * @param proxyHops number of proxies; 0: the header is ignored
 * @returns an address without port, IPv4 in dotted form; '' without a socket
 */
export function getClientAddress(
  socketAddress: string | undefined,
  forwardedFor: string | undefined,
  proxyHops: number,
): string {
  const fromSocket = parseAddress(socketAddress ?? '') ?? '';
  const entries = forwardedFor?.split(',') ?? [];
  if (proxyHops === 0 || entries.length === 0) return fromSocket;
  // A request from inside the operator's network may pass fewer proxies and have fewer entries.
  const entry = entries[Math.max(0, entries.length - proxyHops)] ?? '';
  return parseAddress(entry) ?? fromSocket;
}

/** Parses an address as written by proxies, with or without brackets, port and zone; null if it is invalid. */
export function parseAddress(text: string): string | null {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text.trim())?.[1] ?? text.trim();
  const bare = (/^([\d.]+):\d+$/.exec(bracketed)?.[1] ?? bracketed).split('%', 1)[0] ?? '';
  if (isIPv4(bare)) return bare;
  return isIPv6(bare) ? (mappedIPv4(bare) ?? bare.toLowerCase()) : null;
}

/** Whether the address is a loopback address. */
export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/**
 * The network of an address, for limits: /24 of IPv4, /64 of IPv6, because one caller can use a whole network of the
 * latter. Other text is returned unchanged.
 */
export function getNetwork(text: string): string {
  const address = parseAddress(text);
  if (address === null) return text;
  if (isIPv4(address)) return `${address.replace(/\.\d+$/, '')}.0/24`;
  return `${parseGroups(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** `::ffff:203.0.113.7` and `::ffff:cb00:7107` are IPv4 addresses. */
function mappedIPv4(address: string): string | null {
  // Most addresses are not, and parsing them would cost a tenth of a small request.
  if (!/:ffff:/i.test(address)) return null;
  const groups = parseGroups(address);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** The eight groups of an IPv6 address. */
function parseGroups(address: string): number[] {
  const [head = '', tail = ''] = address.replace(/[\d.]+\.[\d.]+$/, toHexGroups).split('::', 2);
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [front, back] = [parse(head), parse(tail)];
  const zeros = Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0);
  return [...front, ...zeros, ...back];
}

function toHexGroups(dotted: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = dotted.split('.').map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
