import type { Turn } from './http-load.ts';

/** The value that `percent` of the values don't exceed. */
export function percentile(values: Iterable<number>, percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

export const median = (values: Iterable<number>): number => percentile(values, 50);

export const cpuMicros = ({ cpuNs, requests }: Turn): number => cpuNs / requests / 1000;
export const perSecond = ({ requests, wallMs }: Turn): number => (requests * 1000) / wallMs;

/** Formats large numbers with thousands separators and small ones with two significant digits. */
export function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(2).replace(/\.0$/, '');
}
