/** The value that `percent` of the values do not exceed; sorts a copy. */
export function percentile(values: Iterable<number>, percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN;
}

/** Whole numbers with thousands, small ones with two digits that mean something. */
export function figure(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '–';
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(2).replace(/\.0$/, '');
}
