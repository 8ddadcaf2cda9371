import { hasRightCheckDigit } from '@monroney/vin/check-digit';
import type { Box, Label, LabelText, TextPage } from './types.ts';
import type { Line } from './lines.ts';

/**
 * Seventeen characters with a check digit at position 9 and a letter somewhere: seventeen ones are no VIN, although
 * their check digit is right. The last four are always digits.
 */
const VIN_CHARACTERS = /(?=\d{0,16}[A-Z])[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{4}\d{4}/;
/** A word that looks like a VIN. Barcode fonts print their first and last bar as an `I`. */
const VIN_WORD = new RegExp(`^(VIN)?I?(${VIN_CHARACTERS.source})I?$`);
const NAMED_VIN = new RegExp(`(?:VIN|VEHICLEID(?:ENTIFICATION)?(?:NUMBER|NO))(${VIN_CHARACTERS.source})`);

/**
 * The words that look like a VIN. One is certain if the word `VIN` comes before it or its check digit is right.
 * Words are joined only after the word `VIN`, and only if the check digit is right: on every third Ford label,
 * neighboring numbers joined would look like a VIN.
 */
export function printedVins(spaced: string): { vin: string; certain: boolean }[] {
  const vins: { vin: string; certain: boolean }[] = [];
  let named = false;
  // What follows the word `VIN`, as long as that is no VIN itself.
  let pieces: string | null = null;
  for (const [word] of spaced.toUpperCase().matchAll(/[A-Z0-9\p{Pd}]+/gu)) {
    const bare = word.replace(/[^A-Z0-9]/g, '');
    const [, name, vin] = VIN_WORD.exec(bare) ?? [];
    if (vin) vins.push({ vin, certain: named || name !== undefined || hasRightCheckDigit(vin) });
    pieces = vin || pieces === null ? null : pieces + bare;
    if (pieces !== null && pieces.length >= 17) {
      const joined = pieces.slice(0, 17);
      if (VIN_WORD.test(joined) && hasRightCheckDigit(joined)) vins.push({ vin: joined, certain: true });
      pieces = null;
    }
    named = bare === 'VIN';
    if (named) pieces = '';
  }
  return vins;
}

/** The pages of one vehicle, and which of the file's pages they are. */
interface VehiclePages {
  text: LabelText;
  /** Numbers from 1. */
  pages: number[];
}

/**
 * The pages of one vehicle. In a file with two labels, these are the pages with the requested VIN and no other; null if
 * they can't be told apart.
 */
export function pagesOfVehicle(text: LabelText, vin: string | undefined): VehiclePages | null {
  const all = text.pages.map((page, index) => ({ page, number: index + 1, ...vinsOn(page, vin) }));
  const printed = new Set(all.flatMap(({ certain }) => certain));
  if (vin && all.some(({ own }) => own)) printed.add(vin);
  const written = all.filter(({ page }) => page.items.some((item) => item.text.trim() !== ''));
  if (printed.size === 0 || (printed.size === 1 && written.length < 2)) return selected(text, all);
  const [only] = printed;
  const wanted = vin ?? (printed.size === 1 ? only : undefined);
  const pages = all.filter(
    ({ own, certain }) =>
      (own || certain.includes(wanted ?? '')) && certain.every((other) => other === wanted),
  );
  if (pages.length > 0) return selected(text, pages);
  return printed.size === 1 ? selected(text, all) : null;
}

function selected(text: LabelText, parts: { page: TextPage; number: number }[]): VehiclePages {
  const [first, ...others] = parts.filter(({ page }) => page.items.length > 0);
  // A label that is printed twice is read once.
  const repeated = others.filter(({ page }) => isCopy(page, first!.page));
  const once = parts.filter((part) => !repeated.includes(part));
  return {
    text: { ...text, pages: once.map(({ page }) => page) },
    pages: once.map(({ number }) => number),
  };
}

/** Copies of a label may differ in a few runs, such as the time of printing. */
const MIN_COMMON_SHARE = 0.95;

function isCopy(page: TextPage, original: TextPage): boolean {
  const runs = new Set(original.items.map(({ text }) => text));
  const common = page.items.filter(({ text }) => runs.has(text)).length;
  const [fewer, more] = [page.items.length, original.items.length].toSorted((one, other) => one - other);
  return (
    common >= MIN_COMMON_SHARE * page.items.length &&
    fewer! >= MIN_COMMON_SHARE * more! &&
    moneyOn(page) === moneyOn(original)
  );
}

/** A label that was issued again with other prices is no copy. */
const moneyOn = (page: TextPage): string =>
  page.items
    .flatMap(({ text }) => (/\d[.,]\d/.test(text) ? [text] : []))
    .toSorted()
    .join();

function vinsOn(page: TextPage, vin: string | undefined): { certain: string[]; own: boolean } {
  const spaced = page.items
    .map((item) => item.text)
    .join(' ')
    .replace(/\s+/g, ' ');
  const certain = printedVins(spaced).flatMap((found) => (found.certain ? [found.vin] : []));
  const squeezed = spaced.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
  return { certain, own: vin !== undefined && squeezed.includes(vin) };
}

/** Maps the boxes of a reading to the file's own pages and rotation. */
export function mapBoxesToFile(label: Label, { text, pages }: VehiclePages): void {
  if (pages.every((number, index) => number === index + 1) && !text.pages.some((page) => page.turn)) return;
  const moved = (box: Box): Box => {
    const page = text.pages[box.page - 1];
    const number = pages[box.page - 1] ?? box.page;
    return { ...(page ? turned(box, page) : box), page: number };
  };
  for (const [path, box] of Object.entries(label.places)) label.places[path] = moved(box);
  for (const list of ['options', 'discounts', 'taxes', 'fees'] as const)
    for (const line of label.prices[list]) if (line.at) line.at = moved(line.at);
}

/** Maps a box from the upright page to the page as displayed. */
function turned(box: Box, { turn, width: across, height: down }: TextPage): Box {
  const { x, y, width, height } = box;
  const round = (points: number): number => Math.round(points * 10) / 10;
  const sides = { width: height, height: width };
  if (turn === 90) return { ...box, ...sides, x: round(down - y - height), y: x };
  if (turn === 180) return { ...box, x: round(across - x - width), y: round(down - y - height) };
  if (turn === 270) return { ...box, ...sides, x: y, y: round(across - x - width) };
  return box;
}

/**
 * The VIN printed on a label. It may contain dashes and have barcode letters around it (`1C6–SRFFT1TN–270078`), so all
 * other characters are removed first. Without the word `VIN` before it, only the check digit identifies it.
 */
export function printedVin(lines: Line[], expected?: string): string | null {
  const alphanumeric = lines.map((line) => line.text.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''));
  if (expected && alphanumeric.some((text) => text.includes(expected))) return expected;
  for (const text of alphanumeric) {
    const named = NAMED_VIN.exec(text)?.[1];
    if (named) return named;
  }
  // Single words first, because serial numbers side by side may look like a VIN.
  for (const line of lines) {
    for (const [word] of line.text.toUpperCase().matchAll(/[A-Z0-9\p{Pd}]+/gu)) {
      const vin = VIN_WORD.exec(word.replaceAll(/[^A-Z0-9]/g, ''))?.[2];
      if (vin && hasRightCheckDigit(vin)) return vin;
    }
  }
  for (const text of alphanumeric) {
    for (let from = 0; from + 17 <= text.length; from++) {
      const run = text.slice(from, from + 17);
      if (VIN_CHARACTERS.test(run) && hasRightCheckDigit(run)) return run;
    }
  }
  return null;
}

/** True for cars built in the USA, Canada or Mexico. Those from Australia and South America have a digit too. */
export function isNorthAmerican(vin: string | null | undefined): boolean {
  return /^[1-57]/.test(vin ?? '');
}
