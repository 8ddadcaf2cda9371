import { at, contains, type Area, type Matrix, type Point } from './geometry.ts';
import type { Glyph, ShownText } from './glyphs.ts';
import type { PageObject } from './page-objects.ts';

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
