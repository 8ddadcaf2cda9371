import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** How to get the same data from a program or an assistant, with a copy button for each line. */
export function useThisData(baseUrl: string, vin: string, hasSticker: boolean): Html {
  const json = `${baseUrl}/api/v1/vin/${vin}${hasSticker ? '/label' : ''}`;
  const rows: [string, string][] = [
    ['As JSON', json],
    [
      hasSticker ? 'PDF with curl' : 'With curl',
      hasSticker ? `curl -OJ ${baseUrl}/api/sticker/${vin}` : `curl ${json}`,
    ],
    ['For AI assistants', `${baseUrl}/mcp`],
  ];
  return html`<section>
    <h2>Use this data</h2>
    <dl class="use box">
      ${rows.map(
        ([name, text]) =>
          html`<div>
            <dt>${name}</dt>
            <dd><code>${text}</code></dd>
            <dd>
              <button type="button" class="plain small" data-copy="${text}" hidden>
                Copy<span class="visually-hidden"> ${name}</span>
              </button>
            </dd>
          </div>`,
      )}
      <div>
        <dt>Side by side</dt>
        <dd><a href="/compare?vins=${vin}">Compare with another VIN</a></dd>
      </div>
    </dl>
  </section>`;
}
