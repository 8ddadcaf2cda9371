import { fuelEconomyOf, NO_FIGURES, consistentFigures } from './fuel-economy.ts';
import type { Line, FuelEconomy, Label } from './types.ts';
import { partsInLines, partsOf, type PartsBox } from './parts-content.ts';
import { phrasesOf, type Phrase } from './phrases.ts';
import { boxAround, type Sheet } from './reader.ts';
import { isNorthAmerican } from './vehicles.ts';
import { ratingsOf } from './ratings.ts';
import { starsInWords, starsOf } from './stars.ts';
import { indexOf } from './line-search.ts';

/**
 * Reads the boxes that the law requires, with the same wording for every make (fuel economy, safety ratings, parts and
 * assembly), and the warranty and port of entry beside them. Runs last, because it completes the maker's reading.
 */
export function readFederalBoxes(label: Label, sheet: Sheet): void {
  const page = sheet.positioned ? sheet.text.pages[0] : undefined;
  const phrases = page ? phrasesOf(page) : [];
  let box: PartsBox;
  if (page) {
    const found = fuelEconomyOf(phrases);
    label.fuelEconomy = found?.fuel ?? null;
    if (found) {
      const { greenhouse, smog } = ratingsOf(page, phrases);
      found.fuel.greenhouseRating = greenhouse;
      found.fuel.smogRating = smog;
      label.places['fuelEconomy'] = boxAround(found.words);
    }
    label.safety = starsOf(page, phrases);
    box = partsOf(phrases);
    if (box.phrases.length > 0 && box.parts) label.places['parts'] = boxAround(box.phrases);
  } else {
    label.fuelEconomy = inWords(sheet);
    label.safety = starsInWords(sheet.words);
    box = partsInLines(sheet.lines);
  }
  label.parts = box.parts;
  readAssembly(label, box, sheet.vin);
  readPort(label, phrases, sheet.lines);
  readWarranty(label, sheet.lines);
}

const PORT = /^PORT (?:OF ENTRY|D.ENTR[ÉE]E)\s*:?\s*|^Port\/Assembly\s+/i;

/** The parts box says where the car was built. A different place elsewhere is the port of entry. */
function readAssembly(label: Label, { assembly, phrases }: PartsBox, vin: string | null): void {
  if (assembly === null) return;
  const other = label.assembly;
  if (other !== null && townOf(other) !== townOf(assembly)) {
    // A car built in North America has no port of entry: one of the two places is not from this label.
    if (isNorthAmerican(vin)) {
      label.assembly = null;
      return;
    }
    label.portOfEntry ??= other;
  } else if (other !== null && hasMoreWords(assembly, other)) return;
  label.assembly = assembly;
  const at = phrases.filter(({ text }) => assembly.includes(text));
  if (at.length > 0) label.places['assembly'] = boxAround(at);
}

function readPort(label: Label, phrases: Phrase[], lines: Line[]): void {
  const anchor = phrases.find(({ text }) => PORT.test(text));
  const [own = '', rival] = anchor ? portsIn(phrases, anchor) : [];
  label.portOfEntry = (!rival && !/[:\d]/.test(own) && own) || label.portOfEntry || portInLines(lines);
}

/** What is printed in the row of the anchor, up to the next box. */
function portsIn(phrases: Phrase[], anchor: Phrase): string[] {
  return phrases
    .filter(
      ({ x, y }) =>
        Math.abs(y - anchor.y) < 0.3 * anchor.size && x >= anchor.x && x < anchor.x + 30 * anchor.size,
    )
    .toSorted((one, other) => one.x - other.x)
    .map(({ text }) => text.replace(PORT, '').trim())
    .filter((text) => text !== '');
}

function portInLines(lines: Line[]): string | null {
  const at = lines.findIndex(({ text, positioned }) => !positioned && PORT.test(text));
  const own = lines[at]?.text.replace(PORT, '').trim();
  const next = at < 0 ? undefined : lines[at + 1]?.text;
  return own || (next && !next.includes(':') ? next : null);
}

/** True if a text has all words of another, and more. */
function hasMoreWords(text: string, other: string): boolean {
  const [words, others] = [text.split(' '), other.split(' ')];
  return words.length > others.length && others.every((word) => words.includes(word));
}

/** The first letters of a town, which may be printed in full or shortened: `STERLING HTS`. */
const townOf = (place: string): string =>
  place
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
    .slice(0, 5);

/**
 * In text without positions: `26combined city/hwy` as one run, or `26 33` above
 * `combined city/hwy city highway`. It counts only if the three figures agree.
 */
function inWords(sheet: Sheet): FuelEconomy | null {
  const lines = sheet.lines.map((line) => line.text);
  const figure = (words: RegExp): number | null => {
    for (const line of lines) {
      const found = words.exec(line);
      if (found) return Number(found[1]);
    }
    return null;
  };
  const combined = figure(/^(\d{1,3})\s?combined city\/h/i);
  const found =
    combined === null
      ? inRows(lines)
      : { combined, city: figure(/\b(\d{1,3})\s?city$/i), highway: figure(/\b(\d{1,3})\s?highway$/i) };
  const unit = /MPGe?\b/.exec(sheet.words)?.[0];
  if (!found || found.city === null || found.highway === null || !unit) return null;
  const fuel: FuelEconomy = {
    ...NO_FIGURES,
    ...found,
    unit,
    co2: figure(/vehicle emits\s*(\d{1,4})\s*grams? CO/i),
  };
  const used = figure(/^(\d{1,2}\.\d)\s*gallons per 100 miles/i);
  const agrees = used !== null && Math.abs(100 / used - found.combined) < 0.5 + found.combined * 0.02;
  return consistentFigures(agrees ? { ...fuel, per100: used } : fuel);
}

function inRows(lines: string[]): { city: number; highway: number; combined: number } | null {
  const words = lines.findIndex((line) => /combined city\/h\w+ city highway$/i.test(line));
  const pair = /^(\d{1,3}) (\d{1,3})$/.exec(lines[words - 1] ?? '');
  const alone = lines.slice(Math.max(0, words - 8), words).find((line) => /^\d{1,3}$/.test(line));
  return pair && alone ? { city: Number(pair[1]), highway: Number(pair[2]), combined: Number(alone) } : null;
}

const SECTION = /\bWARRANTY\b|\bGARANTIE\b/i;
const TERM = /^\d{1,2}\s?(?:-|–|\s)?\s?(?:YR|YEAR|AN)S?\b|^\d{1,2}YR/i;
const COVER = /WARRANT|GARANTIE/i;
const COVERAGE = /^(?:WARRANTY COVERAGE|GARANTIE)\s*:?$/i;
const ADVICE = /^Ask Dealer|see dealer|owner.?s manual|^\*/i;

/** Separates terms in one item. */
const STAR = /^\*\s*/;
const MAX_TERMS = 12;

/** The warranty's terms as printed, from its own box or from the standard equipment, which then no longer lists them. */
export function readWarranty(label: Label, lines: Line[]): void {
  const { terms, standard } = listed(label.standard);
  const found = [...boxed(lines), ...canadian(lines), ...terms];
  const distinct = [...new Set(found)].slice(0, MAX_TERMS);
  label.warranty = distinct.length > 0 ? distinct : null;
  // If some don't fit, the equipment keeps all of them.
  if (found.length <= MAX_TERMS) label.standard = standard;
}

/** Sentences under `WARRANTY COVERAGE`, each to its full stop. */
function boxed(lines: Line[]): string[] {
  const at = indexOf(lines, COVERAGE);
  if (at < 0) return [];
  const sentences: string[] = [];
  let open = '';
  for (const line of below(lines, at)) {
    if (open && TERM.test(line.text)) {
      sentences.push(open);
      open = '';
    }
    if (
      ADVICE.test(line.text) ||
      (open === '' && !TERM.test(line.text) && !/warranty|roadside/i.test(line.text))
    )
      break;
    open = open ? `${open} ${line.text}` : line.text;
    if (!open.endsWith('.')) continue;
    sentences.push(open);
    open = '';
  }
  return sentences;
}

/** The lines under one, in its column; in recorded text, the lines after it. */
function below(lines: Line[], at: number): Line[] {
  const head = lines[at]!;
  if (!head.positioned) return lines.slice(at + 1, at + 9);
  const column = lines
    .filter(({ x, y, page }) => page === head.page && y > head.y && Math.abs(x - head.x) < head.size * 1.5)
    .toSorted((one, other) => one.y - other.y)
    .slice(0, 8);
  const end = column.findIndex(({ y }, index) => y - (column[index - 1] ?? head).y > head.size * 2.2);
  return end < 0 ? column : column.slice(0, end);
}

/** `5-YEAR 100,000-KM` and the lines below it, up to the word WARRANTY. */
function canadian(lines: Line[]): string[] {
  const at = lines.findIndex(({ text }) => TERM.test(text) && /\d[–-]?\s?KM$/i.test(text));
  if (at < 0) return [];
  const block = [lines[at]!, ...below(lines, at)].slice(0, 6).map(({ text }) => text);
  const end = block.findIndex((text) => COVER.test(text));
  if (end < 0) return [];
  const next = block[end + 1];
  return [block.slice(0, end + 1).join(' '), ...(next && /roadside|routi[èe]re/i.test(next) ? [next] : [])];
}

/** Terms among the standard equipment, in a section of their own or among the owner's benefits, and the other equipment. */
function listed(equipment: Label['standard']): { terms: string[]; standard: Label['standard'] } {
  const terms: string[] = [];
  const others = equipment.map(({ section, items }) => {
    const own = SECTION.test(section ?? '');
    let last = -1;
    const kept = items.map((item) => {
      const parts = item.split(/\s(?=\*\s*[A-Z0-9])/);
      const rest = parts.filter((marked, at) => {
        const part = at === 0 ? marked : marked.replace(STAR, '');
        const goesOn = own && last >= 0 && !TERM.test(part) && !ADVICE.test(part) && !/PRICE|\$/.test(part);
        const isTerm = TERM.test(part) && (own || COVER.test(part));
        if (isTerm) last = terms.push(part) - 1;
        else if (goesOn && at === 0) terms[last] += ` ${part}`;
        else last = -1;
        return last < 0;
      });
      return rest.length === parts.length ? item : rest.join(' ').replace(STAR, '');
    });
    return { section, items: kept.filter((item) => item !== '') };
  });
  return { terms, standard: others.filter(({ items }) => items.length > 0) };
}
