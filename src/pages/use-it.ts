import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** The same for programs and assistants, each line one copy away. */
export function useIt(baseUrl: string, vin: string, held: boolean): Html {
  const json = `${baseUrl}/api/v1/vin/${vin}${held ? '/label' : ''}`;
  const rows: [string, string][] = [
    ['As JSON', json],
    ['With curl', held ? `curl -OJ ${baseUrl}/api/sticker/${vin}` : `curl ${json}`],
    ['For an assistant', `${baseUrl}/mcp`],
  ];
  return html`<section>
    <h2>Use it</h2>
    <dl class="use box">
      ${rows.map(
        ([name, words]) =>
          html`<div>
            <dt>${name}</dt>
            <dd><code>${words}</code></dd>
            <dd>
              <button type="button" class="plain small" data-copy="${words}" hidden>
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
