import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Plain words for colours, each with the tone most people would call by that name. */
const PLAIN: Record<string, string> = {
  black: '#17181a',
  white: '#f4f4f1',
  silver: '#b9bdc1',
  gray: '#6d7175',
  grey: '#6d7175',
  red: '#a1181d',
  blue: '#1f4e8c',
  green: '#2c5a3c',
  yellow: '#e3b81c',
  orange: '#d2601a',
  brown: '#5a3d2b',
  beige: '#cdbf9f',
  purple: '#563a6e',
  gold: '#b08d45',
};

/** The one plain colour word of a paint's name; null when there is none, or more than one. */
export function plainColor(name: string): string | null {
  const words = new Set(
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word in PLAIN),
  );
  return words.size === 1 ? [...words][0]! : null;
}

/** A small square of that colour. The exact shade is not on the label, and the title says so. */
export function swatch(name: string): Html | string {
  const color = plainColor(name);
  if (!color) return '';
  return html`<svg
    class="swatch"
    viewBox="0 0 16 16"
    width="16"
    height="16"
    role="img"
    aria-label="roughly ${color}"
  >
    <title>Roughly ${color}; the sticker doesn’t show the exact shade.</title>
    <rect x="0.5" y="0.5" width="15" height="15" fill="${PLAIN[color]!}" stroke="#8b887d" />
  </svg>`;
}
