import { html } from 'hono/html';
import type { Html } from '../layout.ts';
import { PREVIEW_SIZE } from './draw.ts';

/** The meta tags that announce a page's link preview. */
export function cardTags(baseUrl: string, vin: string, alt: string): Html {
  return html`<meta property="og:image" content="${baseUrl}/window-sticker/${vin}/preview.png" />
    <meta property="og:image:type" content="image/png" />
    <meta property="og:image:width" content="${PREVIEW_SIZE.width}" />
    <meta property="og:image:height" content="${PREVIEW_SIZE.height}" />
    <meta property="og:image:alt" content="${alt}" />
    <meta name="twitter:card" content="summary_large_image" />`;
}
