/**
 * Writes a one-page PDF 1.4: text, rules, boxes and pictures, placed in points from the top left.
 * The same page always gives the same bytes, so nothing is compressed (a compressor's output differs between machines).
 */
import { byteOf, fontNames, widthOf, type Font } from './type.ts';

/** A gray from 0 (black) to 1 (white), or red, green and blue. */
export type Ink = number | readonly [number, number, number];

export interface TextStyle {
  font?: Font;
  gray?: number;
  /** Horizontal scale, for the condensed lines of crowded labels. */
  narrow?: number;
}

/** A raster with one bit per pixel, rows padded to bytes, ones are ink. The rest is transparent. */
export interface Picture {
  width: number;
  height: number;
  data: Buffer;
}

export interface Quirks {
  /** The byte for the en dash; in WinAnsi it's 0x96. */
  dashByte?: number;
  /** The page is a portrait one with `/Rotate 90`, as some report programs write it. */
  rotated?: boolean;
  /** Readers have to rebuild the cross-reference table. */
  damagedXref?: boolean;
}

const number = (value: number): string => String(Math.round(value * 100) / 100);
const fillWith = (ink: Ink): string =>
  `${[ink].flat().map(number).join(' ')} ${typeof ink === 'number' ? 'g' : 'rg'}`;
const strokeWith = (ink: Ink): string => fillWith(ink).toUpperCase();
const fontOrder: readonly Font[] = ['regular', 'bold', 'mono', 'mono-bold'];
const width = (text: string, size: number, style: TextStyle): number =>
  widthOf(text, size, style.font ?? 'regular') * (style.narrow ?? 1);

export class Page {
  readonly width: number;
  readonly height: number;
  readonly pictures: Picture[] = [];
  private readonly operators: string[] = [];
  private readonly quirks: Quirks;

  constructor(width = 1224, height = 792, quirks: Quirks = {}) {
    this.width = width;
    this.height = height;
    this.quirks = quirks;
  }

  /** Raw operators in PDF coordinates, for other shapes. */
  draw(operators: string): void {
    this.operators.push(operators);
  }

  text(x: number, y: number, size: number, text: string, style: TextStyle = {}): number {
    const name = fontOrder.indexOf(style.font ?? 'regular') + 1;
    const matrix = `1 0 0 1 ${number(x)} ${number(this.height - y)} Tm`;
    const narrow = (style.narrow ?? 1) * 100;
    const operators = `/F${name} ${number(size)} Tf ${number(narrow)} Tz ${matrix} (${this.escape(text)}) Tj`;
    this.draw(`BT ${number(style.gray ?? 0)} g ${operators} ET`);
    return x + width(text, size, style);
  }

  /** Text that ends at `x`. */
  right(x: number, y: number, size: number, text: string, style: TextStyle = {}): void {
    this.text(x - width(text, size, style), y, size, text, style);
  }

  center(x: number, y: number, size: number, text: string, style: TextStyle = {}): void {
    this.text(x - width(text, size, style) / 2, y, size, text, style);
  }

  /** Draws lines one below the other and returns the y after the last. */
  lines(
    x: number,
    y: number,
    size: number,
    leading: number,
    lines: readonly string[],
    style: TextStyle = {},
  ): number {
    for (const line of lines) {
      this.text(x, y, size, line, style);
      y += leading;
    }
    return y;
  }

  rule(x1: number, y1: number, x2: number, y2: number, weight = 0.75, ink: Ink = 0): void {
    const ends = [x1, this.height - y1, x2, this.height - y2].map(number);
    this.draw(`${strokeWith(ink)} ${number(weight)} w ${ends[0]} ${ends[1]} m ${ends[2]} ${ends[3]} l S`);
  }

  box(x: number, y: number, width: number, height: number, weight = 1, ink: Ink = 0): void {
    this.draw(`${strokeWith(ink)} ${number(weight)} w ${this.rectangle(x, y, width, height)} S`);
  }

  fill(x: number, y: number, width: number, height: number, ink: Ink): void {
    this.draw(`${fillWith(ink)} ${this.rectangle(x, y, width, height)} f`);
  }

  picture(x: number, y: number, width: number, height: number, picture: Picture): void {
    this.pictures.push(picture);
    const place = [width, 0, 0, height, x, this.height - y - height].map(number).join(' ');
    this.draw(`q 0 g ${place} cm /P${this.pictures.length} Do Q`);
  }

  /** The finished file. */
  toPdf(): Buffer {
    const { width, height } = this;
    const rotated = this.quirks.rotated ?? false;
    const turn = rotated ? [`0 1 -1 0 ${height} 0 cm`] : [];
    const content = Buffer.from([...turn, ...this.operators].join('\n'), 'latin1');
    const page = rotated ? `[0 0 ${height} ${width}] /Rotate 90` : `[0 0 ${width} ${height}]`;
    const dash = this.quirks.dashByte;
    const encoding = dash
      ? `<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [${dash} /endash] >>`
      : '/WinAnsiEncoding';
    const fonts = fontOrder.map((_, index) => `/F${index + 1} ${index + 5} 0 R`).join(' ');
    const first = 5 + fontOrder.length;
    const pictures = this.pictures.map((_, index) => `/P${index + 1} ${first + index} 0 R`).join(' ');
    const resources = `<< /Font << ${fonts} >> /XObject << ${pictures} >> >>`;
    return assemble(
      [
        Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
        Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
        Buffer.from(
          `<< /Type /Page /Parent 2 0 R /MediaBox ${page} /Contents 4 0 R /Resources ${resources} >>`,
        ),
        stream('', content),
        ...fontOrder.map((font) =>
          Buffer.from(
            `<< /Type /Font /Subtype /Type1 /BaseFont /${fontNames[font]} /Encoding ${encoding} >>`,
          ),
        ),
        ...this.pictures.map(image),
      ],
      this.quirks,
    );
  }

  private rectangle(x: number, y: number, width: number, height: number): string {
    return `${number(x)} ${number(this.height - y - height)} ${number(width)} ${number(height)} re`;
  }

  private escape(text: string): string {
    let escaped = '';
    for (const character of text) {
      const byte = character === '–' ? (this.quirks.dashByte ?? 0x96) : byteOf(character);
      const plain = byte >= 0x20 && byte < 0x7f && !'()\\'.includes(character);
      escaped += plain ? character : `\\${byte.toString(8).padStart(3, '0')}`;
    }
    return escaped;
  }
}

/** An object with data. */
export function stream(entries: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${entries}/Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

function image({ width, height, data }: Picture): Buffer {
  const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ImageMask true /Decode [1 0] `;
  return stream(entries, data);
}

/** A file of objects numbered from 1, the catalog first. `trailer` adds entries to its trailer. */
export function assemble(objects: readonly Buffer[], { damagedXref = false, trailer = '' } = {}): Buffer {
  const parts = [Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  objects.forEach((object, index) => {
    offsets.push(length);
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    parts.push(part);
    length += part.length;
  });
  const shift = damagedXref ? 7919 : 0;
  const rows = offsets.map((offset) => `${String(offset + shift).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const root = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\n`;
  parts.push(Buffer.from(`${table}${root}startxref\n${length + shift}\n%%EOF\n`));
  return Buffer.concat(parts);
}
