import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allLabels } from '../../store/all-labels.ts';
import type { HeldLabel } from '../../store/store.ts';
import { fileErrorText, writeOut } from '../output.ts';
import { linesOf, standardInputLines, vinInputs, type VinInput } from '../input.ts';
import { usageError, print, table, type AdminCommand, type AdminContext } from './command.ts';
import { PREVIEW_WIDTHS } from '../../pdf/pdf-workers.ts';

/** Which labels a command is about, and `admin labels`. */

interface Filter {
  make?: string | undefined;
  source?: string | undefined;
  /** In milliseconds. */
  since?: number | undefined;
}

/** Stored labels of a make, of a source, or fetched since a time; ordered by VIN, a page in memory at a time. */
export async function* labelsOf(
  { store }: Pick<AdminContext, 'store'>,
  { make, source, since = 0 }: Filter,
): AsyncGenerator<HeldLabel> {
  for await (const label of allLabels(store)) {
    if (make !== undefined && label.make.toUpperCase() !== make.toUpperCase()) continue;
    if (source !== undefined && label.source !== source) continue;
    if (label.fetched >= since) yield label;
  }
}

/** VINs from the arguments, in which `-` stands for standard input, and from a file; without duplicates. A string is what went wrong. */
export async function vinsFrom(args: string[], file: string | undefined): Promise<VinInput[] | string> {
  const lines = args.filter((arg) => arg !== '-');
  if (args.includes('-')) lines.push(...(await standardInputLines()));
  if (file !== undefined)
    try {
      lines.push(...(await linesOf(createReadStream(file, 'utf8'))));
    } catch (error) {
      return `${file}: ${fileErrorText(error)}`;
    }
  return vinInputs(lines);
}

const USAGE =
  'Usage: admin labels [--make KIA] [--source kia] [--since 2026-11-01], or admin labels --totals.';

/** `admin labels`: the stored labels as JSON Lines, or with `--totals` their number and size. */
export const labels: AdminCommand = async (args, admin) => {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      make: { type: 'string' },
      source: { type: 'string' },
      since: { type: 'string' },
      totals: { type: 'boolean', default: false },
    },
  });
  const { totals, since: day, ...filter } = values;
  const isFiltered = day !== undefined || Object.keys(filter).length > 0;
  if (positionals.length > 0 || (totals && isFiltered)) return usageError(USAGE);
  if (totals) return printTotals(admin);
  const since = day === undefined ? 0 : Date.parse(day);
  if (Number.isNaN(since)) return usageError(`--since takes a date like 2026-11-01, got "${day}".`);
  for await (const label of labelsOf(admin, { ...filter, since }))
    if (!(await writeOut(`${JSON.stringify(lineOf(label))}\n`))) break;
  return 0;
};

const lineOf = ({ vin, make, source, host, fetched, bytes, sha256, reader, damaged }: HeldLabel) => ({
  vin,
  make,
  source,
  host,
  fetched: new Date(fetched).toISOString(),
  bytes,
  sha256,
  reader,
  ...(damaged ? { damaged } : {}),
});

async function printTotals(admin: AdminContext): Promise<number> {
  const { labels: all, bytes, byMake } = await admin.store.counts();
  const makes = Object.entries(byMake).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  print(table([['make', 'labels'], ...makes, ['all', all]]));
  print(`\n${megabytes(bytes)} of PDFs${databaseSize(admin)}`);
  return 0;
}

function databaseSize({ store, config }: AdminContext): string {
  if (store.kind !== 'embedded') return '';
  const sizes = ['labels.sqlite', 'cache.sqlite'].flatMap((name) =>
    ['', '-wal'].map((suffix) => {
      const file = join(config.dataDir, name + suffix);
      return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    }),
  );
  return `, ${megabytes(sizes.reduce((sum, size) => sum + size, 0))} of databases`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

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
