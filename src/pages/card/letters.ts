import { readFileSync } from 'node:fs';

/** Text as SVG outlines of Inter (license: OFL.txt), so that cards look the same whatever fonts are installed. */

interface Face {
  unitsPerEm: number;
  /** Width and path of each character. */
  letters: Record<string, [number, string]>;
}
export type Weight = 'regular' | 'semibold';

let faces: Record<Weight, Face> | undefined;

/** Loaded with the first card, to keep the start of the service fast. */
function face(weight: Weight): Face {
  faces ??= JSON.parse(readFileSync(new URL('letters.json', import.meta.url), 'utf8')) as Record<
    Weight,
    Face
  >;
  return faces[weight];
}

/** Drops characters that we have no outline for. */
function drawable(text: string, { letters }: Face): string {
  return [...text.replace(/\s/g, ' ')].filter((letter) => letters[letter]).join('');
}

function textWidth(text: string, size: number, weight: Weight): number {
  const { letters, unitsPerEm } = face(weight);
  const units = [...text].reduce((sum, letter) => sum + (letters[letter]?.[0] ?? 0), 0);
  return (units * size) / unitsPerEm;
}

export interface Line {
  x: number;
  /** The baseline. */
  y: number;
  size: number;
  weight?: Weight;
  color: string;
  /** Centers each character in a cell of this width. */
  cell?: number;
}

export function drawText(text: string, { x, y, size, weight = 'regular', color, cell }: Line): string {
  const { letters, unitsPerEm } = face(weight);
  const scale = size / unitsPerEm;
  let advance = 0;
  const paths = [...drawable(text, face(weight))].map((letter, index) => {
    const [width, path] = letters[letter]!;
    const left = cell === undefined ? advance : (index * cell + (cell - width * scale) / 2) / scale;
    advance += width;
    return `<path transform="translate(${Math.round(left)})" d="${path}"/>`;
  });
  return `<g transform="translate(${x} ${y}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" fill="${color}">${paths.join('')}</g>`;
}

/** Breaks text between words into at most `maxLines` lines. An ellipsis marks what was cut off. */
export function wrap(text: string, width: number, maxLines: number, size: number, weight: Weight): string[] {
  const lines: string[] = [];
  for (const word of drawable(text, face(weight)).split(' ').filter(Boolean)) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ');
    if (lines.length > 0 && textWidth(longer, size, weight) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines
    .slice(0, maxLines)
    .map((line, index) => fit(line, width, size, weight, index === maxLines - 1 && lines.length > maxLines));
}

function fit(line: string, width: number, size: number, weight: Weight, cut: boolean): string {
  if (!cut && textWidth(line, size, weight) <= width) return line;
  let short = line;
  while (short && textWidth(`${short}…`, size, weight) > width) short = short.slice(0, -1);
  return `${short.trimEnd()}…`;
}
