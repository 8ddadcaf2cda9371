import {
  times,
  type Matrix,
  at,
  contains,
  type Area,
  type Point,
  matrixOf,
  type PageObject,
} from './page-objects.ts';
import type { Pdfium } from './pdfium.ts';

/** What one operator shows: characters in one font on one baseline. */
interface ShownText {
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
interface Glyph {
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

/** Glyphs that follow each other on one baseline in one font, in the page's coordinates. */
export interface Run {
  text: string;
  /** Where it begins. */
  origin: Point;
  width: number;
  size: number;
  /** The rotation that makes it upright, in steps of 90 degrees. */
  rotation: number;
  /** The index of the object that drew its beginning. */
  drawn: number;
}

/** Gaps in em between two glyphs. */
const MAX_BACKWARD = -0.2001;
const MAX_TOUCHING = 0.0301;
const MIN_SPACE = 0.1021;
const MAX_SPACE = 0.6001;
/** How far a baseline may shift within a run, in heights of its type. */
const MAX_SHIFT = 0.25;

type GlyphKind = 'letter' | 'blank' | 'combining' | 'invisible';

function kindOf(text: string): GlyphKind {
  // Nearly all.
  if (text.length === 1 && text > ' ' && text <= '~') return 'letter';
  if (/^[!-~]+$/.test(text)) return 'letter';
  if (/^\p{Cf}$/u.test(text)) return 'invisible';
  if (/^\s/.test(text)) return 'blank';
  return /\p{Mn}/u.test(text) ? 'combining' : 'letter';
}

/** Ligatures, presentation forms, and characters that are the same as others. */
const COMPATIBILITY = /[\u00b5\u037e\u2126\ufb00-\ufdfb\ufe70-\ufe7d]+/g;

/** The runs of a page, in drawing order. Glyphs outside `visible` are left out, and so are runs that are blank. */
export function runsOf(
  objects: readonly PageObject[],
  texts: ReadonlyMap<number, ShownText>,
  visible: Area,
): Run[] {
  const runs: Run[] = [];
  const outer: Line[] = [];
  let line = new Line(visible, runs);
  for (const [drawn, { kind, handle }] of objects.entries()) {
    if (kind === 'text') line.show(texts.get(handle)!, drawn);
    if (kind === 'picture' || kind === 'begin form' || kind === 'end form') line.endRun();
    if (kind === 'begin form') {
      outer.push(line);
      line = new Line(visible, runs);
    }
    if (kind === 'end form') line = outer.pop()!;
  }
  line.endRun();
  return runs;
}

/** Puts glyphs together to runs. */
class Line {
  readonly #visible: Area;
  readonly #runs: Run[];
  #run: Run | null = null;
  /** Where the last glyph ended, and the em and the height of its type. */
  #end: Point | null = null;
  #em = 0;
  #height = 0;
  #font = '';
  #marks = '';
  /** The last two characters: a blank is only written once what follows shows that it is not a gap. */
  #beforeLast = ' ';
  #last = ' ';

  constructor(visible: Area, runs: Run[]) {
    this.#visible = visible;
    this.#runs = runs;
  }

  show(shown: ShownText, drawn: number): void {
    const { matrix, glyphs, font, marks } = shown;
    if (font !== this.#font || marks !== this.#marks) this.endRun();
    [this.#font, this.#marks] = [font, marks];
    if (this.#run) this.#em = Math.hypot(matrix[0], matrix[1]);
    for (const glyph of glyphs) {
      const kind = kindOf(glyph.text);
      if (kind === 'invisible') this.#skip(at(matrix, glyph.x + glyph.width, 0));
      else if (kind === 'blank') this.#remember(' ');
      else this.#add(glyph, kind === 'combining', matrix, drawn);
    }
  }

  endRun(): void {
    if (this.#run) this.#runs.push({ ...this.#run, text: this.#run.text.replace(COMPATIBILITY, normalized) });
    this.#run = null;
  }

  /** Leaves no gap where a glyph is that has no width of its own on the page. */
  #skip(end: Point): void {
    if (this.#end) this.#end = end;
  }

  #add({ text, x, width }: Glyph, isCombining: boolean, matrix: Matrix, drawn: number): void {
    const start = at(matrix, x, 0);
    const end = at(matrix, x + width, 0);
    if (!isCombining) {
      // A glyph may begin outside as long as it ends inside.
      if (!contains(this.#visible, { x: Math.max(start.x, Math.min(end.x, this.#visible.left)), y: start.y }))
        return;
      this.#advanceTo(start, matrix);
    }
    if (!this.#run) {
      const [a, b, c, d] = matrix;
      this.#em = Math.hypot(a, b);
      this.#height = Math.hypot(c, d);
      this.#run = {
        text: '',
        origin: start,
        width: 0,
        size: this.#height,
        rotation: quarterTurns(a, b),
        drawn,
      };
    }
    if (this.#isBlankPending()) this.#run.text += ' ';
    this.#run.text += text;
    this.#remember(text);
    if (isCombining) return this.#skip(end);
    if (width === 0) return;
    this.#run.width += width * Math.hypot(matrix[0], matrix[1]);
    this.#end = end;
  }

  /** Decides by the gap to the next glyph whether a space is between them, or another run begins. */
  #advanceTo(start: Point, [a, b]: Matrix): void {
    const last = this.#end;
    if (!last) return;
    const length = Math.hypot(a, b) || 1;
    const [dx, dy] = [start.x - last.x, start.y - last.y];
    const gap = (dx * a + dy * b) / length;
    const shift = Math.abs(dy * a - dx * b) / length;
    const em = this.#em;
    if (Math.abs(gap) < 1e-3 * em && shift < 1e-3 * em) return;
    if (gap < MAX_BACKWARD * em || shift > this.#height) {
      this.#forget();
      return this.endRun();
    }
    if (gap <= MAX_TOUCHING * em) this.#forget();
    if (gap <= MIN_SPACE * em) {
      if (this.#isBlankPending()) {
        this.#forget();
        this.endRun();
      } else if (this.#run) this.#run.width += gap;
    } else {
      this.#forget();
      if (gap > MAX_SPACE * em) this.endRun();
      else if (this.#run) {
        this.#run.text += ' ';
        this.#run.width += gap;
      }
    }
    if (shift > MAX_SHIFT * this.#height) this.endRun();
  }

  #isBlankPending(): boolean {
    return this.#beforeLast !== ' ' && this.#last === ' ';
  }

  #remember(text: string): void {
    this.#beforeLast = this.#last;
    this.#last = text;
  }

  #forget(): void {
    [this.#beforeLast, this.#last] = [' ', ' '];
  }
}

const normalized = (text: string): string => text.normalize('NFKC');

const quarterTurns = (a: number, b: number): number =>
  (((Math.round(Math.atan2(b, a) / (Math.PI / 2)) * 90) % 360) + 360) % 360;
