import { hash, randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { createRecent, outermostBlock, visitorOf } from '../lib/limits.ts';

/** Longer than a circuit breaker remembers a client. */
const REMEMBERED_MS = 2 * 60_000;
const MAX_SITES = 30_000;
/** RFC 1035, 2.3.4. */
const MAX_HOST_LENGTH = 253;

/**
 * The client as a visitor of the site whose page shows our card or badge: `Origin`, otherwise `Referer`, otherwise all sites that
 * don't say who they are. Both stay in memory for minutes and are never stored. So that this doesn't hold for the IP address, a
 * tag stands for it.
 *
 * A client visits one site at a time, the first that it named: otherwise it could make up any number of them. This is also how
 * we know the site when a card asks again, because its own requests come from us.
 */
export function createVisitorOf(baseUrl: string): (client: string, headers: IncomingHttpHeaders) => string {
  const visited = createRecent<string>(REMEMBERED_MS, MAX_SITES);
  const salt = randomBytes(16).toString('hex');
  /** Many IP addresses have the same tag, so it doesn't identify a client. */
  const tagOf = (client: string) => hash('sha256', salt + outermostBlock(client), 'hex').slice(0, 4);
  const own = new URL(baseUrl).hostname;
  return (client, headers) => {
    const named = embedderOf(headers)?.hostname.replace(/\.$/, '') ?? '';
    const site = named === own || named.length > MAX_HOST_LENGTH ? '' : named;
    const tag = tagOf(client);
    return visitorOf(visited.find(tag) ?? visited.add(tag, site), tag);
  };
}

/** Whether one of our own pages shows it, or a person opened it. Other sites can't make a browser say so. */
export function isForOurPage(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const relation = headers['sec-fetch-site'];
  if (relation !== undefined) return relation === 'same-origin' || relation === 'none';
  return embedderOf(headers)?.host === new URL(baseUrl).host;
}

/** The page that shows it, as far as the browser says so. */
const embedderOf = ({ origin, referer }: IncomingHttpHeaders): URL | null =>
  (origin ? URL.parse(origin) : null) ?? (referer ? URL.parse(referer) : null);
