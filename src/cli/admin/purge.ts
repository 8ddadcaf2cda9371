import { PREVIEW_WIDTHS } from '../../pdf/pdf-workers.ts';
import { print, type AdminContext } from './command.ts';

/** What caches in front of the service may still have. */

/** Query strings that our own pages and documents use. */
const WIDTHS = PREVIEW_WIDTHS.map((width) => `?width=${width}`);
const QUERIES: Record<string, readonly string[]> = {
  '/api/sticker/{vin}': ['?download=1'],
  '/api/sticker/{vin}/preview': WIDTHS,
  '/window-sticker/{vin}/picture': WIDTHS,
  '/api/v1/vin/{vin}': ['?sticker=true', '?sticker=false'],
};

/** The paths of everything that is about a VIN. */
async function pathsOf(vin: string): Promise<string[]> {
  const { PAGE_TEMPLATES } = await import('../../pages/index.ts');
  const { TEMPLATES } = await import('../../http/routes.ts');
  return [...TEMPLATES, ...PAGE_TEMPLATES]
    .filter((template) => template.includes('{vin}') && !template.startsWith('/vpic/'))
    .flatMap((template) =>
      ['', ...(QUERIES[template] ?? [])].map((query) => template.replace('{vin}', vin) + query),
    );
}

/** Prints the URLs to purge: of one VIN, or with `{vin}` for several, whose URLs would be a flood. */
export async function printPurge(vin: string | null, { config }: AdminContext): Promise<void> {
  print(
    'Browsers, CDNs and proxies may keep the PDF and its picture for a year, and the rest for a day. Purge ' +
      `${vin === null ? 'all of your cache, or these URLs for each VIN above' : 'these URLs'}, ` +
      'also with other query strings (?contact=…), and the pages of /compare that name the VIN:',
  );
  for (const path of await pathsOf(vin ?? '{vin}')) print(`  ${config.baseUrl}${path}`);
}
