import { isIP } from 'node:net';

/** Parsers for the values of settings. They return null if the text is invalid. */

/** `10/10s`, or `off`. */
export function limit(text: string): { value: { requests: number; seconds: number } | null } | null {
  if (text === 'off') return { value: null };
  const [, requests, seconds] = (/^(\d{1,4})\/(\d{1,2})s$/.exec(text) ?? []).map(Number);
  if (!requests || !seconds || requests > 1000 || seconds > 60) return null;
  return { value: { requests, seconds } };
}

export function onOrOff(text: string): boolean | null {
  return text === 'on' ? true : text === 'off' ? false : null;
}

export function integer(min: number, max: number) {
  return (text: string) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= min && value <= max ? value : null;
  };
}

export function oneOf<T extends string>(...values: T[]) {
  return (text: string) => ((values as string[]).includes(text) ? (text as T) : null);
}

export function list(isValid: (item: string) => boolean) {
  return (text: string) => {
    const items = text.split(/[\s,]+/).filter(Boolean);
    return items.every(isValid) ? items : null;
  };
}

export function url(text: string, protocols: string[]): string | null {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text.replace(/\/$/, '') : null;
}

export function bucketUrl(text: string): string | null {
  if (!url(text, ['s3+http:', 's3+https:'])) return null;
  const { pathname, searchParams } = new URL(text);
  const style = searchParams.get('style') ?? 'path';
  return /^\/[^/]+\/?$/.test(pathname) && ['path', 'virtual'].includes(style) ? text : null;
}

/** The origin, with a non-ASCII host name in its ASCII form. Pages use root-relative links, so a path isn't supported. */
export function baseUrl(text: string): string | null {
  if (!url(text, ['http:', 'https:']) || /[?#@]/.test(text)) return null;
  const { origin, pathname } = new URL(text);
  return pathname === '/' ? origin : null;
}

export function isNetwork(text: string): boolean {
  const [ip = '', bits, ...rest] = text.split('/');
  const family = isIP(ip);
  if (rest.length || family === 0 || ip.includes('%')) return false;
  if (bits === undefined) return true;
  // IPv4-mapped IPv6 is treated as IPv4, where the prefix length would mean something else.
  if (family === 6 && /^\[::ffff:[\da-f]+:[\da-f]+\]$/.test(new URL(`http://[${ip}]`).hostname)) return false;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32);
}

export function ipOrHostname(text: string): string | null {
  return /^[\w.:-]+$/.test(text) ? text : null;
}
