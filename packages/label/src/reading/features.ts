import type { Label, Line } from './types.ts';
import { priced } from './money.ts';
import { setText } from './reader.ts';

const BULLET = /^[·•]\s*/;
const CONTINUED = /(?<!\s)\s*\(cont\.?\)$/i;

/**
 * Standard equipment by section. A heading is a line that `isHeading` accepts and that has items under it; a
 * bulleted list joins the lines that continue without a bullet.
 */
export function featuresOf(lines: Line[], isHeading: (line: Line) => boolean): Label['standard'] {
  const sections: Label['standard'] = [];
  const bulleted = lines.filter((line) => BULLET.test(line.text)).length > lines.length / 2;
  const itemsNow = (): string[] => {
    if (sections.length === 0) sections.push({ section: null, items: [] });
    return sections.at(-1)!.items;
  };
  lines.forEach((line, index) => {
    const isBullet = BULLET.test(line.text);
    const text = priced(line).name.replace(BULLET, '').trim();
    const next = lines[index + 1];
    if (text === '' || RAISED.test(text)) return;
    // Two headings in a row: the first is an item in capitals.
    if (!isBullet && isHeading(line) && next && !isHeading(next)) {
      if (!CONTINUED.test(text)) sections.push({ section: text, items: [] });
    } else if (bulleted && !isBullet && itemsNow().length > 0 && !ALONE.test(text)) {
      const items = itemsNow();
      items.push(`${items.pop()} ${text}`);
    } else itemsNow().push(text);
  });
  return sections.filter((section) => section.items.length > 0);
}

/** Trademark symbols in small raised type, extracted as separate lines. */
const RAISED = /^(?:TM|SM|®|™|©)$/;

/** Printed under the list without a bullet, but not part of the line above. */
const ALONE = /^Full Tank of/i;

/** Section headings are in capitals, without digits or punctuation at the end. */
export function isCapitals(line: Line): boolean {
  const text = line.text.replace(CONTINUED, '');
  return /^[A-Z][A-Z &/,'-]{3,}:?$/.test(text) || /^Additional Standard Features$/i.test(text);
}

const TRANSMISSION =
  /\btransmission\b|\bCVT\b|\b\d{1,2}-?(?:spd|speed) (?:automatic|manual|dual)|\btransaxle\b|\breduction gear\b/i;
const ENGINE =
  /\bengine\b|\b\d\.\d ?[LT]\b|\b(?:electric|e-?)\s?motors?\b|\bmotor\b|\bkWh\b|\bhybrid powertrain\b/i;
/** Equipment that mentions an engine: `Engine Immobilizer`. */
const OTHER = /\bimmobilizer|\bcover\b|\bbutton\b|\bremote\b/i;
/** What items begin with. */
const MARK = /^[-–•·*]\s*/;
/** Shorter lines begin like many others. */
const MIN_CHARACTERS = 6;
/** They come first. */
const MAX_ITEMS = 3;

/** Engine and transmission where they are the first items of a section of the standard equipment. */
export function readPowertrain(label: Label, lines: Line[], section: RegExp): void {
  const items = label.standard.find((part) => section.test(part.section ?? ''))?.items.slice(0, MAX_ITEMS);
  const transmission = items?.find((item) => TRANSMISSION.test(item) && !OTHER.test(item));
  const engine = items?.find((item) => item !== transmission && ENGINE.test(item) && !OTHER.test(item));
  for (const [field, value] of Object.entries({ engine, transmission })) {
    if (value === undefined || label[field as 'engine' | 'transmission'] !== null) continue;
    const first = lines.findIndex(({ text }) => {
      const words = text.replace(MARK, '');
      return words.length >= MIN_CHARACTERS && value.startsWith(words);
    });
    setText(label, field as 'engine' | 'transmission', value, ...linesOf(lines, first, value));
  }
}

/** The line that an item begins on, and those it continues on. */
function linesOf(lines: Line[], first: number, item: string): Line[] {
  const found: Line[] = [];
  let rest = item;
  for (const line of first < 0 ? [] : lines.slice(first, first + 3)) {
    const words = line.text.replace(MARK, '');
    if (!rest.startsWith(words)) break;
    found.push(line);
    rest = rest.slice(words.length).trim();
  }
  return found;
}
