import { raw } from 'hono/html';
import type { Html } from './layout.ts';

/** JSON for a script element, escaped so that it can't close the element or open another. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** schema.org data for search engines and assistants. */
export function jsonLd(value: unknown): Html {
  return raw(`<script type="application/ld+json">${scriptJson(value)}</script>`);
}
