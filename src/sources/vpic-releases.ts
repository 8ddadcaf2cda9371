import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Fetch } from './fetch.ts';

/** NHTSA's monthly releases of vPIC's data: where they are, and downloading one. */

// One page lists current releases, the other older ones.
const PAGES = ['/downloads/', '/api/'];
const LISTING_MS = 30_000;
export const LISTING_MAX_BYTES = 4 * 2 ** 20;
const MAX_RELEASE_BYTES = 2_000_000_000;
const DOWNLOAD_MS = 2 * 3_600_000;
const STALLED_MS = 60_000;
const MONTHS_BACK = 6;
const NAME = 'vpiclist_lite_';

export interface Release {
  /** `2026-10`. */
  month: string;
  url: string;
}

/** The newest plain SQL dump that a page links to. Skips backups in other formats. */
export function newestRelease(html: string, page: string): Release | null {
  const origin = new URL(page).origin;
  const releases: Release[] = [];
  // Links without quotes, too.
  for (const href of html.split(/["'<>=\s]/)) {
    const at = href.toLowerCase().lastIndexOf(NAME);
    const [, year, month] = /^(\d{4})_(\d{2})/.exec(href.slice(at + NAME.length)) ?? [];
    if (at === -1 || !month || !href.endsWith('.zip')) continue;
    if (/\.(bak|custom|tar|dump)\.zip$/i.test(href)) continue;
    const url = URL.parse(href, page);
    // Files on other hosts aren't NHTSA's.
    if (url?.origin === origin) releases.push({ month: `${year}-${month}`, url: url.href });
  }
  const plainFirst = (release: Release): number => (/\.plain\.zip$/i.test(release.url) ? 0 : 1);
  releases.sort((a, b) => (a.month < b.month ? 1 : a.month > b.month ? -1 : plainFirst(a) - plainFirst(b)));
  return releases[0] ?? null;
}

/** The newest release that NHTSA's pages list; without a list, the usual names of recent months, newest first. */
export async function findReleases(origin: string, fetch: Fetch, now: Date): Promise<Release[]> {
  for (const path of PAGES) {
    const url = origin + path;
    const response = await fetch({ url, hosts: [new URL(origin).host], ms: LISTING_MS });
    if (!response.ok) throw new Error(failureText(url, response.reason));
    const release = response.status === 200 ? newestRelease(response.body.toString(), url) : null;
    response.release();
    if (release) return [release];
  }
  return Array.from({ length: MONTHS_BACK }, (_, back) => {
    const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    const month = day.toISOString().slice(0, 7);
    return { month, url: `${origin}/downloads/vPICList_lite_${month.replace('-', '_')}.plain.zip` };
  });
}

/** Downloads to `path`. False if there is no such file. Throws if it stalls, ends early or is far too large. */
export async function download(
  url: string,
  path: string,
  fetch: Fetch,
  progress: (bytes: number, of: number | null) => void,
): Promise<boolean> {
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(), STALLED_MS);
  try {
    const response = await fetch({
      url,
      hosts: [new URL(url).host],
      headers: { 'Accept-Encoding': 'identity' },
      ms: DOWNLOAD_MS,
      signal: stalled.signal,
      async receive(chunks, headers) {
        const of = Number(headers['content-length']) || null;
        let bytes = 0;
        const counted = async function* () {
          for await (const chunk of chunks) {
            bytes += chunk.byteLength;
            if (bytes > MAX_RELEASE_BYTES) throw new Error(`${url} is larger than any release.`);
            timer.refresh();
            progress(bytes, of);
            yield chunk;
          }
        };
        await pipeline(counted(), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      },
    });
    if (!response.ok)
      throw new Error(failureText(url, stalled.signal.aborted ? 'stalled for a minute' : response.reason));
    response.release();
    if (response.status !== 200 && response.status !== 404)
      throw new Error(`${url} responded with ${response.status}.`);
    return response.status === 200;
  } finally {
    clearTimeout(timer);
  }
}

const failureText = (url: string, why: string) => `${url} can't be downloaded: ${why}.`;
