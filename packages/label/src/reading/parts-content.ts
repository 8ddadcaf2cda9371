import type { Line, Parts } from './types.ts';
import type { Phrase } from './phrases.ts';

const CONTENT = /U\.\s?S\.?\s*\/\s*CANADIAN/i;
const ANCHOR =
  /^(?:PARTS CONTENT|FOR (?:THIS )?VEHICLE|LINE U\.S|U\.S\.|MAJOR SOURCES|FOREIGN PARTS|CONTENT\b|NOTE\b|FINAL ASSEMBLY|COUNTRY OF|ENGINE|TRANSMISSION|(?:Point|Lieu) d.assemblage final)/i;
const ASSEMBLY = /(?:FINAL ASSEMBLY POINT|(?:POINT|LIEU) D.ASSEMBLAGE FINAL)\s*:?\s*/i;

/** `ENGINE:`, of electric cars `ENGINE (MOTOR):` and `TRANSMISSION (ELECTRIC DRIVE UNIT):`. */
const ENGINE = /\bENGINE(?: PARTS)?\s*(?:\([^():]{1,40}\)\s*)?:\s*/i;
const TRANSMISSION = /\bTRANSMISSION(?: PARTS)?\s*(?:\([^():]{1,40}\)\s*)?:\s*/i;

export interface PartsBox {
  parts: Parts | null;
  /** Final assembly point. */
  assembly: string | null;
  /** What was read, for a page to point at. */
  phrases: Phrase[];
}

/** The parts content box that US law requires: percentages, final assembly, origin of engine and transmission. */
export function partsOf(phrases: Phrase[]): PartsBox {
  const rows = boxRows(phrases);
  return { ...parsed(rows.map((row) => row.map(({ text }) => text).join(' '))), phrases: rows.flat() };
}

/** The same in text that has lost its positions: from the first line of the box on. */
export function partsInLines(lines: Line[]): PartsBox {
  const from = lines.findIndex(({ text }) => CONTENT.test(text) || ASSEMBLY.test(text));
  const texts = from < 0 ? [] : lines.slice(from, from + 24).map(({ text }) => text);
  return { ...parsed(texts), phrases: [] };
}

/** The rows of the box from top to bottom: everything below its first line and within its width. */
function boxRows(phrases: Phrase[]): Phrase[][] {
  const top =
    phrases.find(({ text }) => CONTENT.test(text)) ?? phrases.find(({ text }) => ASSEMBLY.test(text));
  if (!top) return [];
  const near = phrases.filter(
    ({ y, x, size }) =>
      y > top.y - top.size * 0.5 &&
      y < top.y + top.size * 22 &&
      size > top.size * 0.75 &&
      size < top.size * 1.35 &&
      x > top.x - top.size * 12 &&
      x < top.x + top.size * 30,
  );
  const anchors = near.filter(({ text }) => ANCHOR.test(text));
  const left = Math.min(...anchors.map(({ x }) => x)) - top.size;
  const rows: Phrase[][] = [];
  for (const phrase of near.filter(({ x }) => x >= left).toSorted((one, other) => one.y - other.y)) {
    const row = rows.findLast(([first]) => Math.abs(first!.y - phrase.y) < first!.size * 0.4);
    if (row) row.push(phrase);
    else rows.push([phrase]);
  }
  return rows.map((row) =>
    chain(
      row.toSorted((one, other) => one.x - other.x),
      top.size * 4,
    ),
  );
}

/** The phrases of a row up to the first wide gap, where another box begins. */
function chain(row: Phrase[], gap: number): Phrase[] {
  const end = row.findIndex((phrase, at) => at > 0 && phrase.x - row[at - 1]!.right > gap);
  return end < 0 ? row : row.slice(0, end);
}

/** Rows of the box have a few hundred characters. The search for countries takes quadratic time. */
const MAX_ROW_LENGTH = 400;

function parsed(printed: string[]): { parts: Parts | null; assembly: string | null } {
  const rows = withJoinedBrackets(printed.map((row) => row.slice(0, MAX_ROW_LENGTH)));
  const usCanadian = percentOf(rows);
  const engine = originOf(rows, ENGINE, TRANSMISSION);
  const transmission = originOf(rows, TRANSMISSION);
  const foreign = foreignOf(rows);
  const known = usCanadian !== null || engine !== null || transmission !== null || foreign.length > 0;
  return {
    parts: known ? { usCanadian, foreign, engine, transmission } : null,
    assembly: placeIn(valueOf(rows, ASSEMBLY, /^COUNTRY OF/i)),
  };
}

/** A remark in brackets may continue on the next row: `TRANSMISSION (ELECTRIC` / `DRIVE UNIT): CHINA`. */
function withJoinedBrackets(rows: string[]): string[] {
  const joined: string[] = [];
  for (const row of rows) {
    const above = joined.at(-1);
    if (above && OPEN_BRACKET.test(above) && CLOSED_BRACKET.test(row))
      joined[joined.length - 1] = `${above} ${row}`;
    else joined.push(row);
  }
  return joined;
}

const OPEN_BRACKET = /^(?:ENGINE|TRANSMISSION)(?: PARTS)?\s*\([^():]{1,40}$/i;
const CLOSED_BRACKET = /^[^():]{0,40}\)\s*:/;

function percentOf(rows: string[]): number | null {
  const from = rows.findIndex((row) => CONTENT.test(row));
  if (from < 0) return null;
  const found = /CANADIAN PARTS CONTENT\s*(?::\s*)?(\d{1,3})\s*%/i.exec(rows.slice(from, from + 3).join(' '));
  return found && Number(found[1]) <= 100 ? Number(found[1]) : null;
}

/** `CONTENT: MEXICO 21%`, `CHINA 15%`; `KOREA: 90 %`. Names and figures as printed. */
function foreignOf(rows: string[]): Parts['foreign'] {
  const from = rows.findIndex((row) => /MAJOR SOURCES/i.test(row));
  if (from < 0) return [];
  const rest = rows.slice(from, from + 7);
  const end = rest.findIndex((row, at) => at > 0 && /^(?:NOTE\b|FOR THIS VEHICLE|FINAL ASSEMBLY)/i.test(row));
  const text = rest
    .slice(0, end < 0 ? undefined : end)
    .join(' ')
    .replace(/^.*?MAJOR SOURCES OF\s+FOREIGN PARTS(?:\s+CONTENT)?\s*:?\s*/i, '');
  const sources = [
    ...text.matchAll(/(?<![\p{L} .'()-])[ .'()-]*(\p{L}[\p{L} .'()-]*)(?::\s*)?(\d{1,3})\s*%/gu),
  ]
    .slice(0, 4)
    .map(([, country, percent]) => ({ country: country!.trim(), percent: Number(percent) }))
    .filter(({ percent }) => percent <= 100);
  // Half a list would look like all of it.
  return sources.every(({ country }) => isCountry(country)) ? sources : [];
}

/** A town and its country, which the law requires, and not the note about parts. */
function placeIn(value: string | null): string | null {
  return value && !/[:\d]|\bPARTS\b/.test(value) && endsInCountry(value) ? value : null;
}

/** A country, unlike the serial number after `ENGINE:` elsewhere. */
function originOf(rows: string[], anchor: RegExp, next?: RegExp): string | null {
  const value = valueOf(rows, anchor, next)
    ?.replace(/\bTRANSMISSION\b[^]*/i, '')
    .trim();
  return value && isCountry(value) ? value : null;
}

/** No value has more rows before the next words. */
const MAX_ROWS = 4;

/**
 * What follows the words on their row, or else the next row. If the box's next words are near, there must be one value
 * before them: nothing tells which of two is right.
 */
function valueOf(rows: string[], anchor: RegExp, nextWords?: RegExp): string | null {
  for (const [at, row] of rows.entries()) {
    const found = anchor.exec(row);
    if (!found) continue;
    const own = row.slice(found.index + found[0].length).trim();
    const after = rows.slice(at + 1, at + 1 + MAX_ROWS);
    const end = nextWords && !nextWords.test(own) ? after.findIndex((other) => nextWords.test(other)) : -1;
    if (end > (own ? 0 : 1)) return null;
    if (own) return own.replace(/(?<!\s)\s+COUNTRY OF ORIGIN[^]*/i, '');
    const [next] = after;
    if (next && !ANCHOR.test(next) && !next.includes(':')) return next;
  }
  return null;
}

/** Country names as labels print them: in English or French, in full, as `U.S.A.`, or as a code such as `MX`. */

/** Those that labels name most, some in words of their own. */
const COMMON = new Set([
  'UNITED STATES',
  'UNITED STATES OF AMERICA',
  'USA',
  'US',
  'CANADA',
  'MEXICO',
  'MX',
  'JAPAN',
  'KOREA',
  'SOUTH KOREA',
  'REPUBLIC OF KOREA',
  'CHINA',
  'TAIWAN',
  'THAILAND',
  'INDIA',
  'GERMANY',
  'ITALY',
  'FRANCE',
  'SPAIN',
  'POLAND',
  'HUNGARY',
  'AUSTRIA',
  'UNITED KINGDOM',
  'UK',
  'ENGLAND',
  'GREAT BRITAIN',
  'CZECH REPUBLIC',
  'SLOVAK REPUBLIC',
  'TURKEY',
  'HOLLAND',
  'BRAZIL',
]);

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
let others: Set<string> | undefined;

/** All countries and their codes. It takes tens of milliseconds, and few labels need it. */
function allCountries(): Set<string> {
  const names = new Set<string>();
  for (const language of ['en', 'fr']) {
    const display = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
    for (const first of LETTERS)
      for (const second of LETTERS) {
        const name = display.of(first + second);
        if (name) names.add(plain(name)).add(first + second);
      }
  }
  return names;
}

/** Capitals without accents and punctuation. */
function plain(name: string): string {
  return name
    .normalize('NFD')
    .replaceAll(/[\p{M}.,'’()]/gu, '')
    .replaceAll(/[\s-]+/g, ' ')
    .trim()
    .toUpperCase();
}

const isCommon = (name: string): boolean => COMMON.has(name);
const isKnown = (name: string): boolean => (others ??= allCountries()).has(name) || isCommon(name);

/** True for a country, or several with a slash between them: `JAPAN/UNITED STATES`. */
export function isCountry(printed: string): boolean {
  return isNamed(printed, isCommon) || isNamed(printed, isKnown);
}

function isNamed(printed: string, isOne: (name: string) => boolean): boolean {
  const name = plain(printed);
  return isOne(name) || name.split(/ ?(?:\/|&|\bAND\b|\bOR\b) ?/).every(isOne);
}

/** True for a town and its country: `LANSING, MI U.S.A.` */
export function endsInCountry(place: string): boolean {
  return townIn(place) !== null;
}

/** A place without its country: `LANSING, MI`. Null if it doesn't end in one, or is nothing else. */
export function townIn(place: string): string | null {
  const words = place.trim().split(/\s+/);
  const lengthIf = (isOne: (name: string) => boolean): number | undefined =>
    [3, 2, 1].find((count) => words.length > count && isOne(plain(words.slice(-count).join(' '))));
  const count = lengthIf(isCommon) ?? lengthIf(isKnown);
  return count === undefined ? null : words.slice(0, -count).join(' ').replace(/,$/, '');
}
