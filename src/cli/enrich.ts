import { isVin, loadVpic } from '@monroney/vin';
import type { LabelResponse } from '@monroney/client';
import { interruptible } from './batch.ts';
import { failureOf, LOOKUP_OPTIONS, openClient, type LookupClient } from './client.ts';
import { EXIT, parseArguments, usageError } from './command-line.ts';
import { openDecodePool } from './decode-pool.ts';
import { labelFile, outputPathError, saveLabel } from './get.ts';
import { fail } from './output.ts';
import { createJob, type Lookups, type Plan } from './tables/job.ts';
import type { ColumnType } from './tables/parquet.ts';
import { chunkSizeOf, planOf, requestOf, TABLE_OPTIONS } from './tables/plan.ts';
import { runTable, ServiceGone, type TableCommand, type Work } from './tables/run.ts';
import type { Counts } from './tables/output.ts';

const USAGE = `Adds the decoded vehicle, and what its window sticker says, to each row of a table.

  monroney enrich FILE|-

  monroney enrich inventory.csv -o out.csv                              the vehicle, offline
  monroney enrich inventory.csv -o out.csv --url URL --stickers DIR     also prices, paint and the PDFs, from a service
  monroney enrich inventory.csv -o out.parquet --local                  the same without a service
  monroney enrich - < inventory.jsonl > out.jsonl                       from standard input

  -o, --output FILE    where to write; the name gives the format (.csv, .tsv, .jsonl, .parquet, .csv.gz, .jsonl.gz)
  --format FORMAT      csv, jsonl or parquet, whatever the name of the file
  --vin-column NAME    the column with the VINs, if it isn't called VIN
  --url URL            look up the window stickers at this service
  --local              look them up here, with the store in DATA_DIR, which is created if there is none
  --stickers DIR       save the PDFs in this folder; files that exist are not requested again
  --contact WHO        a domain or e-mail address, to hear about breaking changes in advance
  --wait SECONDS       time limit per lookup, including waits and retries (default: 60)
  --fields A,B         only these of the vehicle: year, make, model, … or elements of vPIC, such as GVWR
  --wide               every element of vPIC, one column each
  --model-year N       the model year, for VINs that may mean two
  --now YYYY-MM-DD     decode as of this day instead of today
  --jobs N             threads to use (default: one per core), or lookups at a time (default: 4)

All rows and columns are kept, in order; new columns begin with vin_ and replace columns of the same name. Prices are in
dollars. vin_sticker is available, sample, none, unsupported (the make publishes none) or unknown, and vin_reason says
why. Without --url or --local nothing is looked up.

The output gets its name when it is complete. Until then it is FILE.part; after Ctrl-C, or an error, the same command
continues where it stopped. The exit code is 0 when every row was handled, whatever was found, 1 when the input can't
be read or the output can't be written, and 3 when the service can't be reached.
`;

const LOOKUPS = 4;
/** A Parquet file gets its rows in groups. */
const PARQUET_ROWS = 1_000;

const DOLLARS = ['total', 'base', 'options', 'destination'] as const;
const STICKER_FIELDS = [
  'sticker',
  'reason',
  ...DOLLARS,
  'currency',
  'paint',
  'paint_code',
  'interior',
  'option_names',
  'pdf',
] as const;

type StickerCells = Record<(typeof STICKER_FIELDS)[number], string | number | null>;

const { url, local, contact, wait } = LOOKUP_OPTIONS;
export const options = { ...TABLE_OPTIONS, url, local, contact, wait, stickers: { type: 'string' } } as const;
export const takesFiles = true;

export async function run(args: string[]): Promise<number> {
  const parsed = parseArguments(args, options, USAGE, 1);
  if (typeof parsed === 'number') return parsed;
  const { values, positionals } = parsed;
  const [file] = positionals;
  if (file === undefined) return usageError('No file given. Use - for standard input.', USAGE);
  const request = requestOf(values, { isTable: true });
  if (typeof request === 'string') return usageError(request, USAGE);
  const looksUp = values.url !== undefined || values.local === true;
  if (values.stickers !== undefined && !looksUp)
    return usageError('--stickers needs --url or --local.', USAGE);
  const folderError = values.stickers === undefined ? null : outputPathError({ out: values.stickers });
  if (folderError) return fail(folderError, EXIT.missing);
  const client = looksUp
    ? await openClient(values, { hasFiles: true, lookups: request.jobs ?? LOOKUPS })
    : null;
  if (typeof client === 'string') return usageError(client, USAGE);
  const names = ['vin', ...request.decode.fields, 'error', ...(client ? STICKER_FIELDS : [])].map(prefixed);
  const types = Object.fromEntries(DOLLARS.map((name): [string, ColumnType] => [prefixed(name), 'DOUBLE']));
  const size = chunkSizeOf(request);
  const commandOf = (signal: AbortSignal): TableCommand => ({
    input: file,
    output: request.output,
    otherwise: 'csv',
    size: client ? { ...size, rows: request.written?.format === 'parquet' ? PARQUET_ROWS : 1 } : size,
    options: JSON.stringify(['enrich', file, request, looksUp, values.stickers]),
    planOf: (input) => planOf(input, request, { names, types, keepsInput: true }),
    workOf: (plan) =>
      client
        ? lookups(plan, client, request.jobs ?? LOOKUPS, values.stickers, signal)
        : openDecodePool(plan, request.jobs),
    namesProblems: true,
  });
  try {
    return await interruptible(async (signal) => {
      const { exit, counts } = await runTable(commandOf(signal), signal);
      if (exit === EXIT.done) process.stderr.write(summary(counts, client !== null));
      return exit;
    });
  } finally {
    await client?.close();
  }
}

const prefixed = (name: string): string => `vin_${name}`;

/** Looks up each row's VIN, several rows at a time. */
function lookups(
  plan: Plan,
  client: LookupClient,
  concurrency: number,
  folder: string | undefined,
  signal: AbortSignal,
): Work {
  const job = createJob(plan, loadVpic());
  const lookUp: Lookups['lookUp'] = async (vin) => {
    const cells = await stickerCells(vin, client, folder, signal);
    return { cells: STICKER_FIELDS.map((name) => cells[name]), state: `sticker ${cells.sticker}` };
  };
  // Rows are chunks of their own, or in groups.
  const isGrouped = plan.output.format === 'parquet';
  return {
    concurrency: isGrouped ? 1 : concurrency,
    run: (chunk) => job.run(chunk, { lookUp, concurrency: isGrouped ? concurrency : 1 }),
    close: async () => {},
  };
}

const NOTHING = Object.fromEntries(STICKER_FIELDS.map((name) => [name, null])) as StickerCells;

async function stickerCells(
  vin: string | null,
  client: LookupClient,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<StickerCells> {
  // A part of a VIN can be decoded, but belongs to many vehicles.
  if (vin === null || !isVin(vin)) return { ...NOTHING, reason: 'bad-vin' };
  let cells: StickerCells | null = null;
  try {
    cells = labelCells(await client.read(vin, { signal }));
    if (folder === undefined) return cells;
    const file = labelFile(folder, vin);
    await saveLabel(vin, file, client, signal);
    return { ...cells, pdf: file };
  } catch (error) {
    const failure = failureCells(error);
    // It was read, but its PDF couldn't be had.
    return cells ? { ...cells, reason: failure.reason } : { ...NOTHING, ...failure };
  }
}

function labelCells({ sample, reason, label }: LabelResponse): StickerCells {
  const found = { ...NOTHING, sticker: sample ? 'sample' : 'available', reason };
  if (!label) return found;
  const { currency, base, options, destination, total } = label.prices;
  return {
    ...found,
    total: dollars(total),
    base: dollars(base),
    options: dollars(sumOf(options.map(({ price }) => price))),
    destination: dollars(destination),
    currency,
    paint: label.exterior?.color ?? null,
    paint_code: label.exterior?.code ?? null,
    interior: label.interior,
    option_names: options.map(({ name }) => name).join('; ') || null,
  };
}

const dollars = (cents: number | null): number | null => (cents === null ? null : cents / 100);

/** Null if no option has a price. */
function sumOf(prices: (number | null)[]): number | null {
  const known = prices.filter((price) => price !== null);
  return known.length === 0 ? null : known.reduce((sum, price) => sum + price, 0);
}

/** What an error says about the sticker. Throws if no other row would fare better. */
function failureCells(error: unknown): Pick<StickerCells, 'sticker' | 'reason'> {
  const { status, reason, detail } = failureOf(error);
  if (status === null && reason === 'network') throw new ServiceGone(detail);
  if (UNSUPPORTED.has(reason)) return { sticker: 'unsupported', reason };
  return { sticker: reason === 'no-label' ? 'none' : 'unknown', reason };
}

const UNSUPPORTED = new Set<string>(['make-not-supported', 'make-unknown', 'manufacturer-unknown']);
const STATES = ['available', 'sample', 'none', 'unsupported', 'unknown'];

/** `300 rows, 2 of them without a VIN. Stickers: 240 available, 60 unsupported.` */
function summary(counts: Counts, looksUp: boolean): string {
  const { rows = 0, bad = 0 } = counts;
  const figure = (count: number) => count.toLocaleString('en');
  const found = STATES.flatMap((state) => {
    const count = counts[`sticker ${state}`];
    return count ? [`${figure(count)} ${state}`] : [];
  });
  const badText = bad === 0 ? '' : `, ${figure(bad)} of them without exactly one VIN`;
  const stickers = looksUp && found.length > 0 ? ` Stickers: ${found.join(', ')}.` : '';
  return `${figure(rows)} ${rows === 1 ? 'row' : 'rows'}${badText}.${stickers}\n`;
}
