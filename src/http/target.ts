/** The target of a request line. Not parsed with `new URL`, which costs seven times as much and normalizes the path. */
export interface Target {
  path: string;
  query: string;
}

/** RFC 9112, 3.2: origin form, or absolute form, whose host we do not need. Null for anything else. */
export function splitTarget(url: string): Target | null {
  let origin = url;
  if (!url.startsWith('/')) {
    const found = /^https?:\/\/[^/?#]+/i.exec(url);
    if (!found) return null;
    origin = url.slice(found[0].length);
    if (!origin.startsWith('/')) origin = `/${origin}`;
  }
  const mark = origin.indexOf('?');
  return mark < 0
    ? { path: origin, query: '' }
    : { path: origin.slice(0, mark), query: origin.slice(mark + 1) };
}

/** RFC 9112, 3.2: exactly one Host in HTTP/1.1. A second one may be request smuggling. */
export function hasOneHost(rawHeaders: readonly string[], httpVersion: string): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

// Distinguishes the request ids of different processes.
const processPrefix = Math.random().toString(36).slice(2, 8).padEnd(6, '0');
let count = 0;

/** Identifies one request in the log and in the response. All have the same length, see `REQUEST_ID` in `problems.ts`. */
export function nextRequestId(): string {
  return `${processPrefix}-${(++count).toString(36).padStart(7, '0')}`;
}
