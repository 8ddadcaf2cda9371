import { html } from 'hono/html';
import type { LookupResult } from '../lookup/finding.ts';
import type { Reading } from '../reading/types.ts';
import { facts } from './car-words.ts';
import type { Html } from './layout.ts';

/** A sticker whose prices we can't read, with the facts from the VIN beside it. */
export function unreadSticker(figure: Html, { decoded }: LookupResult, reading: Reading): Html {
  const rows = decoded.vehicle ? facts(decoded.vehicle, null) : [];
  return html`<div class="sheet-and-facts">
    ${figure}
    <div class="sheet-facts">
      ${
        rows.length
          ? html`<div>
              <h2>From the VIN</h2>
              <dl class="fact-list">
                ${rows.map(
                  ([name, words]) =>
                    html`<div>
                      <dt>${name}</dt>
                      <dd>${words}</dd>
                    </div>`,
                )}
              </dl>
            </div>`
          : ''
      }
      <div class="text">
        <h2>What it says</h2>
        <p>${whatItSays(reading)}</p>
        <p><a href="/docs/how-to-read-a-sticker">How to read a window sticker</a></p>
      </div>
    </div>
  </div>`;
}

function whatItSays({ reason }: Reading): string {
  switch (reason) {
    case 'several-vehicles':
      return 'This PDF contains the stickers of several cars. Open it to find this one by its VIN.';
    case 'timeout':
      return 'We’re still reading the sticker. Reload this page in a moment.';
    case 'broken':
    case 'encrypted':
    case 'memory':
      return 'The prices, options, equipment and ratings are in the original PDF.';
    default:
      return 'The prices, options, equipment and ratings are on the sticker. Select it to zoom in, then scroll or drag to move around.';
  }
}
