import { html } from 'hono/html';
import type { LookupResult } from '../lookup/finding.ts';
import type { Reading } from '../reading/types.ts';
import type { Html } from './layout.ts';
import type { PageContext } from './page-context.ts';

/** The section where readers report a mistake, with a prefilled report. */
export function reportSection(
  { baseUrl, reportTo }: PageContext,
  { vin }: LookupResult,
  { reader, label }: Reading,
): Html {
  const text = [
    `VIN: ${vin}`,
    `Page: ${baseUrl}/window-sticker/${vin}`,
    `Reader: ${reader}`,
    ...(label
      ? ['Which line is wrong:', 'What the sticker says:', 'What the page says:']
      : ['What is wrong:']),
  ].join('\n');
  const mail = `mailto:${reportTo}?subject=${encodeURIComponent(`${label ? 'Wrong reading of' : 'Wrong sticker for'} ${vin}`)}&body=${encodeURIComponent(text)}`;
  return html`<section class="text report">
    <h2>${label ? 'Did we misread something?' : 'Something wrong with this sticker?'}</h2>
    <p>
      ${label ? 'Tell us which line is wrong and what the sticker says.' : 'Tell us if it belongs to another car, or if something from the VIN is wrong.'}
      ${reportTo ? html`We’ve prefilled the e-mail for you.` : html`<a href="/docs/support">Where to send it</a>.`}
    </p>
    <p class="actions">
      ${reportTo ? html`<a href="${mail}">Report by e-mail</a>` : ''}
      <button type="button" class="plain" data-copy="${text}" hidden>Copy a prefilled report</button>
    </p>
  </section>`;
}
