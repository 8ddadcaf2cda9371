import { escapeMarkup } from '../../lib/markup.ts';
import { BADGE_HEIGHT } from '../embed-markup.ts';
import { drawLogo, drawText, INK, LINE, PAPER, textWidth } from './draw.ts';

const PADDING = 8;
const LOGO_WIDTH = 20;
const FONT = { size: 13, weight: 'semibold' } as const;

/** A flat badge. Its letters are outlines, so that it looks the same whatever fonts are installed. */
export function drawBadge(text: string): string {
  const start = PADDING + LOGO_WIDTH + 6;
  const width = Math.ceil(start + textWidth(text, FONT.size, FONT.weight) + PADDING);
  const name = escapeMarkup(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${BADGE_HEIGHT}" role="img" aria-label="${name}"><title>${name}</title>
<rect x=".5" y=".5" width="${width - 1}" height="${BADGE_HEIGHT - 1}" rx="3" fill="${PAPER}" stroke="${LINE}"/>
${drawLogo(PADDING, 7, LOGO_WIDTH / 28)}
${drawText(text, { x: start, y: 18.5, color: INK, ...FONT })}</svg>
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
