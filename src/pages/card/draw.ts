import type { Card } from '../../pdf/child-messages.ts';
import { drawText, wrap } from './letters.ts';

/** The size that messengers and social sites show uncropped. */
export const PREVIEW_SIZE = { width: 1200, height: 630 };

/** What a link preview says about a car. */
export interface CardContent {
  name: string;
  vin: string;
  /** `$64,725`, if the sticker was read. */
  total: string | null;
  /** A line of facts from the VIN, for a card without a sticker. */
  facts: string;
  /** Whether the card shows a picture of the sticker. */
  hasPicture: boolean;
}

// The light colors of the pages.
const PAPER = '#fbfaf7';
const INK = '#171612';
const SOFT = '#504e47';
const LINE = '#8b887d';

const EDGE = 64;
/** The sticker extends beyond the right and bottom edges of the card. */
const STICKER = { left: 600, top: EDGE, width: 1000 };
const TEXT_WIDTH = STICKER.left - EDGE - 48;

const logo =
  () => `<g transform="translate(${EDGE} 66) scale(1.5)" fill="none" stroke="${INK}" stroke-width="2"><path d="M1 1h26v17H1zM14 1v17M14 9.5h13M5 6h5"/></g>
${drawText('Monroney', { x: EDGE + 58, y: 90, size: 30, weight: 'semibold', color: INK })}`;

/** The card's drawing. A worker renders it and adds the picture of the sticker. */
export function cardOf(content: CardContent): Card {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_SIZE.width}" height="${PREVIEW_SIZE.height}">
<rect width="100%" height="100%" fill="${PAPER}"/>
${logo()}${content.hasPicture ? withSticker(content) : withoutSticker(content)}</svg>`;
  return { svg, sticker: STICKER };
}

function withSticker({ name, vin, total }: CardContent): string {
  const lines = wrap(name, TEXT_WIDTH, 4, 50, 'semibold');
  const belowName = 190 + lines.length * 60;
  return [
    `<rect x="${STICKER.left - 2}" y="${STICKER.top - 2}" width="700" height="700" fill="#fff" stroke="${LINE}" stroke-width="2"/>`,
    ...lines.map((line, index) =>
      drawText(line, { x: EDGE, y: 190 + index * 60, size: 50, weight: 'semibold', color: INK }),
    ),
    total
      ? drawText(total, { x: EDGE, y: belowName + 42, size: 68, weight: 'semibold', color: INK }) +
        drawText('Total price when new', { x: EDGE, y: belowName + 84, size: 26, color: SOFT })
      : drawText('The original window sticker', { x: EDGE, y: belowName, size: 28, color: SOFT }),
    drawText(vin, { x: EDGE, y: PREVIEW_SIZE.height - EDGE, size: 26, color: SOFT, cell: 27 }),
  ].join('\n');
}

/** Shows the VIN in 17 cells, with lines between its groups as on the pages. */
function withoutSticker({ name, vin, facts }: CardContent): string {
  const width = PREVIEW_SIZE.width - 2 * EDGE;
  const cell = 63;
  const top = 430;
  const lines = wrap(name, width, 2, 64, 'semibold');
  const [fact = ''] = wrap(facts, width, 1, 28, 'regular');
  const rules = [3, 8, 9, 10, 11].map((position) => EDGE + position * cell);
  return [
    ...lines.map((line, index) =>
      drawText(line, { x: EDGE, y: 216 + index * 74, size: 64, weight: 'semibold', color: INK }),
    ),
    drawText(fact, { x: EDGE, y: 216 + lines.length * 74 - 14, size: 28, color: SOFT }),
    `<rect x="${EDGE}" y="${top}" width="${17 * cell}" height="84" fill="#fff" stroke="${INK}" stroke-width="2"/>`,
    ...rules.map((x) => `<path d="M${x} ${top}v84" stroke="${LINE}" stroke-width="2"/>`),
    drawText(vin, { x: EDGE, y: top + 56, size: 40, color: INK, cell }),
    drawText('What the VIN says', { x: EDGE, y: PREVIEW_SIZE.height - 52, size: 26, color: SOFT }),
  ].join('\n');
}
