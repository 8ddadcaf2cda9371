import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Networks that no label source is in: this machine, private networks, and cloud metadata services (169.254.0.0/16 or
 * fc00::/7). A host name that resolves to one is an attack (SSRF). The list follows IANA's special-purpose registries.
 */
const privateIpv4 = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's virtual IP address for its agents, DNS and health probes.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  privateIpv4.addSubnet(address, prefix, 'ipv4');
}

/** The only public part of IPv6. The exceptions below are for tunnels and documentation. */
const publicIpv6 = new BlockList();
publicIpv6.addSubnet('2000::', 3, 'ipv6');
const reservedIpv6 = new BlockList();
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  // AS112: DNS for private IP addresses (RFC 7535).
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  reservedIpv6.addSubnet(address, prefix, 'ipv6');
}
/** IPv4-mapped IPv6 (`::ffff:a.b.c.d`), and IPv4 behind NAT64 (`64:ff9b::a.b.c.d`). */
const carriesIpv4 = new BlockList();
carriesIpv4.addSubnet('::ffff:0:0', 96, 'ipv6');
carriesIpv4.addSubnet('64:ff9b::', 96, 'ipv6');

export function isPublicIp(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !privateIpv4.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  const embedded = embeddedIpv4(address);
  if (embedded) return isPublicIp(embedded);
  return publicIpv6.check(address, 'ipv6') && !reservedIpv6.check(address, 'ipv6');
}

function embeddedIpv4(address: string): string | null {
  // BlockList treats an IPv4-mapped address as IPv4, so it has to be recognized by its text as well.
  const plain = new URL(`http://[${address}]`).hostname.slice(1, -1);
  if (!plain.startsWith('::ffff:') && !carriesIpv4.check(plain, 'ipv6')) return null;
  const [high = '0', low = '0'] = plain.split(':').slice(-2);
  const value = ((parseInt(high || '0', 16) << 16) | parseInt(low || '0', 16)) >>> 0;
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
}

export interface Resolved {
  address: string;
  family: number;
}

export type Resolve = (host: string) => Promise<Resolved[]>;

export const systemResolve: Resolve = (host) => dns.promises.lookup(host, { all: true });

/** Fails the connection when a host name resolves to a private IP address; `fetch.ts` turns it into a value. */
export class PrivateIpError extends Error {
  override name = 'PrivateIpError';
}

/**
 * Resolves a host name once and connects only to the IP addresses that were checked, so that DNS rebinding has no second
 * lookup to answer differently.
 */
export function publicIpLookup(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const privateIp = found.find(({ address }) => !isPublicIp(address));
        const first = found[0];
        if (privateIp) callback(new PrivateIpError(`${host} resolves to a private IP address`), '');
        else if (!first)
          callback(Object.assign(new Error(`${host} has no IP address`), { code: 'ENOTFOUND' }), '');
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
