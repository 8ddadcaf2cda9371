import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { isVin, loadVpic } from '@monroney/vin';
import { centsIn, priceColumnOf } from '../tables/header.ts';
import { openTable, START } from '../tables/input.ts';
import { createJob, type Plan } from '../tables/job.ts';
import { isStreamPath, type Counts } from '../tables/output.ts';
import { chunkSizeOf, planOf } from '../tables/plan.ts';
import { openPool, type Pool } from '../tables/pool.ts';
import { interruptible } from './batch.ts';
import { LOOKUP_OPTIONS, openClient, type LookupClient } from './client.ts';
import { EXIT, parseArguments, usageError } from './command-line.ts';
import { writeErrorText, fail } from './output.ts';
import { outputPathError } from './get.ts';
import { LookupJournal, cellsOf, lookUpAll, ServiceGone } from './table-lookups.ts';
import { cellsInOrder, STICKER_COLUMNS } from '../tables/sticker-cells.ts';
import { printError, runTable, type TableCommand } from './table-command.ts';
import { requestOf, TABLE_OPTIONS, type TableRequest } from './table-options.ts';

const USAGE = `Adds the decoded vehicle, and what its window sticker says, to each row of a table.

  monroney enrich FILE|-

  monroney enrich inventory.csv -o out.csv                              the vehicle, offline
  monroney enrich inventory.csv -o out.csv --url URL --stickers DIR     also prices, paint and the PDFs, from a service
  monroney enrich inventory.csv -o out.parquet --local                  the same without a service
  monroney enrich - < inventory.jsonl > out.jsonl                       from standard input

  -o, --output FILE    where to write; the name gives the format (.csv, .tsv, .jsonl, .parquet, .csv.gz, .jsonl.gz)
  --format FORMAT      csv, jsonl or parquet, whatever the name of the file
  --vin-column NAME    the column with the VINs, if neither its name nor its cells tell
  --price-column NAME  the column with your price, to compare with the sticker's total, if its name doesn't tell
  --correct            use the correction of a mistyped VIN, where there is only one
  --url URL            look up the window stickers at this service
  --local              look them up here, with the store in DATA_DIR, which is created if there is none
  --again              look up only what is still unknown after an earlier run
  --stickers DIR       save the PDFs in this folder; files that exist are not requested again
  --contact WHO        a domain or e-mail address, to hear about breaking changes in advance
  --wait SECONDS       time limit per lookup, including waits and retries (default: 60)
  --fields A,B         only these of the vehicle: year, make, model, … or elements of vPIC, such as GVWR
  --wide               every element of vPIC, one column each
  --model-year N       the model year, for VINs that may mean two
  --now YYYY-MM-DD     decode as of this day instead of today
  --jobs N             threads to use (default: one, and one per core after 300,000 rows), or lookups at a time
                       for each make (default: 4)

FILE is CSV, Excel (.xlsx), JSON Lines or Parquet. All rows and columns are kept, in order; new columns begin with
vin_ and replace columns of the same name. Prices are in dollars and add up: base + options + taxes + fees +
destination - discounts = total. vin_sticker is available, sample, none, unsupported (the make publishes none) or
unknown, and vin_reason says why. Without --url or --local nothing is looked up.

The output gets its name when it is complete. After Ctrl-C, a crash or a full disk, the same command continues where it
stopped, if it reads a file; lookups are never repeated. A source that fails is asked again once after the rest. Then
its rows are unknown, and the same command with --again asks for those alone. The exit code is 0 when every row was
handled, whatever was found, 1 when the input can't be read or the output can't be written, and 3 when the service
can't be reached.
`;

const LOOKUPS = 4;

const { url, local, contact, wait } = LOOKUP_OPTIONS;
export const options = {
  ...TABLE_OPTIONS,
  url,
  local,
  contact,
  wait,
  stickers: { type: 'string' },
  again: { type: 'boolean' },
  'price-column': { type: 'string' },
} as const;
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
  for (const name of ['stickers', 'again', 'price-column'] as const)
    if (values[name] !== undefined && !looksUp) return usageError(`--${name} needs --url or --local.`, USAGE);
  if (values.again && request.output === '-') return usageError('--again needs -o.', USAGE);
  if (!looksUp) return interruptible((signal) => enrich(commandOf(file, request), signal));
  const folderError = values.stickers === undefined ? null : outputPathError({ out: values.stickers });
  if (folderError) return fail(folderError, EXIT.missing);
  const lookups = request.jobs ?? LOOKUPS;
  const client = await openClient(values, { hasFiles: true, lookups, retrySources: false });
  if (typeof client === 'string') return usageError(client, USAGE);
  try {
    return await interruptible((signal) => enrichWith(client, file, request, values, signal));
  } finally {
    await client.close();
  }
}

const commandOf = (file: string, request: TableRequest): TableCommand => ({
  input: file,
  output: request.output,
  otherwise: 'csv',
  vinColumn: request.vinColumn,
  options: JSON.stringify(['enrich', file, request]),
  wanted: { ...request, prefix: 'vin_', keepsInput: true, lookups: [] },
  workOf: (plan) => openPool(plan, request.jobs),
  namesProblems: true,
  isContinuable: true,
});

async function enrich(command: TableCommand, signal: AbortSignal): Promise<number> {
  const { exit, counts } = await runTable(command, signal);
  if (exit === EXIT.done) process.stderr.write(summary(counts));
  return exit;
}

interface EnrichValues {
  stickers?: string;
  again?: boolean;
  'price-column'?: string;
}

/** Looks up all VINs first, then writes the table: a source that fails is asked again after the rest. */
async function enrichWith(
  client: LookupClient,
  given: string,
  request: TableRequest,
  { stickers, again = false, 'price-column': priceColumn }: EnrichValues,
  signal: AbortSignal,
): Promise<number> {
  const { output } = request;
  const isFile = output !== '-' && !isStreamPath(output);
  const pathError = isFile ? outputPathError({ output }) : null;
  if (pathError) return fail(pathError, EXIT.missing);
  const input = given === '-' ? await spooled(signal) : null;
  const file = input?.path ?? given;
  const journal = new LookupJournal(
    isFile ? `${output}.lookups` : ':memory:',
    JSON.stringify(stickers ?? null),
    again,
  );
  let isFinished = false;
  try {
    const command = commandOf(file, request);
    await collect(command, journal, signal);
    await lookUpAll({
      client,
      journal,
      concurrency: request.jobs ?? LOOKUPS,
      folder: stickers,
      signal,
    });
    const { exit, counts } = await runTable(
      {
        ...command,
        // Writing takes a moment, and lookups may have changed since an earlier run.
        isContinuable: false,
        wanted: { ...command.wanted, lookups: STICKER_COLUMNS },
        workOf: (plan) => journalPool(plan, journal, priceColumn ?? null),
      },
      signal,
    );
    if (exit !== EXIT.done) {
      process.stderr.write(isFile ? stopped(journal) : '');
      return exit;
    }
    process.stderr.write(summary(counts) + (isFile ? againText(counts) : ''));
    journal.finish(unknownIn(counts) > 0);
    isFinished = true;
    return EXIT.done;
  } catch (error) {
    if (signal.aborted || error instanceof ServiceGone) {
      if (error instanceof ServiceGone) fail(error.message, EXIT.temporary);
      process.stderr.write(isFile ? stopped(journal) : 'Stopped.\n');
      return signal.aborted ? EXIT.interrupted : EXIT.temporary;
    }
    if ((error as { errcode?: number }).errcode === SQLITE_FULL) {
      fail(writeErrorText({ code: 'ENOSPC' }, dirname(output)), EXIT.missing);
      process.stderr.write(stopped(journal));
      return EXIT.missing;
    }
    printError(error, { input: given, output });
    return EXIT.missing;
  } finally {
    if (!isFinished) journal.close();
    await input?.remove();
  }
}

const SQLITE_FULL = 13;

function stopped(journal: LookupJournal): string {
  const { known, all } = journal.counts();
  return `Looked up ${figure(known)} of ${figure(all)} VINs. Run the same command again to continue.\n`;
}

/** Standard input can be read only once, but the table is read twice. */
async function spooled(signal: AbortSignal): Promise<{ path: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'monroney-'));
  const path = join(folder, 'input');
  await pipeline(process.stdin, createWriteStream(path), { signal });
  return { path, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Puts the VINs of the table into the journal. */
async function collect(command: TableCommand, journal: LookupJournal, signal: AbortSignal): Promise<void> {
  const { input: path, otherwise, vinColumn, wanted } = command;
  const input = await openTable({ path, otherwise, vinColumn, signal });
  try {
    const decode = { ...wanted.decode, fields: [], shape: 'flat' as const };
    const written = { format: 'jsonl' as const, gzip: false };
    const plan = planOf(input, { ...wanted, written, decode, keepsInput: false });
    const vpic = loadVpic();
    const job = await createJob(plan, vpic);
    for await (const chunk of input.chunks(chunkSizeOf(plan), START)) {
      const vins = new Set<string>();
      await job.run(chunk, (vin) => {
        if (vin !== null && isVin(vin)) vins.add(vin);
        return { cells: [], state: '' };
      });
      journal.add(Array.from(vins, (vin) => ({ vin, make: vpic.makesOf(vin)[0] ?? '' })));
    }
  } finally {
    input.close();
  }
}

/** Writes what the journal knows. */
async function journalPool(plan: Plan, journal: LookupJournal, given: string | null): Promise<Pool> {
  const job = await createJob(plan, loadVpic());
  const priceColumn = priceColumnOf(plan.input.columns, given);
  return {
    concurrency: 1,
    run: async (chunk) =>
      job.run(chunk, (vin, cellAt) => {
        const cells = cellsOf(journal, vin);
        const asking = priceColumn === null ? null : centsIn(cellAt(priceColumn));
        const difference = asking === null || cells.total === null ? null : asking - Number(cells.total);
        return {
          cells: cellsInOrder({ ...cells, asking_difference: difference }),
          state: `sticker ${cells.sticker}`,
        };
      }),
    close: async () => {},
  };
}

const STATES = ['available', 'sample', 'none', 'unsupported', 'unknown'];
const figure = (count: number): string => count.toLocaleString('en');
const unknownIn = (counts: Counts): number => counts['sticker unknown'] ?? 0;

/** `300 rows, 2 of them without a VIN. Stickers: 240 available, 60 unsupported.` */
function summary(counts: Counts): string {
  const { rows = 0, bad = 0 } = counts;
  const found = STATES.flatMap((state) => {
    const count = counts[`sticker ${state}`];
    return count ? [`${figure(count)} ${state}`] : [];
  });
  const badText = bad === 0 ? '' : `, ${figure(bad)} of them without exactly one VIN`;
  const stickers = found.length > 0 ? ` Stickers: ${found.join(', ')}.` : '';
  return `${figure(rows)} ${rows === 1 ? 'row' : 'rows'}${badText}.${stickers}\n`;
}

function againText(counts: Counts): string {
  const count = unknownIn(counts);
  if (count === 0) return '';
  const rows = count === 1 ? '1 row is' : `${figure(count)} rows are`;
  return `${rows} unknown; vin_reason says why. Run the same command with --again to ask for ${count === 1 ? 'it' : 'those'} alone.\n`;
}
