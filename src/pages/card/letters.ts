import { readFileSync } from 'node:fs';

/** Text as SVG outlines (Inter, OFL.txt): drawn the same everywhere, also where no font is installed. */

interface Face {
  unitsPerEm: number;
  /** Width and path of each character. */
  letters: Record<string, [number, string]>;
}
export type Weight = 'regular' | 'semibold';

let faces: Record<Weight, Face> | undefined;

/** Read with the first card, not at start. */
function face(weight: Weight): Face {
  faces ??= JSON.parse(readFileSync(new URL('letters.json', import.meta.url), 'utf8')) as Record<
    Weight,
    Face
  >;
  return faces[weight];
}

/** Only what we can draw. */
function drawable(text: string, { letters }: Face): string {
  return [...text.replace(/\s/g, ' ')].filter((letter) => letters[letter]).join('');
}

export function textWidth(text: string, size: number, weight: Weight): number {
  const { letters, unitsPerEm } = face(weight);
  const units = [...text].reduce((sum, letter) => sum + (letters[letter]?.[0] ?? 0), 0);
  return (units * size) / unitsPerEm;
}

export interface Line {
  x: number;
  /** Of the baseline. */
  y: number;
  size: number;
  weight?: Weight;
  color: string;
  /** Gives each character a cell of this width and centers it there. */
  cell?: number;
}

export function drawText(text: string, { x, y, size, weight = 'regular', color, cell }: Line): string {
  const { letters, unitsPerEm } = face(weight);
  const scale = size / unitsPerEm;
  let at = 0;
  const paths = [...drawable(text, face(weight))].map((letter, index) => {
    const [width, path] = letters[letter]!;
    const left = cell === undefined ? at : (index * cell + (cell - width * scale) / 2) / scale;
    at += width;
    return `<path transform="translate(${Math.round(left)})" d="${path}"/>`;
  });
  return `<g transform="translate(${x} ${y}) scale(${scale.toFixed(5)} ${(-scale).toFixed(5)})" fill="${color}">${paths.join('')}</g>`;
}

/** Breaks a text between words into at most `most` lines; what is left over ends in an ellipsis. */
export function wrap(text: string, width: number, most: number, size: number, weight: Weight): string[] {
  const lines: string[] = [];
  for (const word of drawable(text, face(weight)).split(' ').filter(Boolean)) {
    const longer = [lines.at(-1), word].filter(Boolean).join(' ');
    if (lines.length > 0 && textWidth(longer, size, weight) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const kept = lines.slice(0, most);
  return kept.map((line, at) => fit(line, width, size, weight, at === most - 1 && lines.length > most));
}

function fit(line: string, width: number, size: number, weight: Weight, cut: boolean): string {
  if (!cut && textWidth(line, size, weight) <= width) return line;
  let short = line;
  while (short && textWidth(`${short}…`, size, weight) > width) short = short.slice(0, -1);
  return `${short.trimEnd()}…`;
}
