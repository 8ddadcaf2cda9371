import { titleCase } from '@monroney/label/lib/words';
import { leaveOutBrokenValues, withoutContradictions } from '@monroney/label/reading/doubtful-values';
import { linesOf } from '@monroney/label/reading/lines';
import type { ReadContext, Reader, Sheet } from '@monroney/label/reading/reader';
import type { Label, LabelText, Paint, Reading } from '@monroney/label/reading/types';
import { unreadPrices } from '@monroney/label/reading/unread-prices';
import { mapBoxesToFile, pagesOfVehicle, printedVin } from '@monroney/label/reading/vehicles';
import { sourceForMake, sources, verifiedOn } from './index.ts';
import { labelKind } from './maker.ts';

/** Makers that print their labels alike share a reader. */
const READERS: readonly Reader[] = [...new Set(sources.flatMap(({ reader }) => reader ?? []))];

/** Such as `gm/3`. Stored readings of other versions are read again. */
const versionOf = ({ family, version }: Reader) => `${family}/${version}`;

/** The version of this make's reader; null for an unknown make, or if its labels are pictures or not read yet. */
export function readerVersionOf(make: string): string | null {
  const reader = sourceForMake(make)?.reader;
  return reader ? versionOf(reader) : null;
}

/** Whether nothing would be gained by reading a stored label again. */
export function isReadByCurrent({ make, reader }: { make: string; reader: string | null }): boolean {
  const current = readerVersionOf(make);
  return current === null || reader === current;
}

/** The make in title case, `ALFA ROMEO` as `Alfa Romeo`; undefined for a make without labels. */
export function makeAsWritten(make: string | null | undefined): string | undefined {
  const plain = make?.trim().toUpperCase();
  return plain && sourceForMake(plain) ? titleCase(plain) : undefined;
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
  const source = sourceForMake(make ?? null);
  if (source && labelKind(source) === 'picture') return unreadableReading('picture', vin);
  if (lines.length === 0) return unreadableReading('no-text', vin);
  const words = lines.map((line) => line.text).join('\n');
  const sheet: Sheet = { text, lines, words, positioned: text.positioned, vin };
  if (source && !source.reader) return unreadableReading('not-read-yet', vin);
  // Never use another make's reader: it would misread a label that looks similar.
  const reader = source ? source.reader : READERS.find((candidate) => candidate.recognizes(sheet));
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
