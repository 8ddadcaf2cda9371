import { html } from 'hono/html';
import type { Html } from '../layout.ts';
import { PREVIEW } from './draw.ts';

/** What a page's head says of its card. */
export function cardTags(baseUrl: string, vin: string, alt: string): Html {
  return html`<meta property="og:image" content="${baseUrl}/window-sticker/${vin}/preview.png" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="${PREVIEW.width}" />
    <meta property="og:image:height" content="${PREVIEW.height}" />
    <meta property="og:image:alt" content="${alt}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}
