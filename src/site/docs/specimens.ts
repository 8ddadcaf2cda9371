import type { Specimen } from '../../lookup/specimens/index.ts';
import { table, type DocPage } from './page.ts';

const OUTCOMES: Record<Specimen['state'], string> = {
  held: 'label, `available: true`',
  none: 'no label, `available: false`; PDF 404 `no-label`',
  off: 'source off, `available: null` and `note`; PDF 404 `source-off`',
  failed: 'source failed, `available: null` and `warning`; PDF 503 `source-failed`',
  'no-source': '`supported: false`; PDF 404 `make-not-supported`',
};

/** Like a payment provider's test cards. */
export function specimensPage(specimens: readonly Specimen[]): DocPage {
  return {
    path: '/docs/specimens',
    title: 'Test VINs',
    says: 'VINs that always answer the same, on every instance, without asking anyone.',
    markdown: () =>
      [
        '# Test VINs',
        'Like a payment provider’s test cards: these VINs always answer the same, on every instance, without asking anyone, so that you can write tests for every outcome. Each decodes truthfully, and its serial number `000000` is issued by no factory. The labels were drawn by us, are marked SPECIMEN and say so in `warning`.',
        table(
          ['VIN', 'Make', 'Shows', 'Answer', 'Paint'],
          specimens.map(({ vin, make, shows, state, paint }) => [
            `[\`${vin}\`](/window-sticker/${vin})`,
            make || null,
            shows,
            OUTCOMES[state],
            paint ? `${paint.color}${paint.code ? ` (${paint.code})` : ''}` : null,
          ]),
        ),
        'They are counted by the [limit](/docs/limits) like any other VIN.',
      ].join('\n\n'),
  };
}
