import { titleCase } from './lib/words.ts';
import { leaveOutBrokenValues, withoutContradictions } from './reading/doubtful-values.ts';
import { linesOf } from './reading/lines.ts';
import type { ReadContext, Reader, Sheet } from './reading/reader.ts';
import type { Label, LabelText, Paint, Reading } from './reading/types.ts';
import { unreadPrices } from './reading/unread-prices.ts';
import { mapBoxesToFile, pagesOfVehicle, printedVin } from './reading/vehicles.ts';
import { readerOf, readers, verifiedOn } from './makers/index.ts';

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
