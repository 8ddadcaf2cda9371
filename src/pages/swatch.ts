import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Basic color words, each with a typical shade. */
const BASIC_COLORS: Record<string, string> = {
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

/** The basic color in a paint's name; null if there is none, or more than one. */
export function basicColor(name: string): string | null {
  const words = new Set(
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word in BASIC_COLORS),
  );
  return words.size === 1 ? [...words][0]! : null;
}

/** A small square of that color. The label doesn't give the exact shade, and the title says so. */
export function swatch(name: string): Html | string {
  const color = basicColor(name);
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
    <rect x="0.5" y="0.5" width="15" height="15" fill="${BASIC_COLORS[color]!}" stroke="#8b887d" />
  </svg>`;
}
