import dns from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/**
 * Networks no label source lives in: our own machine, our own network, and whatever a cloud shows only to its
 * guests (its metadata lies in 169.254.0.0/16 or fc00::/7). A name that leads there was planted.
 * The list follows IANA's special-purpose registries.
 */
const inside = new BlockList();
for (const [address, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Azure's virtual address for its agents, DNS and health probes.
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
  inside.addSubnet(address, prefix, 'ipv4');
}

/** The only part of IPv6 that is handed out to the public; the exceptions inside it tunnel or document. */
const outside6 = new BlockList();
outside6.addSubnet('2000::', 3, 'ipv6');
const inside6 = new BlockList();
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  // AS112, which answers for private addresses (RFC 7535).
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
] as const) {
  inside6.addSubnet(address, prefix, 'ipv6');
}
/** IPv4 written as IPv6 (`::ffff:a.b.c.d`), and IPv4 behind a translator (`64:ff9b::a.b.c.d`). */
const carriesIpv4 = new BlockList();
carriesIpv4.addSubnet('::ffff:0:0', 96, 'ipv6');
carriesIpv4.addSubnet('64:ff9b::', 96, 'ipv6');

/** Whether an address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !inside.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  const embedded = embeddedIpv4(address);
  if (embedded) return isPublicAddress(embedded);
  return outside6.check(address, 'ipv6') && !inside6.check(address, 'ipv6');
}

function embeddedIpv4(address: string): string | null {
  // BlockList takes a mapped address for its IPv4 self, so it has to be recognised by its spelling as well.
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

/** Thrown into the connection when a name leads somewhere private; `fetch.ts` turns it into a value. */
export class PrivateAddress extends Error {
  override name = 'PrivateAddress';
}

/**
 * Resolves a name once, and hands the connection exactly the addresses that were checked: a name server that
 * answers differently the second time is never asked a second time.
 */
export function publicLookup(resolve: Resolve): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (found) => {
        const stray = found.find(({ address }) => !isPublicAddress(address));
        const first = found[0];
        if (stray) callback(new PrivateAddress(`${host} leads to a private address`), '');
        else if (!first)
          callback(Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' }), '');
        else if (options.all) callback(null, found);
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };
}
