import { readFileSync } from 'node:fs';
import { escapeMarkup } from '../../lib/markup.ts';
import type { Card } from '../../pdf/channel.ts';
import { BADGE_HEIGHT } from '../embed-markup.ts';

/** The size that messengers and social sites show uncropped. */
export const PREVIEW_SIZE = { width: 1200, height: 630 };

/** What a link preview says about a car. */
interface CardContent {
  name: string;
  vin: string;
  /** `$64,725`, if the sticker was read. */
  total: string | null;
  /** A line of facts from the VIN, for a card without a sticker. */
  facts: string;
  /** Whether the card shows a picture of the sticker. */
  hasPicture: boolean;
  /** The drawing of its price bar, if the prices add up. */
  bar: string | null;
}

// The light colors of the pages.
const PAPER = '#fbfaf7';
const INK = '#171612';
const SOFT = '#504e47';
const LINE = '#8b887d';
const BAR_STYLE = `.slice-base{fill:${LINE}}.slice-options{fill:#0b3d91}.slice-taxes,.slice-fees{fill:${SOFT}}.slice-destination,.bar-total{fill:${INK}}.slice-discounts,.taken{fill:#d9d6cc}`;

const EDGE = 64;
/** The sticker extends beyond the right and bottom edges of the card. */
const STICKER = { left: 600, top: EDGE, width: 1000 };
const TEXT_WIDTH = STICKER.left - EDGE - 48;

/** The logo, 28 units wide and 19 high. */
function drawLogo(x: number, y: number, scale: number): string {
  return `<path transform="translate(${x} ${y}) scale(${scale})" fill="none" stroke="${INK}" stroke-width="2" d="M1 1h26v17H1zM14 1v17M14 9.5h13M5 6h5"/>`;
}

const brand = () => `${drawLogo(EDGE, 66, 1.5)}
${drawText('Monroney', { x: EDGE + 58, y: 90, size: 30, weight: 'semibold', color: INK })}`;

/** The card's drawing. A worker renders it and adds the pictures of stickers. */
export function cardOf(content: CardContent): Card {
  return {
    svg: drawing(content.hasPicture ? withSticker(content) : withoutSticker(content)),
    stickers: content.hasPicture ? [STICKER] : [],
  };
}

function drawing(content: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_SIZE.width}" height="${PREVIEW_SIZE.height}">
<style>${BAR_STYLE}</style><rect width="100%" height="100%" fill="${PAPER}"/>
${brand()}${content}</svg>`;
}

/** One car of a comparison's card. */
interface ComparedCar {
  name: string;
  total: string | null;
  hasPicture: boolean;
  /** Instead of the picture: `No sticker`. */
  without: string;
  /** The drawing of its price bar, on a scale that all cars share. */
  bar: string | null;
}

const BAR_HEIGHT = 32;

/** A price bar of the pages at a place on the card. */
const drawBar = (bar: string | null, x: number, y: number, width: number): string =>
  bar?.replace('<svg', `<svg x="${x}" y="${y}" width="${width}" height="${BAR_HEIGHT}"`) ?? '';

/** The VIN in 17 cells, with lines between its groups as on the pages. */
function drawRuler(vin: string, x: number, y: number, cell: number): string {
  const height = Math.round(cell * 1.3);
  const rules = [3, 8, 9, 10, 11].map((position) => x + position * cell);
  return [
    `<rect x="${x}" y="${y}" width="${17 * cell}" height="${height}" fill="#fff" stroke="${INK}" stroke-width="2"/>`,
    ...rules.map((left) => `<path d="M${left} ${y}v${height}" stroke="${LINE}" stroke-width="2"/>`),
    drawText(vin, { x, y: y + Math.round(cell * 0.88), size: Math.round(cell * 0.63), color: INK, cell }),
  ].join('\n');
}

const COLUMN_GAP = 32;

/** The card of a comparison: the result, and below it the stickers, which extend beyond the bottom edge. */
export function comparisonCard(title: string, cars: readonly ComparedCar[]): Card {
  const width = (PREVIEW_SIZE.width - 2 * EDGE - (cars.length - 1) * COLUMN_GAP) / cars.length;
  const [lines, size] = headingLines(title, PREVIEW_SIZE.width - 2 * EDGE, 2);
  const belowTitle = 180 + (lines.length - 1) * lineHeight(size);
  const isBarred = cars.some(({ bar }) => bar !== null);
  const names = cars.map(({ name }) => carLines(name, width));
  // Names that don't fit on one line get a second one.
  const belowNames = belowTitle + Math.max(...names.map(([lines]) => (lines.length - 1) * 26));
  const top = belowNames + 132 + (isBarred ? BAR_HEIGHT + 16 : 0);
  const places = cars.map((_, index) => ({
    left: Math.round(EDGE + index * (width + COLUMN_GAP)),
    top,
    width: Math.round(width),
  }));
  const columns = cars.map(({ total, hasPicture, without, bar }, index) => {
    const x = places[index]!.left;
    const [car, carSize] = names[index]!;
    return [
      drawText(total ?? '', { x, y: belowTitle + 78, size: 34, weight: 'semibold', color: INK }),
      ...car.map((line, at) =>
        drawText(line, { x, y: belowTitle + 112 + at * 26, size: carSize, color: SOFT }),
      ),
      drawBar(bar, x, belowNames + 130, width),
      `<rect x="${x - 2}" y="${top - 2}" width="${width + 4}" height="700" fill="#fff" stroke="${LINE}" stroke-width="2"/>`,
      hasPicture
        ? ''
        : wrap(without, width - 48, 3, 28, 'regular')
            .map((line, at) => drawText(line, { x: x + 24, y: top + 64 + at * 36, size: 28, color: SOFT }))
            .join(''),
    ].join('\n');
  });
  const svg = drawing([...titleLines(lines, 180, size), ...columns].join('\n'));
  return { svg, stickers: places.filter((_, index) => cars[index]!.hasPicture) };
}

const lineHeight = (size: number): number => Math.round(size * 1.2);

/** A heading in so many lines, or in one more of smaller letters. */
function headingLines(text: string, width: number, lines: number): [lines: string[], size: number] {
  const large = wrap(text, width, lines, 50, 'semibold');
  return large.at(-1)?.endsWith('…') ? [wrap(text, width, lines + 1, 40, 'semibold'), 40] : [large, 50];
}

/** The name of a car above its sticker: a line, or two of smaller letters. */
function carLines(name: string, width: number): [lines: string[], size: number] {
  return textWidth(name, 26, 'regular') <= width ? [[name], 26] : [wrap(name, width, 2, 22, 'regular'), 22];
}

function titleLines(lines: readonly string[], top: number, size: number): string[] {
  return lines.map((line, index) =>
    drawText(line, { x: EDGE, y: top + index * lineHeight(size), size, weight: 'semibold', color: INK }),
  );
}

/** The name at the top; price, price bar and VIN at the bottom. */
function withSticker({ name, vin, total, bar }: CardContent): string {
  const [lines, size] = headingLines(name, TEXT_WIDTH, 3);
  const cell = 29;
  const shift = bar ? 0 : BAR_HEIGHT + 16;
  return [
    `<rect x="${STICKER.left - 2}" y="${STICKER.top - 2}" width="700" height="700" fill="#fff" stroke="${LINE}" stroke-width="2"/>`,
    ...titleLines(lines, 178, size),
    total
      ? drawText(total, { x: EDGE, y: 408 + shift, size: 68, weight: 'semibold', color: INK }) +
        drawText('Total price when new', { x: EDGE, y: 446 + shift, size: 26, color: SOFT })
      : drawText('The original window sticker', { x: EDGE, y: 446 + shift, size: 28, color: SOFT }),
    drawBar(bar, EDGE, 468, 17 * cell),
    drawRuler(vin, EDGE, 528, cell),
  ].join('\n');
}

function withoutSticker({ name, vin, facts }: CardContent): string {
  const width = PREVIEW_SIZE.width - 2 * EDGE;
  const lines = wrap(name, width, 2, 64, 'semibold');
  const [fact = ''] = wrap(facts, width, 1, 28, 'regular');
  return [
    ...lines.map((line, index) =>
      drawText(line, { x: EDGE, y: 216 + index * 74, size: 64, weight: 'semibold', color: INK }),
    ),
    drawText(fact, { x: EDGE, y: 216 + lines.length * 74 - 14, size: 28, color: SOFT }),
    drawRuler(vin, EDGE, 430, 63),
    drawText('What the VIN says', { x: EDGE, y: PREVIEW_SIZE.height - 52, size: 26, color: SOFT }),
  ].join('\n');
}

const BADGE_PADDING = 8;
const LOGO_WIDTH = 20;
const BADGE_FONT = { size: 13, weight: 'semibold' } as const;

/** A flat badge. Its letters are outlines, so that it looks the same whatever fonts are installed. */
export function drawBadge(text: string): string {
  const start = BADGE_PADDING + LOGO_WIDTH + 6;
  const width = Math.ceil(start + textWidth(text, BADGE_FONT.size, BADGE_FONT.weight) + BADGE_PADDING);
  const name = escapeMarkup(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${BADGE_HEIGHT}" role="img" aria-label="${name}"><title>${name}</title>
<rect x=".5" y=".5" width="${width - 1}" height="${BADGE_HEIGHT - 1}" rx="3" fill="${PAPER}" stroke="${LINE}"/>
${drawLogo(BADGE_PADDING, 7, LOGO_WIDTH / 28)}
${drawText(text, { x: start, y: 18.5, color: INK, ...BADGE_FONT })}</svg>
`;
}

/** Nothing: as narrow as a picture can be, because browsers give one without a size a lot of room. */
export const EMPTY_DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="${BADGE_HEIGHT}"/>\n`;

/** The proportions of a label's page. */
const SHEET = { width: 1224, height: 792 };

/** In place of a label's picture: an empty sheet that says this. */
export function drawSheet(text: string, width: number): string {
  const { width: w, height: h } = SHEET;
  const size = 64;
  const x = (w - textWidth(text, size, 'semibold')) / 2;
  const name = escapeMarkup(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${Math.round((width * h) / w)}" viewBox="0 0 ${w} ${h}" role="img" aria-label="${name}"><title>${name}</title>
<rect x="3" y="3" width="${w - 6}" height="${h - 6}" fill="${PAPER}" stroke="${LINE}" stroke-width="6"/>
${drawLogo(w / 2 - 70, h / 2 - 150, 5)}
${drawText(text, { x, y: h / 2 + 90, size, weight: 'semibold', color: INK })}</svg>
`;
}

/** The outlines of Inter (license: OFL.txt) in one weight. Drawn text looks the same whatever fonts are installed. */
interface Face {
  unitsPerEm: number;
  /** Width and path of each character. */
  letters: Record<string, [number, string]>;
}
type Weight = 'regular' | 'semibold';

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

export function textWidth(text: string, size: number, weight: Weight): number {
  const { letters, unitsPerEm } = face(weight);
  const units = [...text].reduce((sum, letter) => sum + (letters[letter]?.[0] ?? 0), 0);
  return (units * size) / unitsPerEm;
}

interface TextPlacement {
  x: number;
  /** The baseline. */
  y: number;
  size: number;
  weight?: Weight;
  color: string;
  /** Centers each character in a cell of this width. */
  cell?: number;
}

/** Text as SVG paths. */
function drawText(text: string, { x, y, size, weight = 'regular', color, cell }: TextPlacement): string {
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
function wrap(text: string, width: number, maxLines: number, size: number, weight: Weight): string[] {
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
