import type { Label, LabelText, Paint, ReaderFamily, Reading } from '../reading/types.ts';
import { linesOf } from '../reading/lines.ts';
import { familyOf, isPictureMake, makeAsWritten } from './makes.ts';
import { proofOf } from '../reading/proof.ts';
import type { ReadContext, Reader, Sheet } from '../reading/reader.ts';
import { ford } from './ford/reader.ts';
import { gm } from './gm/reader.ts';
import { hyundai } from './hyundai/reader.ts';
import { kia } from './kia/reader.ts';
import { stellantis } from './stellantis/reader.ts';
import { subaru } from './subaru/reader.ts';
import { toyota } from './toyota/reader.ts';
import { vinIn } from '../reading/vin-in-text.ts';

/** One reader for each manufacturer's way of printing. */
export const READERS: readonly Reader[] = [stellantis, gm, ford, hyundai, kia, subaru, toyota];

/** `gm/3`: kept readings of another version are done again. */
export function readerVersion(family: ReaderFamily): string {
  return `${family}/${readerOf(family)?.version ?? 0}`;
}

/** The version that reads this make's labels, null where they are pictures or the make is not known. */
export function readerVersionOf(make: string): string | null {
  const family = familyOf(makeAsWritten(make));
  return family ? readerVersion(family) : null;
}

/** What a label says. Never throws: a layout that is not understood is a reading that says so. */
export function readText(text: LabelText, context: ReadContext = {}): Reading {
  try {
    return read(text, context);
  } catch {
    return unreadable('unknown-layout', null);
  }
}

function read(text: LabelText, context: ReadContext): Reading {
  const lines = linesOf(text);
  const vin = vinIn(lines, context.vin?.toUpperCase());
  const named = context.vin?.toUpperCase() ?? vin;
  const make = makeAsWritten(context.make) ?? makeAsWritten(named && context.makeOf?.(named));
  if (isPictureMake(make)) return unreadable('picture', vin);
  if (lines.length === 0) return unreadable('no-text', vin);
  const words = lines.map((line) => line.text).join('\n');
  const sheet: Sheet = { text, lines, words, positioned: text.positioned, vin };
  const reader = readerOf(familyOf(make)) ?? READERS.find((candidate) => candidate.recognises(sheet));
  const found = reader?.read(sheet, { ...context, ...(make ? { make } : {}) });
  const version = reader ? `${reader.family}/${reader.version}` : undefined;
  if (!found) return unreadable('unknown-layout', vin, version);
  const paint = paintOf(found.label);
  const label = { ...found.label, exterior: paint };
  return {
    reader: version!,
    readable: true,
    reason: null,
    vin,
    paint,
    label,
    proof: proofOf(label, found.options),
  };
}

function readerOf(family: ReaderFamily | undefined): Reader | undefined {
  return READERS.find((reader) => reader.family === family);
}

/** A code is on the label of two pairs of makes only, and a bracket elsewhere is part of a name. */
function paintOf(label: Label): Paint | null {
  const { exterior } = label;
  if (!exterior?.color) return null;
  const coded = familyOf(label.make) === 'toyota' || familyOf(label.make) === 'hyundai';
  return { color: exterior.color, code: coded ? exterior.code : null };
}

function unreadable(reason: NonNullable<Reading['reason']>, vin: string | null, reader = 'none/1'): Reading {
  return { reader, readable: false, reason, vin, paint: null, label: null, proof: null };
}
