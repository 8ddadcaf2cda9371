import { stat } from 'node:fs/promises';
import { openPool } from '../tables/pool.ts';
import { kindOfName } from '../tables/table.ts';
import { interruptible } from './batch.ts';
import { parseArguments, usageError } from './command-line.ts';
import { askForVins, parseVinInput } from './input.ts';
import { runTable, type TableCommand } from './table-command.ts';
import { requestOf, TABLE_OPTIONS } from './table-options.ts';

const USAGE = `Decodes VINs offline, as vPIC does.

  monroney decode [VIN... | FILE | -]

  monroney decode 1FMUK8DH0TG000000                      one VIN, as JSON
  monroney decode < vins.txt > decoded.jsonl             many, one per line
  monroney decode inventory.csv -o decoded.parquet       from CSV, Excel, JSON Lines or Parquet
  monroney decode vins.txt -o decoded.csv --wide         a column for every element of vPIC

  -o, --output FILE    where to write; the name gives the format (.csv, .tsv, .jsonl, .parquet, .csv.gz, .jsonl.gz)
  --format FORMAT      csv, jsonl or parquet, whatever the name of the file
  --fields A,B         only these: year, make, model, … or elements of vPIC, such as GVWR
  --wide               every element of vPIC, one column each
  --full               JSON only: every element with its group and source
  --vin-column NAME    the column with the VINs, if neither its name nor its cells tell
  --correct            use the correction of a mistyped VIN, where there is only one
  --model-year N       the model year, for VINs that may mean two
  --now YYYY-MM-DD     decode as of this day instead of today
  --jobs N             threads to use (default: one, and one per core after 300,000 rows)
  --help               this text

JSON has one object per line: {"vin", "vehicle", "codes", "suggested", "warning"}, or {"vin", "error"} if a line has
no VIN or several, which doesn't change the exit code. Other formats have one column per field. Skips blank lines.
Partial VINs with * for unknown characters are decoded as far as possible. After Ctrl-C or a crash, the same command
with -o continues where it stopped, if it reads a file.
`;

export const options = { ...TABLE_OPTIONS, full: { type: 'boolean' } } as const;
export const takesFiles = true;

export async function run(args: string[]): Promise<number> {
  const parsed = parseArguments(args, options, USAGE);
  if (typeof parsed === 'number') return parsed;
  const request = requestOf(parsed.values, { isTable: false });
  if (typeof request === 'string') return usageError(request, USAGE);
  const file = await fileIn(parsed.positionals);
  if (file === '-') askForVins();
  const command: TableCommand = {
    input: file ?? '-',
    text: file === null ? parsed.positionals.join('\n') : undefined,
    output: request.output,
    otherwise: 'list',
    vinColumn: request.vinColumn,
    options: JSON.stringify(['decode', file, request]),
    wanted: { ...request, prefix: '', keepsInput: false, lookups: [] },
    workOf: (plan) => openPool(plan, request.jobs),
    namesProblems: false,
    isContinuable: true,
  };
  return interruptible(async (signal) => (await runTable(command, signal)).exit);
}

/** The file that the arguments name; null if they are VINs. */
async function fileIn(args: string[]): Promise<string | null> {
  const [first = '-', ...others] = args;
  if (others.length > 0) return null;
  if (first === '-') return first;
  const exists = await stat(first).then(Boolean, () => false);
  return exists || (parseVinInput(first).vin === null && isPath(first)) ? first : null;
}

const isPath = (text: string): boolean => kindOfName(text) !== null || /[/\\]|\.(?:txt|gz)$/i.test(text);
