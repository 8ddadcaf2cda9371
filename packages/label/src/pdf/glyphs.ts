import { times, type Matrix } from './geometry.ts';
import { matrixOf, type PageObject } from './page-objects.ts';
import type { Pdfium } from './pdfium.ts';

/** What one operator shows: characters in one font on one baseline. */
export interface ShownText {
  glyphs: Glyph[];
  /** From the coordinates of its glyphs, whose unit is an em, to the page's. */
  matrix: Matrix;
  /** The name and size of its font. */
  font: string;
  /** Set in a negative size: its glyphs follow each other to the left. */
  isMirrored: boolean;
  /** Identifies the marked content that it is in. */
  marks: string;
}

/** A glyph's characters, where it begins on the baseline and how wide it is, in em. */
export interface Glyph {
  text: string;
  x: number;
  width: number;
}

/** The type of all objects is set in this size while pdfium looks at them, on lines that are several times as high. */
const SIZE = 10;
const LINE_HEIGHT = 64;
/** Lines are used again, so that their positions stay precise in the 32 bits of pdfium's numbers. */
const LINES = 251;

/**
 * The glyphs of each text object. pdfium looks for lines, words and repetitions in the objects of a page: it reorders them,
 * leaves some out and adds characters. So before it does that, every object is placed on a line of its own.
 */
export function glyphsOf(
  pdfium: Pdfium,
  page: number,
  objects: readonly PageObject[],
): Map<number, ShownText> {
  const { calls, floats, scratch } = pdfium;
  const texts = new Map<number, ShownText>();
  const fonts = new Map<number, Font>();
  const place = (handle: number, scale: number, y: number): void => {
    floats().set([scale, 0, 0, scale, 0, y]);
    calls.FPDFPageObj_SetMatrix(handle, scratch);
  };
  for (const { kind, handle, form } of objects) {
    if (kind === 'begin form') place(handle, 1, 0);
    if (kind !== 'text') continue;
    const matrix = times(form, matrixOf(pdfium, handle));
    calls.FPDFTextObj_GetFontSize(handle, scratch);
    const [fontSize = 0] = floats();
    const scale = SIZE / (Math.abs(fontSize) || SIZE);
    const font = calls.FPDFTextObj_GetFont(handle);
    if (!fonts.has(font)) fonts.set(font, fontOf(pdfium, font));
    const { name, height } = fonts.get(font)!;
    // The unit of drawn glyphs is not always an em, but then they are shown in a size of 1.
    const size = [fontSize, 0, 0, Math.abs(fontSize) <= 1 ? fontSize * height : fontSize, 0, 0] as const;
    texts.set(handle, {
      glyphs: [],
      matrix: times(matrix, size),
      font: `${fontSize} ${name}`,
      isMirrored: fontSize < 0,
      marks: takeMarks(pdfium, handle),
    });
    place(handle, scale, -(texts.size % LINES) * LINE_HEIGHT);
  }
  calls.FPDFPage_SetRotation(page, 0);
  const textPage = calls.FPDFText_LoadPage(page);
  const count = calls.FPDFText_CountChars(textPage);
  let last: Glyph | undefined;
  for (let index = 0; index < count; index++) {
    if (calls.FPDFText_IsGenerated(textPage, index) === 1) continue;
    const shown = texts.get(calls.FPDFText_GetTextObject(textPage, index));
    if (!shown || !calls.FPDFText_GetLooseCharBox(textPage, index, scratch)) continue;
    const box = floats();
    const [left, right] = [box[0]!, box[2]!];
    const x = shown.isMirrored ? -right / SIZE : left / SIZE;
    const width = (right - left) / SIZE;
    const text = characterOf(pdfium, textPage, index);
    // The characters of a ligature have the same place.
    if (last && shown.glyphs.at(-1) === last && x === last.x && width === last.width) last.text += text;
    else shown.glyphs.push((last = { text, x, width }));
  }
  calls.FPDFText_ClosePage(textPage);
  return texts;
}

function characterOf({ calls }: Pdfium, textPage: number, index: number): string {
  // pdfium marks hyphens at the end of a line.
  if (calls.FPDFText_IsHyphen(textPage, index) === 1) return '-';
  const code = calls.FPDFText_GetUnicode(textPage, index);
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** Takes an object out of its marked content, whose replacement text pdfium would use instead of what is printed. */
function takeMarks({ calls }: Pdfium, handle: number): string {
  const marks: number[] = [];
  while (calls.FPDFPageObj_CountMarks(handle) > 0) {
    const mark = calls.FPDFPageObj_GetMark(handle, 0);
    if (!calls.FPDFPageObj_RemoveMark(handle, mark)) break;
    marks.push(mark);
  }
  return marks.join(' ');
}

interface Font {
  name: string;
  /** The height of its glyphs in its own unit if they are drawn by the PDF (a Type 3 font), otherwise 1. */
  height: number;
}

const MAX_NAME_BYTES = 100;

function fontOf({ calls, bytes, floats, scratch }: Pdfium, font: number): Font {
  const length = calls.FPDFFont_GetBaseFontName(font, scratch, MAX_NAME_BYTES);
  if (length > 1)
    // A font with a longer name is only the same as itself.
    return {
      name: length <= MAX_NAME_BYTES ? String.fromCharCode(...bytes(scratch, length - 1)) : String(font),
      height: 1,
    };
  // Only Type 3 fonts have no name.
  calls.FPDFFont_GetAscent(font, 1, scratch);
  calls.FPDFFont_GetDescent(font, 1, scratch + 4);
  const [ascent = 0, descent = 0] = floats();
  return { name: String(font), height: ascent > descent ? ascent - descent : 1 };
}
