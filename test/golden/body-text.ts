import { stringifyYaml } from '@redocly/openapi-core';
import { hash } from 'node:crypto';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { HELD, PICTURE } from './case.ts';

/** How bodies are recorded: one statement a line, and whatever another text says too as its length and hash. */

export const isText = (type: string): boolean =>
  /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml|x-ndjson|javascript)|image\/svg)/.test(type);

/** Every commit may change them. */
export const isFile = (path: string): boolean =>
  /^\/(assets\/.*\.(css|js)$|docs\/changelog|llms-full\.txt)/.test(path);

/** Most documents show a file in `docs/site/`, or OpenAPI. `/docs/limits` and one sticker are enough to show how. */
const isLikeAnother = (path: string): boolean =>
  /^\/(connect|docs\/(?!errors|limits|specimens)|openapi\.yaml|schemas\/)/.test(path) ||
  specimens.some(
    ({ vin, label }) => label && ![HELD, PICTURE].includes(vin) && path === `/window-sticker/${vin}`,
  );

export const digestOf = (bytes: Buffer | string): string =>
  `<${Buffer.byteLength(bytes)} bytes, sha256 ${hash('sha256', bytes, 'hex')}>`;

/** `path` is null if it is an error. */
export function bodyText(text: string, type: string, path: string | null): string {
  if (path !== null && isFile(path)) return '<not recorded>';
  const shown = shownAs(text, type, path !== null && isLikeAnother(path));
  // With a NUL in it, Git would take a file for a binary one.
  return escaped(shown, /[^\P{Cc}\n\t]/gu);
}

const escaped = (text: string, characters: RegExp): string =>
  text.replace(characters, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

function shownAs(text: string, type: string, isDigest: boolean): string {
  if (type.startsWith('text/html')) {
    const shown = isDigest ? text.replace(CONTENT, digestOf) : text;
    // The frames around a label's facts, and the bars of a day, one a line.
    return shown.replaceAll('><rect ', '>\n<rect ');
  }
  if (isDigest) return digestOf(text);
  if (text.startsWith('# HELP')) return metricNames(text);
  if (/[/+]json\b/.test(type)) return jsonText(text);
  if (type.startsWith('image/svg')) return text.replace(/(?<=<g [^>]*>)[^]*?(?=<\/g>)/g, digestOf);
  return text;
}

/** The text of a document, or everything between the header and the footer of another page. */
const CONTENT =
  /(?<=<article class="prose">)[^]*(?=<\/article>)|(?<=<main id="content">)(?![^]*<article class="prose">)[^]*(?=<\/main>)/;

/** The metrics of the admin port: which there are, not how many of each. Those that count rare events may be missing. */
function metricNames(text: string): string {
  const names = text.match(/^# (?:HELP|TYPE) .*$/gm)!.filter((line) => !/stalls/.test(line));
  return names.sort().join('\n');
}

/** As YAML, which has one member a line and the lines of a text below each other. */
function jsonText(text: string): string {
  const compact = JSON.stringify(JSON.parse(text));
  const written = FORMS.find((write) => write(compact) === text);
  // YAML would hide white space and repeated names.
  if (!written) return text;
  return written(
    stringifyYaml(JSON.parse(text, recordedMember), { lineWidth: -1, noRefs: true }).replace(/\n$/, ''),
  );
}

/** The API escapes characters outside ASCII, the tools don't. */
const FORMS = [(text: string) => text, (text: string) => escaped(text, /[^\0-\x7f]/g)];

export const REQUEST_ID = /^[0-9a-z]{6}-[0-9a-z]{7}$/;

/** Longer lists are data of NHTSA, or repeat the same. So do the hours of each source in its status. */
const [MAX_ITEMS, MAX_HOURS, SHOWN_ITEMS] = [40, 3, 3];

function recordedMember(name: string, value: unknown): unknown {
  if (typeof value === 'string') {
    if (name === 'requestId') return value.replace(REQUEST_ID, '<request id>');
    return /^[A-Za-z0-9+/]{1000,}={0,2}$/.test(value) ? digestOf(Buffer.from(value, 'base64')) : value;
  }
  if (!Array.isArray(value) || value.length <= (name === 'hours' ? MAX_HOURS : MAX_ITEMS)) return value;
  const rest = value.slice(SHOWN_ITEMS);
  return [...value.slice(0, SHOWN_ITEMS), `<${rest.length} more, ${digestOf(JSON.stringify(rest))}>`];
}
