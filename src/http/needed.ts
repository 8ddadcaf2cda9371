import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** What the operations of the API look at, besides Host and the hops of proxies. */
const LOOKED_AT = new Set([
  'forwarded',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
  'x-contact',
]);
const LENGTHS = new Set([...LOOKED_AT].map((name) => name.length));
const NONE: IncomingHttpHeaders = Object.freeze({});

/** The headers of a request as far as the API needs them. */
export interface Needed {
  hosts: number;
  headers: IncomingHttpHeaders;
}

/**
 * One look at the headers as they came. Node's own `req.headers` makes an object of everything a browser sends, and
 * most requests hold nothing that we look at.
 */
export function neededHeaders(req: IncomingMessage): Needed {
  const { rawHeaders } = req;
  let hosts = 0;
  let hops: string | undefined;
  let more = false;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    const { length } = name;
    if (length === 4) {
      if (name === 'Host' || name.toLowerCase() === 'host') hosts++;
    } else if (length === 15) {
      if (name !== 'X-Forwarded-For' && name.toLowerCase() !== 'x-forwarded-for') continue;
      // More than one: Node knows how to join them.
      more ||= hops !== undefined;
      hops = rawHeaders[at + 1]!;
    } else if (LENGTHS.has(length)) more ||= LOOKED_AT.has(name.toLowerCase());
  }
  if (more) return { hosts, headers: req.headers };
  return { hosts, headers: hops === undefined ? NONE : { 'x-forwarded-for': hops } };
}

/** RFC 9112, 3.2: exactly one Host in HTTP/1.1; a second one is a trick on somebody in between. */
export function isOneHost({ hosts }: Needed, httpVersion: string): boolean {
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}
