import { fileURLToPath } from 'node:url';

export interface BenchResult {
  name: string;
  columns: string[];
  rows: string[][];
  /** The figures behind the table, by the names that `targets.ts` uses. */
  figures: Record<string, number>;
  notes?: string[];
}

export const pathTo = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The value that `percent` of the values don't exceed. */
export function percentile(values: Iterable<number>, percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

export const median = (values: Iterable<number>): number => percentile(values, 50);

/** Formats large numbers with thousands separators and small ones with two significant digits. */
export function figure(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return '–';
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(2).replace(/\.0$/, '');
}

/** The CPU time that `work` takes in this process, in milliseconds. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export function formatResult({ name, columns, rows, notes = [] }: BenchResult): string {
  const lines = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  return [name, '', ...lines.map((cells) => cells.map(pad).join('  ')), '', ...notes].join('\n');
}
