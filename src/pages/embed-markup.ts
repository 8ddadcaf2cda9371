import { escapeMarkup } from '../lib/markup.ts';

/** What other sites copy to show a car's sticker. Runs in browsers too. */

/** The size of the card: enough for a long name. Sites may choose another. */
export const CARD = { width: 420, height: 160 };
export const BADGE_HEIGHT = 28;

interface Shown {
  baseUrl: string;
  vin: string;
  /** `Window sticker of the 2026 Ford Explorer` */
  title: string;
}

export function cardMarkup({ baseUrl, vin, title }: Shown): string {
  return `<iframe src="${baseUrl}/embed/${vin}" title="${escapeMarkup(title)}" width="${CARD.width}" height="${CARD.height}" style="border:0;max-width:100%;color-scheme:light" loading="lazy"></iframe>`;
}

export function badgeMarkup({ baseUrl, vin, title }: Shown): string {
  return `<a href="${baseUrl}/window-sticker/${vin}"><img src="${baseUrl}/badge/${vin}.svg" alt="${escapeMarkup(title)}" height="${BADGE_HEIGHT}" loading="lazy"></a>`;
}

export function badgeMarkdown({ baseUrl, vin, title }: Shown): string {
  const text = title.replace(/[\\[\]<>&*_`]/g, '\\$&');
  return `[![${text}](${baseUrl}/badge/${vin}.svg)](${baseUrl}/window-sticker/${vin})`;
}
