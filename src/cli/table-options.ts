import type { ParseArgsOptionsConfig } from 'node:util';
import { loadVpic } from '@monroney/vin';
import {
  API_FIELDS,
  elementCodes,
  FULL_FIELDS,
  TABLE_FIELDS,
  unknownField,
  type DecodePlan,
} from '../tables/fields.ts';
import { kindOfName, type FileKind } from '../tables/table.ts';
import { dayOf } from './command-line.ts';

/** Options of the commands that read and write tables. */
export const TABLE_OPTIONS = {
  output: { type: 'string', short: 'o' },
  format: { type: 'string' },
  fields: { type: 'string' },
  wide: { type: 'boolean' },
  'vin-column': { type: 'string' },
  correct: { type: 'boolean' },
  'model-year': { type: 'string' },
  now: { type: 'string' },
  jobs: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsOptionsConfig;

interface TableValues {
  output?: string;
  format?: string;
  fields?: string;
  wide?: boolean;
  full?: boolean;
  'vin-column'?: string;
  correct?: boolean;
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
  if (written?.format === 'xlsx') return "Excel workbooks can't be written. Write .csv, which Excel opens.";
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
  const { fields, wide, full, correct = false, 'model-year': modelYear, now } = values;
  const day = now === undefined ? null : dayOf(now);
  if (now !== undefined && day === null)
    return `--now must be a date such as 2026-11-01, got "${now.slice(0, 40)}".`;
  if (modelYear !== undefined && !/^(?:19[89]|20\d)\d$/.test(modelYear))
    return `--model-year must be a year such as 2011, got "${modelYear.slice(0, 40)}".`;
  const when = { now: day, modelYear: modelYear === undefined ? null : Number(modelYear), correct };
  if ([fields, wide, full].filter(Boolean).length > 1) return 'Use one of --fields, --wide and --full.';
  if (full)
    return isTable
      ? '--full writes JSON. Use --wide for a table.'
      : { fields: FULL_FIELDS, shape: 'full', ...when };
  if (wide) return { fields: elementCodes(loadVpic()), shape: 'flat', ...when };
  if (fields === undefined)
    return isTable
      ? { fields: TABLE_FIELDS, shape: 'flat', ...when }
      : { fields: API_FIELDS, shape: 'api', ...when };
  const names = fields
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'vin' && name !== 'error');
  const unknown = unknownField(names, loadVpic());
  if (unknown !== undefined)
    return `There is no field "${unknown.slice(0, 40)}". Fields: ${TABLE_FIELDS.join(', ')}, and the elements of vPIC, such as GVWR.`;
  return { fields: [...new Set(names)], shape: 'flat', ...when };
}
