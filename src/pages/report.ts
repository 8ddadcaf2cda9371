import { html } from 'hono/html';
import type { LookupResult } from '../lookup/finding.ts';
import type { Reading } from '../reading/types.ts';
import type { Html } from './layout.ts';
import type { PageParts } from './parts.ts';

/** The section where readers report a mistake, with a prefilled report. */
export function reportSection(
  { baseUrl, reportTo }: PageParts,
  { vin }: LookupResult,
  { reader }: Reading,
): Html {
  const text = [
    `VIN: ${vin}`,
    `Page: ${baseUrl}/window-sticker/${vin}`,
    `Reader: ${reader}`,
    'Which line is wrong:',
    'What the sticker says:',
    'What the page says:',
  ].join('\n');
  const mail = `mailto:${reportTo}?subject=${encodeURIComponent(`Wrong reading of ${vin}`)}&body=${encodeURIComponent(text)}`;
  return html`<section class="text report">
    <h2>Did we misread something?</h2>
    <p>
      Tell us which line is wrong and what the sticker says.
      ${reportTo ? html`We’ve prefilled the e-mail for you.` : html`<a href="/docs/support">Where to send it</a>.`}
    </p>
    <p class="actions">
      ${reportTo ? html`<a href="${mail}">Report by e-mail</a>` : ''}
      <button type="button" class="plain" data-copy="${text}" hidden>Copy a prefilled report</button>
    </p>
  </section>`;
}
