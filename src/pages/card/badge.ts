import { escapeMarkup } from '../../lib/markup.ts';
import { drawLogo, drawText, INK, LINE, PAPER, textWidth } from './draw.ts';

export const BADGE_HEIGHT = 28;
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
