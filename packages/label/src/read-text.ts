import { titleCase } from './lib/words.ts';
import { linesOf } from './reading/lines.ts';
import type { Line, Label, LabelText, Paint, Reading, Box, TextItem, Proof } from './reading/types.ts';
import { type ReadContext, type Reader, type Sheet, blankLabel, type OptionsSum } from './reading/reader.ts';
import { unreadPrices, proofOf, isMoney } from './reading/money.ts';
import { mapBoxesToFile, pagesOfVehicle, printedVin } from './reading/vehicles.ts';
import { readerOf, readers, verifiedOn } from './makers/index.ts';
import { endsInCountry } from './reading/parts-content.ts';

/** Such as `gm/3`. Stored readings of other versions are read again. */
const versionOf = ({ family, version }: Reader) => `${family}/${version}`;

/** The version of this make's reader; null for an unknown make, or if its labels are pictures or not read yet. */
export function readerVersionOf(make: string): string | null {
  const reader = readerOf(make);
  return reader ? versionOf(reader) : null;
}

/** Whether nothing would be gained by reading a stored label again. */
export function isReadByCurrent({ make, reader }: { make: string; reader: string | null }): boolean {
  const current = readerVersionOf(make);
  return current === null || reader === current;
}

/** The make in title case: `ALFA ROMEO` as `Alfa Romeo`. */
export function makeAsWritten(make: string | null | undefined): string | undefined {
  const plain = make?.trim().toUpperCase();
  return plain ? titleCase(plain) : undefined;
}

/** The VIN on the pages of the car that is looked for; null if there is none, or if several other cars are in the file. */
export function printedVinOf(text: LabelText, vin?: string): string | null {
  const part = pagesOfVehicle(text, vin);
  return part && printedVin(linesOf(part.text), vin);
}

/** Reads a label. Never throws: an unknown layout results in a reading that says so. */
export function readText(text: LabelText, context: ReadContext = {}): Reading {
  try {
    return read(text, context);
  } catch {
    return unreadableReading('unknown-layout', null);
  }
}

function read(file: LabelText, context: ReadContext): Reading {
  const part = pagesOfVehicle(file, context.vin?.toUpperCase());
  if (!part) return unreadableReading('several-vehicles', null);
  const { text } = part;
  const lines = linesOf(text);
  const vin = printedVin(lines, context.vin?.toUpperCase());
  const named = context.vin?.toUpperCase() ?? vin;
  const make = makeAsWritten(context.make) ?? makeAsWritten(named && context.makeOf?.(named));
  const ofMake = make ? readerOf(make) : null;
  if (make && ofMake === null) return unreadableReading('picture', vin);
  if (lines.length === 0) return unreadableReading('no-text', vin);
  const words = lines.map((line) => line.text).join('\n');
  const sheet: Sheet = { text, lines, words, positioned: text.positioned, vin };
  if (ofMake === undefined) return unreadableReading('not-read-yet', vin);
  // Never use another make's reader: it would misread a label that looks similar.
  const reader = ofMake ?? readers.find((candidate) => candidate.recognizes(sheet));
  const found = reader?.read(sheet, { ...context, ...(make ? { make } : {}) });
  const version = reader ? versionOf(reader) : undefined;
  if (!reader || !found) return unreadableReading('unknown-layout', vin, version);
  leaveOutBrokenValues(found.label, lines);
  const unread = unreadPrices(found.label, lines, found.options);
  mapBoxesToFile(found.label, part);
  const paint = paintOf(found.label, reader);
  const { label, proof } = withoutContradictions(
    { ...found.label, exterior: paint },
    unread,
    found.options,
    // Sister makes share a reader but may print their labels differently.
    verifiedOn(make ?? found.label.make) === 0,
  );
  return {
    reader: version!,
    readable: true,
    reason: null,
    vin,
    paint: label.exterior,
    label,
    proof,
  };
}

/** The VIN in a file's name or path; null without one. Labels are often named by it, which helps if it is printed only as a bar code. */
export function vinInFileName(path: string): string | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return /(?<![A-Z0-9])[A-HJ-NPR-Z0-9]{13}\d{4}(?![A-Z0-9])/.exec(name.toUpperCase())?.[0] ?? null;
}

/** Words of the box beside the color: OCR text may run the two together. */
const NOT_PAINT =
  /\b\d\.\d ?L\b|\bV-?(?:6|8|10|12)\b|\b(?:ENGINE|MOTEUR|TRANSMISSION|MPG)\b|\d-?\s?(?:SPEED|SPD)\b|\$|:|\bINTERIOR\b/i;

/** Only some makers print a paint code; on other labels, brackets are part of the name. */
function paintOf({ exterior }: Label, reader: Reader): Paint | null {
  if (!exterior?.color || NOT_PAINT.test(exterior.color)) return null;
  return { color: exterior.color, code: reader.printsPaintCode ? exterior.code : null };
}

/** The reader of a label that no reader was chosen for. */
export const NO_READER = 'none/1';

/** Whether the same file may be readable later, when the machine is less busy. It is neither stored nor cached. */
export const isTemporary = ({ reason }: Pick<Reading, 'reason'>): boolean =>
  reason === 'timeout' || reason === 'memory';

export function unreadableReading(
  reason: NonNullable<Reading['reason']>,
  vin: string | null,
  reader = NO_READER,
): Reading {
  return { reader, readable: false, reason, vin, paint: null, label: null, proof: null };
}

/** The widest space between two words of a value, in em. On no real label is one wider than 0.3. */
const MAX_SPACE_EM = 0.45;
/** Runs that share more of a row than this, in em, are printed over each other. */
const MAX_OVERLAP_EM = 0.5;
const FIELDS = ['interior', 'engine', 'transmission'] as const;

/**
 * Leaves out colors, engine, transmission and assembly point that are printed with a gap in them, with an amount or under
 * other words: a neighbor's text, or text stamped over the label, is then part of the value.
 */
function leaveOutBrokenValues(label: Label, lines: Line[]): void {
  const rowsOf = (field: string): TextItem[][] => {
    const box = label.places[field];
    return box ? lines.flatMap((line) => runsInside(line, box)) : [];
  };
  const isBroken = (field: string, value: string): boolean =>
    hasAmount(value) || hasGap(rowsOf(field)) || hasOverprint(rowsOf(field), lines);
  if (label.exterior && isBroken('exterior', label.exterior.color)) label.exterior = null;
  for (const field of FIELDS) {
    const value = label[field];
    if (value && isBroken(field, value)) label[field] = null;
  }
  const plant = rowsOf('assembly');
  // Some makers print the country at a distance from the town.
  const isApart = hasGap(plant) && !endsInCountry(label.assembly ?? '');
  if (isApart || hasOverprint(plant, lines)) label.assembly = null;
}

function hasAmount(value: string): boolean {
  // A figure such as 3.73 is the ratio of an axle.
  return (
    /\$\s?\d/.test(value) || value.split(' ').some((word) => isMoney(word) && /\d{2}\.|\.00$/.test(word))
  );
}

/** The runs of a line that lie inside the box, from left to right. */
function runsInside(line: Line, box: Box): TextItem[][] {
  const isInside =
    line.positioned &&
    line.page === box.page &&
    line.y > box.y + 0.5 * line.size &&
    line.y < box.y + box.height;
  if (!isInside) return [];
  const items = line.items.filter(
    ({ x, width, sideways }) => !sideways && x > box.x - 1 && x + width < box.x + box.width + 1,
  );
  return items.length > 0 ? [items.toSorted((one, other) => one.x - other.x)] : [];
}

/** True if there is a gap between two words of a line. */
function hasGap(rows: TextItem[][]): boolean {
  return rows.some((items) =>
    items.some(({ x, size }, at) => {
      const before = items[at - 1];
      return before !== undefined && x - before.x - before.width > MAX_SPACE_EM * size;
    }),
  );
}

/** True if other words are printed over these. */
function hasOverprint(rows: TextItem[][], lines: Line[]): boolean {
  const own = rows.flat();
  return lines.some(({ positioned, y, size, items }) => {
    const near = positioned && own.some((run) => Math.abs(run.y - y) < MAX_OVERLAP_EM * size);
    return (
      near && items.some((item) => !item.sideways && own.some((run) => run !== item && isOver(item, run)))
    );
  });
}

function isOver(one: TextItem, other: TextItem): boolean {
  const size = Math.min(one.size, other.size);
  const shared = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  return Math.abs(one.y - other.y) < MAX_OVERLAP_EM * size && shared > MAX_OVERLAP_EM * size;
}

/**
 * Leaves out facts that the label's own arithmetic contradicts. Prices that don't add up stay if the reader has been
 * tested on real labels: `proof` reports the difference, and the printed total is still worth knowing.
 */
export function withoutContradictions(
  label: Label,
  unread: Proof['reason'],
  options: OptionsSum | undefined,
  /** The reader was never tested on a real label of this make, so its prices count only if they add up. */
  isUnproven: boolean,
): { label: Label; proof: Proof } {
  const checked = { ...label, places: { ...label.places } };
  if ((checked.year === null || checked.model === null) && hasBody(checked)) leaveOutDescription(checked);
  const first = proofOf(checked, unread, options);
  if (!first.closes && isUnproven) checked.prices = blankLabel(checked.make, checked.market).prices;
  for (const field of Object.keys(checked.places)) if (!isThere(checked, field)) delete checked.places[field];
  return { label: checked, proof: { ...proofOf(checked, unread, options), reason: first.reason } };
}

/** Full labels name the car. A fleet's form has only a color and a VIN, without equipment or prices. */
function hasBody({ prices, standard }: Label): boolean {
  return prices.base !== null || prices.total !== null || prices.options.length > 0 || standard.length > 0;
}

/** If the line that names the car was not found, the text beside it may belong to another block. */
function leaveOutDescription(label: Label): void {
  Object.assign(label, { exterior: null, interior: null, engine: null, transmission: null });
}

/** True if there is still a value at this path, such as `prices.options.3`. */
function isThere(label: Label, path: string): boolean {
  let value: unknown = label;
  for (const key of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value !== null && value !== undefined;
}
