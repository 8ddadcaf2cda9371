import type { Line } from './lines.ts';
import { recordPlace } from './reader.ts';
import type { Label } from './types.ts';

const TRANSMISSION =
  /\btransmission\b|\bCVT\b|\b\d{1,2}-?(?:spd|speed) (?:automatic|manual|dual)|\btransaxle\b|\breduction gear\b/i;
const ENGINE =
  /\bengine\b|\b\d\.\d ?[LT]\b|\b(?:electric|e-?)\s?motors?\b|\bmotor\b|\bkWh\b|\bhybrid powertrain\b/i;
/** Equipment that mentions an engine: `Engine Immobilizer`. */
const OTHER = /\bimmobilizer|\bcover\b|\bbutton\b|\bremote\b/i;
const BULLET = /^[-–•·*]\s*/;
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
    label[field as 'engine' | 'transmission'] = value;
    const first = lines.findIndex(({ text }) => {
      const words = text.replace(BULLET, '');
      return words.length >= MIN_CHARACTERS && value.startsWith(words);
    });
    recordPlace(label, field, ...linesOf(lines, first, value));
  }
}

/** The line that an item begins on, and those it continues on. */
function linesOf(lines: Line[], first: number, item: string): Line[] {
  const found: Line[] = [];
  let rest = item;
  for (const line of first < 0 ? [] : lines.slice(first, first + 3)) {
    const words = line.text.replace(BULLET, '');
    if (!rest.startsWith(words)) break;
    found.push(line);
    rest = rest.slice(words.length).trim();
  }
  return found;
}
