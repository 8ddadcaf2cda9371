import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Exchange, Response } from './normalize.ts';

/** The recorded exchanges: a text per area, which nothing but people and `git diff` reads. */

const FOLDER = new URL('recorded/', import.meta.url);

/** By area. */
export type Texts = ReadonlyMap<string, string>;

export function readRecorded(): Texts {
  const areas = readdirSync(FOLDER).map((file) => file.replace('.txt', ''));
  return new Map(areas.map((area) => [area, readFileSync(new URL(`${area}.txt`, FOLDER), 'utf8')]));
}

export function writeRecorded(texts: Texts): void {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER);
  for (const [area, text] of texts) writeFileSync(new URL(`${area}.txt`, FOLDER), text);
}

export function textsOf(exchanges: readonly Exchange[]): Texts {
  const areas = Map.groupBy(exchanges, ({ area }) => area);
  const once = createOnce();
  return new Map([...areas].map(([area, members]) => [area, areaText(members, once)]));
}

/** They come in sets that depend on what a response is. Each file lists these sets once, at its top. */
const IN_SETS =
  /^(access-control-(allow-origin|expose-headers)|content-(length|security-policy)|cross-origin-.*|link|permissions-policy|ratelimit(-policy)?|referrer-policy|strict-transport-security|x-content-type-options|x-request-id)$/;

/** By the content type, or by the status if there is none. */
type Sets = ReadonlyMap<string, readonly string[]>;

const linesOf = ({ headers }: Response): string[] => headers.map(([name, value]) => `${name}: ${value}`);
const kindOf = ({ status, headers }: Response): string =>
  headers.find(([name]) => name === 'content-type')?.[1] ?? status;

function areaText(exchanges: readonly Exchange[], once: Once): string {
  const kinds = Map.groupBy(
    exchanges.flatMap(({ responses }) => responses),
    kindOf,
  );
  const sets: Sets = new Map([...kinds].map(([kind, responses]) => [kind, commonHeaders(responses)]));
  const kindsOfSets = Map.groupBy(sets.keys(), (kind) => sets.get(kind)!.join('\n'));
  const tops = [...kindsOfSets].map(
    ([lines, names]) => `usual headers of ${names.sort().join(', ')}\n${indented(lines)}\n`,
  );
  return [...tops.sort(), ...exchanges.map((one) => exchangeText(one, sets, once))].join('\n');
}

/** Those that more than half of the responses have. */
function commonHeaders(responses: readonly Response[]): string[] {
  const lines = Map.groupBy(responses.flatMap(linesOf), (line) => line);
  return [...lines]
    .filter(([line, { length }]) => IN_SETS.test(line.split(':')[0]!) && length > responses.length / 2)
    .map(([line]) => line)
    .sort();
}

function exchangeText({ name, interim, responses, after }: Exchange, sets: Sets, once: Once): string {
  const lines = [`=== ${name}`, ...interim];
  for (const response of responses) {
    const usual = sets.get(kindOf(response))!;
    const own = linesOf(response);
    const names = new Set(response.headers.map(([header]) => header));
    const missing = usual.map((line) => line.split(':')[0]!).filter((header) => !names.has(header));
    lines.push(
      response.status,
      ...own.filter((line, index) => !usual.includes(line) || own.indexOf(line) < index),
    );
    lines.push(...missing.map((header) => `no ${header}`));
    if (response.body !== null) lines.push(indented(once(response.body, name)));
  }
  if (after !== 'open') lines.push(`connection ${after}`);
  return `${lines.join('\n')}\n`;
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '  ');

/** Returns a body, or which exchange has it already. The same for the parts that many pages share. */
type Once = (body: string, name: string) => string;

const SHARED_PARTS =
  /<meta name="color-scheme"[^]*?dark\)" \/>|<link rel="stylesheet"[^]*?webmanifest" \/>|<(header|nav|footer|form)\b[^]*?<\/\1>/g;
const CURRENT = / aria-current="page"/;
/** Less is as short as saying where it is. */
const MIN_SHARED_LENGTH = 100;

function createOnce(): Once {
  const firsts = new Map<string, string>();
  const firstOf = (text: string, name: string): string | undefined => {
    const first = firsts.get(text);
    if (first === undefined && text.length >= MIN_SHARED_LENGTH) firsts.set(text, name);
    return first;
  };
  return (body, name) => {
    const first = firstOf(body, name);
    if (first !== undefined) return `<as in ${first}>`;
    return body.replace(SHARED_PARTS, (part) => {
      const earlier = firstOf(part.replace(CURRENT, ' '), name);
      const [, tag, link] = /^<(\w+)(?:[^]*href="([^"]*)" aria-current="page")?/.exec(part)!;
      return earlier === undefined ? part : `<${tag} as in ${earlier}${link ? `, at ${link}` : ''}>`;
    });
  };
}
