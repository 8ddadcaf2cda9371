import { inflateSync } from 'node:zlib';
import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { replaceDrawings } from './drawing-groups.ts';
import type { Operators } from './shapes.ts';

/**
 * Ford's labels contain drawings of up to 30,000 curves, which took pdf.js most of its time: it reads everything twice, once for
 * the text and once for the operators. They are in form XObjects. `takeDrawings` takes them out of a file before pdf.js opens
 * it, and `withDrawings` puts their operators where they were.
 */

/** Smaller forms aren't worth the work. */
const MIN_COMPRESSED_BYTES = 2_000;
/** Ford's largest form has 1.2 MB, all of them together 3 MB. */
const MAX_FORM_BYTES = 4 * 2 ** 20;
const MAX_TOTAL_BYTES = 12 * 2 ** 20;
/** The dictionary of a form has a few hundred bytes. */
const MAX_HEADER_BYTES = 2_000;
const MAX_CANDIDATES = 2_000;
/** With two words that pdf.js reads ahead; otherwise it would look for them behind all the spaces. */
const END_OF_STREAM = Buffer.from('\nendstream endobj null null\n');
/** A label's drawings have about 15,000 operators. */
const MAX_KEPT_OPERATORS = 100_000;
/** A form can be drawn any number of times. */
const MAX_OPERATORS = 300_000;
/**
 * A drawing is replaced by `<number> i`, which sets the flatness of curves and means nothing to text. Flatness is at most 100;
 * larger numbers are those of drawings.
 */
const FIRST_NUMBER = 1_000_000;

/** Takes the drawings out of a file, in place. Forms that aren't simple and complete stay as they are. */
export function takeDrawings(pdf: Buffer): Operators[] {
  const drawings: Operators[] = [];
  let remaining = MAX_TOTAL_BYTES;
  let kept = 0;
  let candidates = MAX_CANDIDATES;
  for (let at = pdf.indexOf('/Form'); at >= 0 && candidates-- > 0; at = pdf.indexOf('/Form', at + 5)) {
    const form = formAround(pdf, at);
    if (!form || form.data.length < MIN_COMPRESSED_BYTES) continue;
    if (remaining < MAX_FORM_BYTES || kept > MAX_KEPT_OPERATORS) break;
    const content = inflate(form.data);
    remaining -= content?.length ?? MAX_FORM_BYTES;
    const found: Operators[] = [];
    const replace = (drawing: Operators): string =>
      `${FIRST_NUMBER + drawings.length + found.push(drawing) - 1} i`;
    const rest = content && replaceDrawings(content, replace);
    if (!rest || rest.length + END_OF_STREAM.length > form.data.length) continue;
    for (const drawing of found) kept += drawing.fnArray.length;
    drawings.push(...found);
    // Not compressed, and followed by spaces, so that nothing else in the file moves.
    form.filter.fill(' ');
    form.length.fill(' ').write(String(rest.length));
    form.data.fill(' ').set(Buffer.concat([rest, END_OF_STREAM]));
  }
  return drawings;
}

/** The operators of a page with those of the drawings that were taken out. */
export function withDrawings({ fnArray, argsArray }: Operators, drawings: readonly Operators[]): Operators {
  const all: Operators = { fnArray: [], argsArray: [] };
  const add = (from: Operators, start: number, end: number): void => {
    for (let index = start; index < end; index++) {
      all.fnArray.push(from.fnArray[index]!);
      all.argsArray.push(from.argsArray[index]);
    }
  };
  let added = 0;
  for (let index = 0; index < fnArray.length; index++) {
    if (fnArray[index] !== OPS.setFlatness) continue;
    const drawing = drawings[Number((argsArray[index] as unknown[] | null)?.[0]) - FIRST_NUMBER];
    if (!drawing) continue;
    add({ fnArray, argsArray }, added, index);
    if (all.fnArray.length + drawing.fnArray.length <= MAX_OPERATORS) add(drawing, 0, drawing.fnArray.length);
    added = index + 1;
  }
  add({ fnArray, argsArray }, added, fnArray.length);
  return all;
}

interface Form {
  /** Where the dictionary names the filter, and the length of the data. */
  filter: Buffer;
  length: Buffer;
  data: Buffer;
}

/** The form whose dictionary contains a position. */
function formAround(pdf: Buffer, at: number): Form | null {
  const from = Math.max(0, at - MAX_HEADER_BYTES);
  const text = pdf.toString('latin1', from, at + MAX_HEADER_BYTES);
  const start = text.lastIndexOf('obj', at - from);
  // Not the key /FormType, which the same dictionary may have.
  const isName = /[\s/>]/.test(text[at - from + 5] ?? '');
  const header = start < 0 || !isName ? null : /^obj\s*<<[^]*?>>\s*stream\r?\n/.exec(text.slice(start))?.[0];
  if (!header || !/\/Subtype\s*\/Form(?=[\s/>])/.test(header) || /endobj|\/DecodeParms/.test(header))
    return null;
  const filters = [...header.matchAll(/\/Filter\s*(?:\/FlateDecode|\[\s*\/FlateDecode\s*\])(?=[\s/>])/g)];
  const lengths = [...header.matchAll(/\/Length\s+(\d{1,9})(?=\s*[/>])/g)];
  const [filter, length] = [filters[0], lengths[0]];
  if (!filter || !length || filters.length > 1 || lengths.length > 1) return null;
  const dataAt = header.length;
  const dataEnd = dataAt + Number(length[1]);
  const object = pdf.subarray(from + start);
  if (!/^\r?\n?endstream/.test(object.toString('latin1', dataEnd, dataEnd + 11))) return null;
  const lengthEnd = length.index + length[0].length;
  return {
    filter: object.subarray(filter.index, filter.index + filter[0].length),
    length: object.subarray(lengthEnd - length[1]!.length, lengthEnd),
    data: object.subarray(dataAt, dataEnd),
  };
}

/** Null if the data is broken or too long. */
function inflate(data: Buffer): Buffer | null {
  try {
    return inflateSync(data, { maxOutputLength: MAX_FORM_BYTES });
  } catch {
    return null;
  }
}
