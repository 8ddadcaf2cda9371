import { raw } from 'hono/html';
import type { Html } from './layout.ts';

/** Data for a script element: JSON in which nothing can end the element or begin another. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** schema.org, for search engines and assistants. Data, never run. */
export function jsonLd(value: unknown): Html {
  return raw(`<script type="application/ld+json">${scriptJson(value)}</script>`);
}
