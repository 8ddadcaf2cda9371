import type { Specimen } from '../../lookup/specimens/index.ts';
import { table, type DocPage } from './page.ts';

const RESPONSES: Record<Specimen['state'], string> = {
  held: 'sticker, `available: true`',
  none: 'no sticker, `available: false`; PDF 404 `no-label`',
  off: 'source off, `available: null` and `note`; PDF 404 `source-off`',
  failed: 'source failed, `available: null` and `warning`; PDF 503 `source-failed`',
  'no-source': '`supported: false`; PDF 404 `make-not-supported`',
};

export function specimensPage(specimens: readonly Specimen[]): DocPage {
  return {
    path: '/docs/specimens',
    title: 'Test VINs',
    description:
      'VINs that always get the same response, on every instance, without contacting a manufacturer.',
    markdown: () =>
      [
        '# Test VINs',
        'These VINs work like test credit cards: they always get the same response, on every instance, without contacting a manufacturer. Use them to test every outcome. They decode correctly, but no factory uses the serial number `000000`. We drew the stickers ourselves; they are marked SPECIMEN, and `warning` says so.',
        table(
          ['VIN', 'Make', 'Shows', 'Response', 'Paint'],
          specimens.map(({ vin, make, shows, state, paint }) => [
            `[\`${vin}\`](/window-sticker/${vin})`,
            make || null,
            shows,
            RESPONSES[state],
            paint ? `${paint.color}${paint.code ? ` (${paint.code})` : ''}` : null,
          ]),
        ),
        'Test VINs count toward the [limit](/docs/limits) like any other VIN.',
      ].join('\n\n'),
  };
}
