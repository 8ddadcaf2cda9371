import { readFileSync } from 'node:fs';
import type { ReadResourceResult } from '@modelcontextprotocol/server';

/** The extension with which assistants show a tool's result as a small page (MCP Apps). */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';

/** A page without external scripts, styles or fonts. Assistants that can't show it use the result itself. */
export const CARD_URI = 'ui://monroney/window-sticker.html';

const html = readFileSync(new URL('card.html', import.meta.url), 'utf8');

/** The card. It loads nothing but the picture of a sticker, from our own origin. */
export function readCard(baseUrl: string): ReadResourceResult {
  const ui = { csp: { resourceDomains: [new URL(baseUrl).origin] }, prefersBorder: true };
  return {
    contents: [{ uri: CARD_URI, mimeType: 'text/html;profile=mcp-app', text: html, _meta: { ui } }],
    ttlMs: 3_600_000,
    cacheScope: 'public',
  };
}
