import { readFileSync } from 'node:fs';
import type { ReadResourceResult } from '@modelcontextprotocol/server';

/** The extension by which assistants show a tool's answer as a small page (MCP Apps). */
export const UI_EXTENSION = 'io.modelcontextprotocol/ui';

/** A page without scripts, styles or fonts from elsewhere. Assistants that cannot show it use the answer as it is. */
export const CARD = 'ui://monroney/window-sticker.html';

const html = readFileSync(new URL('card.html', import.meta.url), 'utf8');

/** The card; the one thing it loads is the picture of a sticker, from us. */
export function readCard(baseUrl: string): ReadResourceResult {
  const ui = { csp: { resourceDomains: [new URL(baseUrl).origin] }, prefersBorder: true };
  return {
    contents: [{ uri: CARD, mimeType: 'text/html;profile=mcp-app', text: html, _meta: { ui } }],
    ttlMs: 3_600_000,
    cacheScope: 'public',
  };
}
