import type { BatchResult } from '@monroney/client';
import { hasRightCheckDigit } from '@monroney/vin/check-digit';
import {
  centsIn,
  cellsInOrder,
  NOTHING,
  STICKER_COLUMNS,
  writeCsv,
  type StickerCells,
} from '../../tables/browser.ts';
import { vinError, vinOf, type List } from './list.ts';

/** What is known about the cars of a list, and the list with it as CSV. Runs in the browser. */

/** What the VIN says about a car. */
export interface Decoded {
  vehicle: BatchResult['vehicle'] | null;
  name: string | null;
  /** In capitals; empty if unknown. */
  make: string;
  warning: string | null;
  suggested: string | null;
  /** Whether the service has its sticker. */
  isStored: boolean;
}

export interface Found {
  decoded: Decoded;
  /** Null until it was looked up. */
  cells: StickerCells | null;
}

/** By VIN. */
export type Results = ReadonlyMap<string, Found>;

/** Whether another tab of the browser knows more about a car. */
export const isNews = (theirs: Found | undefined, ours: Found | undefined): boolean =>
  theirs !== undefined &&
  (!ours || (theirs.cells !== null && (ours.cells?.sticker ?? 'unknown') === 'unknown'));

/** A VIN that was probably mistyped isn't looked up: a manufacturer would be asked about a car that doesn't exist. */
export const isMistyped = (vin: string): boolean => !hasRightCheckDigit(vin);

/** The same columns, in the same order, as `monroney enrich` writes. */
const VEHICLE: readonly [column: string, value: (found: Decoded) => string | null | undefined][] = [
  ['year', ({ vehicle }) => vehicle?.year],
  ['make', ({ vehicle }) => vehicle?.make],
  ['model', ({ vehicle }) => vehicle?.model],
  ['trim', ({ vehicle }) => vehicle?.trim],
  ['body_class', ({ vehicle }) => vehicle?.bodyClass],
  ['drive_type', ({ vehicle }) => vehicle?.driveType],
  ['doors', ({ vehicle }) => vehicle?.doors],
  ['displacement', ({ vehicle }) => vehicle?.engine.displacement?.replace('L', '')],
  ['cylinders', ({ vehicle }) => vehicle?.engine.cylinders],
  ['fuel', ({ vehicle }) => vehicle?.engine.fuel],
  ['transmission', ({ vehicle }) => vehicle?.transmission],
  ['plant', ({ vehicle }) => vehicle?.plant],
  ['manufacturer', ({ vehicle }) => vehicle?.manufacturer],
  // The API says them in the warning.
  ['codes', () => null],
  ['suggested', ({ suggested }) => suggested],
  ['warning', ({ warning }) => warning],
];

export const ADDED_COLUMNS = [
  'vin',
  ...VEHICLE.map(([column]) => column),
  'error',
  ...STICKER_COLUMNS.map(({ name }) => name),
].map((name) => `vin_${name}`);

const MONEY = new Set(
  STICKER_COLUMNS.filter(({ type }) => type === 'money').map(({ name }) => `vin_${name}`),
);

/** The asking price minus the sticker's total, in cents; null if one is unknown. */
export function differenceOf(asking: number | null, cells: StickerCells | null): number | null {
  return asking === null || typeof cells?.total !== 'number' ? null : asking - cells.total;
}

/** All rows and columns of the list, with what is known about each car. */
export function csvOf(list: List, results: Results): string {
  const added = new Set(ADDED_COLUMNS);
  const kept = list.columns.flatMap((name, index) => (added.has(name) ? [] : [{ name, index }]));
  const rows = list.rows.map((row) => [
    ...kept.map(({ index }) => row[index]),
    ...addedCells(row, list, results),
  ]);
  const columns = [...kept.map(({ name }) => name), ...ADDED_COLUMNS];
  // Cells that were pasted from a spreadsheet have tabs between them.
  const delimiter = list.delimiter === '\t' ? ',' : list.delimiter;
  return writeCsv(columns, rows, { delimiter, bom: list.bom });
}

function addedCells(row: readonly string[], { vinColumn, priceColumn }: List, results: Results): unknown[] {
  const text = row[vinColumn]!;
  const vin = vinOf(text);
  const found = vin === null ? undefined : results.get(vin);
  const asking = priceColumn === null ? null : centsIn(row[priceColumn]!);
  const cells = found?.cells ?? NOTHING;
  const sticker = { ...cells, asking_difference: differenceOf(asking, cells) };
  const values = [
    vin,
    ...VEHICLE.map(([, value]) => (found ? value(found.decoded) : null)),
    vin === null ? vinError(text) : null,
    ...cellsInOrder(vin === null ? { ...NOTHING, reason: 'bad-vin' } : sticker),
  ];
  return values.map((value, index) =>
    MONEY.has(ADDED_COLUMNS[index]!) && typeof value === 'number' ? dollars(value) : value,
  );
}

const dollars = (cents: number): string =>
  cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2);
