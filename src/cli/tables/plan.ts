import type { ParseArgsOptionsConfig } from 'node:util';
import { loadVpic } from '@monroney/vin';
import { dayOf } from '../command-line.ts';
import {
  API_FIELDS,
  elementCodes,
  FLAT_FIELDS,
  FULL_FIELDS,
  unknownField,
  type DecodePlan,
} from '../fields.ts';
import type { ChunkSize } from './chunks.ts';
import type { TableInput } from './input.ts';
import type { Plan } from './job.ts';
import { outputSchema, type ColumnType } from './parquet.ts';
import { kindOfName, TableError, type FileKind } from './table.ts';

/** Options of the commands that read and write tables. */
export const TABLE_OPTIONS = {
  output: { type: 'string', short: 'o' },
  format: { type: 'string' },
  fields: { type: 'string' },
  wide: { type: 'boolean' },
  'vin-column': { type: 'string' },
  'model-year': { type: 'string' },
  now: { type: 'string' },
  jobs: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;

export interface TableValues {
  output?: string;
  format?: string;
  fields?: string;
  wide?: boolean;
  full?: boolean;
  'vin-column'?: string;
  'model-year'?: string;
  now?: string;
  jobs?: string;
}

/** What the options ask for. */
export interface TableRequest {
  output: string;
  /** Null if neither the option nor the name says. */
  written: FileKind | null;
  decode: DecodePlan;
  vinColumn: string | null;
  /** Null unless given. */
  jobs: number | null;
}

const FORMATS = ['csv', 'jsonl', 'parquet'];
const MAX_JOBS = 64;

/** Reads the options, or says what is wrong with them. `isTable`: always one column per field. */
export function requestOf(values: TableValues, { isTable }: { isTable: boolean }): TableRequest | string {
  const { output = '-', format, jobs } = values;
  if (format !== undefined && !FORMATS.includes(format))
    return `--format is csv, jsonl or parquet, not "${format.slice(0, 40)}".`;
  if (jobs !== undefined && !(/^\d{1,2}$/.test(jobs) && Number(jobs) >= 1 && Number(jobs) <= MAX_JOBS))
    return `--jobs is a number from 1 to ${MAX_JOBS}, not "${jobs.slice(0, 40)}".`;
  const named = output === '-' ? null : kindOfName(output);
  const written =
    format === undefined
      ? named
      : { ...named, format: format as FileKind['format'], gzip: named?.gzip ?? false };
  const decode = decodePlanOf(values, isTable || (written !== null && written.format !== 'jsonl'));
  if (typeof decode === 'string') return decode;
  return {
    output,
    written,
    decode,
    vinColumn: values['vin-column'] ?? null,
    jobs: jobs === undefined ? null : Number(jobs),
  };
}

function decodePlanOf(values: TableValues, isTable: boolean): DecodePlan | string {
  const { fields, wide, full, 'model-year': modelYear, now } = values;
  const day = now === undefined ? null : dayOf(now);
  if (now !== undefined && day === null)
    return `--now must be a date such as 2026-11-01, got "${now.slice(0, 40)}".`;
  if (modelYear !== undefined && !/^(?:19[89]|20\d)\d$/.test(modelYear))
    return `--model-year must be a year such as 2011, got "${modelYear.slice(0, 40)}".`;
  const when = { now: day, modelYear: modelYear === undefined ? null : Number(modelYear) };
  if ([fields, wide, full].filter(Boolean).length > 1) return 'Use one of --fields, --wide and --full.';
  if (full)
    return isTable
      ? '--full writes JSON. Use --wide for a table.'
      : { fields: FULL_FIELDS, shape: 'full', ...when };
  if (wide) return { fields: elementCodes(loadVpic()), shape: 'flat', ...when };
  if (fields === undefined)
    return isTable
      ? { fields: FLAT_FIELDS, shape: 'flat', ...when }
      : { fields: API_FIELDS, shape: 'api', ...when };
  const names = fields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'vin' && name !== 'error');
  const unknown = unknownField(names, loadVpic());
  if (unknown !== undefined)
    return `There is no field "${unknown.slice(0, 40)}". Fields: ${FLAT_FIELDS.join(', ')}, and the elements of vPIC, such as GVWR.`;
  return { fields: [...new Set(names)], shape: 'flat', ...when };
}

/** Large for Parquet, whose readers want large row groups; small where each VIN gives much text, to save memory. */
export function chunkSizeOf({ written, decode }: TableRequest): ChunkSize {
  if (written?.format === 'parquet')
    return { bytes: 4 * 1024 * 1024, rows: decode.fields.length > 100 ? 5_000 : 50_000 };
  return {
    bytes: decode.shape === 'full' || decode.fields.length > 100 ? 8 * 1024 : 64 * 1024,
    rows: 50_000,
  };
}

/** Columns of the output besides those of the input. */
export interface AddedColumns {
  names: readonly string[];
  types?: Readonly<Record<string, ColumnType>>;
  /** Whether the columns of the input come first. */
  keepsInput: boolean;
}

/** How to turn an input into the output that the options ask for. */
export function planOf(input: TableInput, request: TableRequest, added: AddedColumns): Plan {
  const { format, columns, delimiter, path } = input;
  const otherwise = added.keepsInput ? format : 'jsonl';
  const written = request.written ?? { format: otherwise, gzip: false };
  const kept = added.keepsInput
    ? columns.flatMap((name, index) => (added.names.includes(name) ? [] : [index]))
    : [];
  const names = [...kept.map((index) => columns[index]!), ...added.names];
  const output = {
    format: written.format === 'list' ? ('csv' as const) : written.format,
    columns: names,
    // A file with semicolons stays one.
    delimiter: written.delimiter ?? (added.keepsInput ? delimiter : ','),
    gzip: written.gzip,
  };
  if (output.format === 'parquet' && new Set(names).size < names.length)
    throw new TableError(
      `Parquet can't have two columns with the same name: ${names.find((name, index) => names.indexOf(name) !== index)}.`,
    );
  const types = { ...input.types, ...added.types };
  const schema =
    output.format === 'parquet'
      ? outputSchema(names, types, added.keepsInput ? (input.schema ?? []) : [])
      : null;
  const vinColumn = format === 'list' ? 0 : vinColumnOf(columns, request.vinColumn);
  return {
    input: { format, columns, delimiter, path },
    output: { ...output, schema },
    vinColumn,
    kept,
    decode: request.decode,
  };
}

const VIN_NAMES = [
  'vin',
  'vinnumber',
  'vinno',
  'vincode',
  'vin17',
  'vehiclevin',
  'vehicleidentificationnumber',
  'vehicleidnumber',
];

function vinColumnOf(columns: readonly string[], given: string | null): number {
  const shown = columns
    .slice(0, 30)
    .map((name) => name.slice(0, 40))
    .join(', ');
  if (given !== null) {
    const exact = columns.indexOf(given);
    const index =
      exact === -1 ? columns.findIndex((name) => name.toLowerCase() === given.toLowerCase()) : exact;
    if (index === -1) throw new TableError(`There is no column "${given.slice(0, 40)}". Columns: ${shown}.`);
    return index;
  }
  const names = columns.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''));
  for (const name of VIN_NAMES) {
    const index = names.indexOf(name);
    if (index === -1) continue;
    if (names.includes(name, index + 1))
      throw new TableError(`Two columns are called ${columns[index]}. Choose one with --vin-column.`);
    return index;
  }
  throw new TableError(`Row 1 names no column VIN. Columns: ${shown}. Name the column with --vin-column.`);
}
