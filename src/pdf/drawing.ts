import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Operators } from './shapes.ts';

/** No operator of a drawing has more. */
export const MAX_OPERANDS = 6;
/** Paths with more corners are neither stars nor rectangles, so only their bounds matter. */
const MAX_CORNERS = 11;

/** The bytes of an operator as one number, which is faster to compare than a string. */
export const nameOf = (operator: string): number =>
  [...operator].reduce((name, char) => name * 256 + char.charCodeAt(0), 0);

/** Operators that add to a path, with the number of their operands. */
const PATH_OPERATORS = new Map(
  Object.entries({ m: 2, l: 2, c: 6, v: 4, y: 4, re: 4, h: 0 }).map(([name, count]) => [nameOf(name), count]),
);
const PAINT_OPERATORS = new Map<number, number>(
  Object.entries({
    S: OPS.stroke,
    s: OPS.closeStroke,
    f: OPS.fill,
    F: OPS.fill,
    'f*': OPS.eoFill,
    B: OPS.fillStroke,
    'B*': OPS.eoFillStroke,
    b: OPS.closeFillStroke,
    'b*': OPS.closeEOFillStroke,
    n: OPS.endPath,
  }).map(([name, fn]) => [nameOf(name), fn]),
);
const CLIP_OPERATORS = new Map<number, number>([
  [nameOf('W'), OPS.clip],
  [nameOf('W*'), OPS.eoClip],
]);
/** Operators of a drawing that change the state: the number of their operands, and what pdf.js makes of them. */
const STATE_OPERATORS = new Map<
  number,
  { count: number; fn: number; toHex?: (operands: Float64Array) => string }
>(
  Object.entries({
    cm: { count: 6, fn: OPS.transform },
    w: { count: 1, fn: OPS.setLineWidth },
    J: { count: 1, fn: OPS.setLineCap },
    j: { count: 1, fn: OPS.setLineJoin },
    M: { count: 1, fn: OPS.setMiterLimit },
    g: { count: 1, fn: OPS.setFillRGBColor, toHex: hexOfGray },
    G: { count: 1, fn: OPS.setStrokeRGBColor, toHex: hexOfGray },
    rg: { count: 3, fn: OPS.setFillRGBColor, toHex: hexOfRgb },
    RG: { count: 3, fn: OPS.setStrokeRGBColor, toHex: hexOfRgb },
    k: { count: 4, fn: OPS.setFillRGBColor, toHex: hexOfCmyk },
    K: { count: 4, fn: OPS.setStrokeRGBColor, toHex: hexOfCmyk },
  }).map(([name, operator]) => [nameOf(name), operator]),
);
/** The operators of a drawing, in the form in which pdf.js returns them. */
export class Drawing implements Operators {
  readonly fnArray: number[] = [];
  readonly argsArray: unknown[] = [];
  readonly operands = new Float64Array(MAX_OPERANDS + 1);
  isInPath = false;
  #clips = false;
  #points: number[] = [];
  #corners = 0;
  #left = Infinity;
  #bottom = Infinity;
  #right = -Infinity;
  #top = -Infinity;
  #x = 0;
  #y = 0;

  get length(): number {
    return this.fnArray.length;
  }

  push(fn: number, args: unknown[] | null): void {
    this.fnArray.push(fn);
    this.argsArray.push(args);
  }

  /** Adds an operator with its operands; false if it isn't one of a drawing, or has the wrong number of operands. */
  add(name: number, count: number): boolean {
    const needed = PATH_OPERATORS.get(name);
    if (needed !== undefined) {
      if (count !== needed || this.#clips || (!this.isInPath && name !== MOVE && name !== RECTANGLE)) {
        // The caller gives up on paths that don't start with a point.
        this.isInPath = true;
        return false;
      }
      this.isInPath = true;
      this.#addToPath(name);
      return true;
    }
    const painted = PAINT_OPERATORS.get(name);
    if (painted !== undefined && count === 0) {
      this.#paint(painted);
      return true;
    }
    const clip = CLIP_OPERATORS.get(name);
    if (clip !== undefined && count === 0 && this.isInPath && !this.#clips) {
      this.#clips = true;
      this.push(clip, null);
      return true;
    }
    const state = STATE_OPERATORS.get(name);
    if (!state || count !== state.count || this.isInPath) return false;
    this.push(state.fn, state.toHex ? [state.toHex(this.operands)] : [...this.operands.subarray(0, count)]);
    return true;
  }

  #paint(fn: number): void {
    const closes = fn === OPS.closeStroke || fn === OPS.closeFillStroke || fn === OPS.closeEOFillStroke;
    if (closes) this.#points.push(CLOSE_TO);
    const path = this.#corners > MAX_CORNERS ? null : new Float32Array(this.#points);
    const bounds = [this.#left, this.#bottom, this.#right, this.#top];
    this.push(OPS.constructPath, [
      fn,
      [this.#points.length > 0 ? path : null],
      this.isInPath || closes ? new Float32Array(bounds) : null,
    ]);
    this.isInPath = this.#clips = false;
    this.#points = [];
    this.#corners = 0;
    this.#left = this.#bottom = Infinity;
    this.#right = this.#top = -Infinity;
  }

  #addToPath(name: number): void {
    const [a, b, c, d, e, f] = this.operands as unknown as [number, number, number, number, number, number];
    switch (name) {
      case MOVE:
        this.#corner(MOVE_TO, a, b);
        break;
      case LINE:
        this.#corner(LINE_TO, a, b);
        break;
      case CURVE:
        this.#curve(a, b, c, d, e, f);
        break;
      case CURVE_FROM_POINT:
        this.#curve(this.#x, this.#y, a, b, c, d);
        break;
      case CURVE_TO_POINT:
        this.#curve(a, b, c, d, c, d);
        break;
      case RECTANGLE:
        this.#corner(MOVE_TO, a, b);
        if (c !== 0 && d !== 0) this.#corner(LINE_TO, a + c, b);
        this.#corner(LINE_TO, a + c, b + d);
        if (c !== 0 && d !== 0) this.#corner(LINE_TO, a, b + d);
        if (this.#corners <= MAX_CORNERS) this.#points.push(CLOSE_TO);
        this.#x = a;
        this.#y = b;
        break;
      case CLOSE:
        if (this.#corners <= MAX_CORNERS) this.#points.push(CLOSE_TO);
    }
  }

  #corner(kind: number, x: number, y: number): void {
    if (++this.#corners <= MAX_CORNERS) this.#points.push(kind, x, y);
    this.#reach(x, y);
    this.#x = x;
    this.#y = y;
  }

  #reach(x: number, y: number): void {
    if (x < this.#left) this.#left = x;
    if (x > this.#right) this.#right = x;
    if (y < this.#bottom) this.#bottom = y;
    if (y > this.#top) this.#top = y;
  }

  #curve(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    const [x0, y0] = [this.#x, this.#y];
    this.#corner(LINE_TO, x, y);
    // Neither a star nor a rectangle.
    this.#corners = MAX_CORNERS + 1;
    // A curve stays between its four points, so most curves need no calculation.
    if (Math.min(x1, x2) < this.#left || Math.max(x1, x2) > this.#right)
      for (const t of turnsOf(x0, x1, x2, x)) this.#reach(pointAt(t, x0, x1, x2, x), y);
    if (Math.min(y1, y2) < this.#bottom || Math.max(y1, y2) > this.#top)
      for (const t of turnsOf(y0, y1, y2, y)) this.#reach(x, pointAt(t, y0, y1, y2, y));
  }
}

const MOVE = nameOf('m');
const LINE = nameOf('l');
const CURVE = nameOf('c');
const CURVE_FROM_POINT = nameOf('v');
const CURVE_TO_POINT = nameOf('y');
const RECTANGLE = nameOf('re');
const CLOSE = nameOf('h');

/** The numbers of pdf.js for the parts of a path. */
const MOVE_TO = 0;
const LINE_TO = 1;
const CLOSE_TO = 4;

/** Where one coordinate of a Bézier curve turns back: the zeros of its derivative between 0 and 1. */
function turnsOf(p0: number, p1: number, p2: number, p3: number): number[] {
  const a = 3 * (p3 - p0 + 3 * (p1 - p2));
  const b = 6 * (p0 - 2 * p1 + p2);
  const c = 3 * (p1 - p0);
  const root = Math.sqrt(b * b - 4 * a * c);
  const turns = Math.abs(a) < 1e-12 ? [-c / b] : [(-b + root) / (2 * a), (-b - root) / (2 * a)];
  return turns.filter((t) => t > 0 && t < 1);
}

function pointAt(t: number, p0: number, p1: number, p2: number, p3: number): number {
  const s = 1 - t;
  return s * s * s * p0 + 3 * s * s * t * p1 + 3 * s * t * t * p2 + t * t * t * p3;
}

const channels = new Uint8ClampedArray(3);

function hexOf(red: number, green: number, blue: number): string {
  // Rounds them and limits them to 0 … 255.
  channels[0] = red;
  channels[1] = green;
  channels[2] = blue;
  const [r, g, b] = channels as unknown as [number, number, number];
  return `#${(0x1000000 + r * 0x10000 + g * 0x100 + b).toString(16).slice(1)}`;
}

function hexOfGray(operands: Float64Array): string {
  const gray = operands[0]! * 255;
  return hexOf(gray, gray, gray);
}

function hexOfRgb(operands: Float64Array): string {
  return hexOf(operands[0]! * 255, operands[1]! * 255, operands[2]! * 255);
}

/** With the approximation that pdf.js uses (`DeviceCmykCS`). */
function hexOfCmyk(operands: Float64Array): string {
  const [c, m, y, k] = operands as unknown as [number, number, number, number];
  return hexOf(
    255 +
      c *
        (-4.387332384609988 * c +
          54.48615194189176 * m +
          18.82290502165302 * y +
          212.25662451639585 * k -
          285.2331026137004) +
      m * (1.7149763477362134 * m - 5.6096736904047315 * y - 17.873870861415444 * k - 5.497006427196366) +
      y * (-2.5217340131683033 * y - 21.248923337353073 * k + 17.5119270841813) +
      k * (-21.86122147463605 * k - 189.48180835922747),
    255 +
      c *
        (8.841041422036149 * c +
          60.118027045597366 * m +
          6.871425592049007 * y +
          31.159100130055922 * k -
          79.2970844816548) +
      m * (-15.310361306967817 * m + 17.575251261109482 * y + 131.35250912493976 * k - 190.9453302588951) +
      y * (4.444339102852739 * y + 9.8632861493405 * k - 24.86741582555878) +
      k * (-20.737325471181034 * k - 187.80453709719578),
    255 +
      c *
        (0.8842522430003296 * c +
          8.078677503112928 * m +
          30.89978309703729 * y -
          0.23883238689178934 * k -
          14.183576799673286) +
      m * (10.49593273432072 * m + 63.02378494754052 * y + 50.606957656360734 * k - 112.23884253719248) +
      y * (0.03296041114873217 * y + 115.60384449646641 * k - 193.58209356861505) +
      k * (-22.33816807309886 * k - 180.12613974708367),
  );
}
