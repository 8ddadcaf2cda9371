import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

export const VPIC_ORIGIN = 'https://vpic.nhtsa.dot.gov';

const USER_AGENT = 'monroney-vpic-fetch/1.0 (downloads the monthly release to build an offline decoder)';
// One page lists current releases, the other older ones.
const PAGES = ['/downloads/', '/api/'];
const LISTING_MS = 30_000;
const MAX_RELEASE_BYTES = 2_000_000_000;
const STALLED_MS = 60_000;
const MONTHS_BACK = 6;

export interface Release {
  /** `2026-10`. */
  month: string;
  url: string;
}

/** The newest plain SQL dump that a page links to. Skips backups in other formats. */
export function newestRelease(html: string, page: string): Release | null {
  const origin = new URL(page).origin;
  const releases: Release[] = [];
  for (const match of html.matchAll(
    /(?:href\s*=\s*["']?|\s|>)([^"'<>\s]*vPICList_lite_(\d{4})_(\d{2})[^"'<>\s]*\.zip)/gi,
  )) {
    const [, href = '', year, month] = match;
    if (/\.(bak|custom|tar|dump)\.zip$/i.test(href)) continue;
    const url = new URL(href, page);
    // Files on other hosts aren't NHTSA's.
    if (url.origin === origin) releases.push({ month: `${year}-${month}`, url: url.href });
  }
  const plainFirst = (release: Release): number => (/\.plain\.zip$/i.test(release.url) ? 0 : 1);
  releases.sort((a, b) => (a.month < b.month ? 1 : a.month > b.month ? -1 : plainFirst(a) - plainFirst(b)));
  return releases[0] ?? null;
}

/** Searches NHTSA's pages. If they list no release, tries the usual file names of recent months. */
export async function findRelease(origin: string, now: Date): Promise<Release | null> {
  for (const path of PAGES) {
    const response = await fetch(origin + path, {
      headers: { 'user-agent': USER_AGENT },
      signal: AbortSignal.timeout(LISTING_MS),
    });
    const html = await response.text();
    const release = response.ok ? newestRelease(html, origin + path) : null;
    if (release) return release;
  }
  for (let back = 0; back < MONTHS_BACK; back++) {
    const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    const month = day.toISOString().slice(0, 7);
    const url = `${origin}/downloads/vPICList_lite_${month.replace('-', '_')}.plain.zip`;
    const response = await fetch(url, {
      method: 'HEAD',
      headers: { 'user-agent': USER_AGENT },
      signal: AbortSignal.timeout(LISTING_MS),
    });
    if (response.ok) return { month, url };
  }
  return null;
}

/** Downloads to `path`. Throws if it stalls, ends early or is far too large. */
export async function download(
  url: string,
  path: string,
  progress: (bytes: number, of: number | null) => void,
): Promise<number> {
  const stall = new AbortController();
  let timer = setTimeout(() => stall.abort(), STALLED_MS);
  try {
    const response = await fetch(url, {
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity' },
      signal: stall.signal,
    });
    if (!response.ok || !response.body) throw new Error(`${url} responded with ${response.status}.`);
    const of = Number(response.headers.get('content-length')) || null;
    let bytes = 0;
    const countBytes = async function* (body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of body) {
        bytes += chunk.byteLength;
        if (bytes > MAX_RELEASE_BYTES) throw new Error(`${url} is larger than any release.`);
        clearTimeout(timer);
        timer = setTimeout(() => stall.abort(), STALLED_MS);
        progress(bytes, of);
        yield chunk;
      }
    };
    await pipeline(countBytes(response.body), createWriteStream(path, { flags: 'wx' }));
    if (of !== null && bytes !== of) throw new Error(`${url} ended after ${bytes} of ${of} bytes.`);
    return bytes;
  } catch (error) {
    if (stall.signal.aborted)
      throw new Error(`${url} stalled for ${STALLED_MS / 1_000} seconds.`, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
