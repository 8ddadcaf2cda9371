import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv4 } from 'node:net';

/**
 * The IP address that the limits count: the peer's, or the one in `X-Forwarded-For` when the peer is a trusted proxy.
 * It stays in memory for seconds and is never stored.
 */
type ClientIpOf = (peer: string | undefined, headers: IncomingHttpHeaders) => string;

const MAX_CACHED_PEERS = 1024;

export function createClientIpOf(trustedProxies: readonly string[]): ClientIpOf {
  if (trustedProxies.length === 0) return (peer) => counted(plain(peer ?? ''));
  const isTrusted = trustedCheck(trustedProxies);

  /** The right-most hop that isn't a trusted proxy. The client can make up everything to its left. */
  const rightmost = (peer: string, hops: string[]): string => {
    let nearest = peer;
    for (let hop = hops.pop(); hop !== undefined && isTrusted(nearest); hop = hops.pop()) {
      const address = hopAddress(hop);
      if (address === null) break;
      nearest = address;
    }
    return nearest;
  };

  // There are few proxies and each sends many requests, so cache which peers are trusted.
  const trustedPeers = new Set<string>();
  const isTrustedPeer = (peer: string): boolean => {
    if (trustedPeers.has(peer)) return true;
    if (!isTrusted(peer)) return false;
    if (trustedPeers.size < MAX_CACHED_PEERS) trustedPeers.add(peer);
    return true;
  };

  return (peer = '', headers) => {
    if (!isTrustedPeer(peer)) return counted(plain(peer));
    const xff = headers['x-forwarded-for'];
    // Fast path for the most frequent form: one IPv4 hop.
    if (typeof xff === 'string' && isIPv4(xff)) return xff;
    const hops = typeof xff === 'string' ? xff.split(',') : [];
    return counted(rightmost(plain(peer), hops));
  };
}

/** Whose connection it is, for the bound on connections: an IPv4 address, or an IPv6 /48, which one customer may have. */
export function peerOf(address = ''): string {
  return counted(plain(address)).split(':', 3).join(':');
}

/** Whether an address, also an IPv4-mapped one, is that of a trusted proxy. */
export function trustedCheck(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = networks(trustedProxies);
  return (text) => {
    const address = plain(text);
    return isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  };
}

function networks(list: readonly string[]): BlockList {
  const trusted = new BlockList();
  for (const entry of list) {
    const [text = '', bits] = entry.split('/');
    const address = plain(text);
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  return trusted;
}

/** `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`; null for a name. */
function hopAddress(hop: string): string | null {
  const text = hop.trim();
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1');
  const address = plain(bare);
  return isIP(address) ? address : null;
}

/** Drops the zone and unwraps IPv4-mapped IPv6. */
function plain(address: string): string {
  if (!address.includes(':')) return address;
  const zone = address.indexOf('%');
  const bare = zone < 0 ? address : address.slice(0, zone);
  if (isIP(bare) !== 6) return bare;
  const groups = groupsOf(bare);
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return bare;
  const [high = 0, low = 0] = groups.slice(6);
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

/** IPv6 clients are counted by /64, because one household has that many IP addresses. */
function counted(address: string): string {
  if (isIP(address) !== 6) return address;
  return groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':');
}

/** The eight groups of a well-formed IPv6 address. */
function groupsOf(address: string): number[] {
  const hex = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [left = '', right = ''] = hex.split('::');
  const head = hexGroups(left);
  const tail = hexGroups(right);
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function hexGroups(text: string): number[] {
  return text === '' ? [] : text.split(':').map((group) => parseInt(group, 16));
}
