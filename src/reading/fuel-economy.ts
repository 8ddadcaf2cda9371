import type { FuelEconomy, TextItem } from './types.ts';
import type { Sheet } from './reader.ts';

const COMBINED = /^(?:combined|combin[ée]e?)(?![a-z])/i;
const CITY = /^(?:city|ville)(?:\s*\/\s*(?:city|ville))?$/i;
const HIGHWAY = /^(?:highway|hwy|route|autoroute)(?:\s*\/\s*(?:highway|route))?$/i;
/** A label has each word a few times; a page that has it thousands of times is no label and must not cost us. */
const MOST = 6;
const NUMBER = /^\d{1,3}(?:[.,]\d)?$/;
const UNITS: [RegExp, string][] = [
  [/^MPGe$/i, 'MPGe'],
  [/^MPG$/i, 'MPG'],
  [/^Le\s?\/\s?100\s?km$/i, 'Le/100 km'],
  [/^L\s?\/\s?100\s?km$/i, 'L/100 km'],
];

/** The government's box, the same for all makes: a number stands above the word that says what it is. */
export function fuelEconomyOf(sheet: Sheet): { fuel: FuelEconomy; items: TextItem[] } | null {
  if (!sheet.positioned) return null;
  const items = (sheet.text.pages[0]?.items ?? []).filter((item) => item.text.trim() !== '');
  const [combined, second] = numbersOver(items, COMBINED);
  const [city] = numbersOver(items, CITY);
  const [highway] = numbersOver(items, HIGHWAY);
  const found = [combined, city, highway].filter((number) => number !== undefined);
  const unit = found[0] && (unitBeside(items, found[0].item) ?? unitPer100(items));
  if (!unit) return null;
  const range = rangeOf(items, unit);
  const gasoline = second && unitBeside(items, second.item);
  const fuel: FuelEconomy = {
    city: city?.value ?? null,
    highway: highway?.value ?? null,
    combined: combined?.value ?? null,
    unit,
    ...(range === null ? {} : { range }),
    ...(gasoline && gasoline !== unit ? { gasoline: { combined: second.value, unit: gasoline } } : {}),
  };
  return { fuel, items: found.map((number) => number.item) };
}

interface Found {
  value: number;
  item: TextItem;
}

/** For each place of a word the nearest number above it that overlaps it from side to side. */
function numbersOver(items: TextItem[], word: RegExp): Found[] {
  return items
    .filter((item) => word.test(item.text.trim()))
    .slice(0, MOST)
    .flatMap((below) => {
      const [item] = items
        .filter((above) => NUMBER.test(above.text.trim()) && above.size > below.size)
        .filter((above) => below.y - above.y > 0 && below.y - above.y < 26 && overlap(above, below))
        .toSorted((one, other) => other.y - one.y);
      return item ? [{ value: Number(item.text.trim().replace(',', '.')), item }] : [];
    });
}

function overlap(one: TextItem, other: TextItem): boolean {
  return one.x < other.x + other.width + 4 && other.x < one.x + one.width + 4;
}

/** The unit in large type nearest to the number; the same words in small type are about other vehicles. */
function unitBeside(items: TextItem[], number: TextItem): string | null {
  let nearest: { item: TextItem; unit: string; distance: number } | null = null;
  for (const item of items) {
    const [, unit] = UNITS.find(([pattern]) => pattern.test(item.text.trim())) ?? [];
    if (!unit || item.size < 9) continue;
    const distance = Math.hypot(item.x - (number.x + number.width), item.y - number.y);
    if (distance < 140 && (!nearest || distance < nearest.distance)) nearest = { item, unit, distance };
  }
  return nearest && ofElectricity(items, nearest.item, nearest.unit);
}

/** The small `e` of an equivalent may be a run of its own, set a little lower. */
function ofElectricity(items: TextItem[], unit: TextItem, name: string): string {
  const lowered = items.some(
    (item) =>
      item.text.trim() === 'e' &&
      Math.abs(item.y - unit.y) < 7 &&
      item.x >= unit.x &&
      item.x <= unit.x + unit.width + 5,
  );
  if (name === 'MPG') return lowered || unitPer100(items) === 'MPGe' ? 'MPGe' : 'MPG';
  return name === 'L/100 km' && lowered ? 'Le/100 km' : name;
}

/** The third figure of the box says what is used up: kilowatt-hours alone are an electric car's. */
function unitPer100(items: TextItem[]): string | null {
  const used = (pattern: RegExp): boolean => items.some((item) => pattern.test(item.text));
  if (used(/gallons per 100 miles/i)) return 'MPG';
  return used(/kW.?h(?:ou)?r?s? per 100 miles/i) ? 'MPGe' : null;
}

/** Electric range in the label's own miles or kilometres; fuel range of other cars is no part of it. */
function rangeOf(items: TextItem[], unit: string): number | null {
  if (!unit.includes('e')) return null;
  const text = items.map((item) => item.text.trim()).join(' ');
  const found =
    /travel about\D{0,12}(?:\d{1,3}\s+){0,12}?(\d{2,3})\s*(?:miles|km)/i.exec(text) ??
    /(?:All.?electric range|Electric range)\W{0,20}(?:0\s*to\s*)?(\d{1,3})\s*(?:miles|km)/i.exec(text) ??
    /(\d{2,3})\s*(?:miles|km)\s*(?:total range|autonomie)/i.exec(text);
  return found ? Number(found[1]) : null;
}
