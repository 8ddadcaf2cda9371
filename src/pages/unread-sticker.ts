import { html } from 'hono/html';
import type { LookupResult } from '../lookup/finding.ts';
import type { Reading } from '../reading/types.ts';
import { facts } from './car-words.ts';
import type { Html } from './layout.ts';

/** A sticker without a table of its prices: the sheet, and beside it what the VIN says and how to read the rest. */
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
      return 'This file holds the stickers of several vehicles. Open the PDF to find this one by its VIN.';
    case 'timeout':
      return 'We’re still reading the sticker. Reload this page in a moment.';
    case 'broken':
    case 'encrypted':
    case 'memory':
      return 'The original PDF has all of it: equipment, prices and ratings.';
    default:
      return 'The prices, options, equipment and ratings are on the sticker. Select it to zoom in, then scroll or drag to move around.';
  }
}
