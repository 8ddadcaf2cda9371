import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { HeldLabel, SourceRequestCount, SourceOutcome } from './store.ts';

/** A row as both databases return it, in the order of `READ_COLUMNS`. */
export type LabelRow = [
  vin: string,
  make: string,
  source: string,
  host: string,
  fetched: number,
  bytes: number,
  sha256: string,
  color: string | null,
  code: string | null,
  reader: string | null,
  car: string | null,
  damaged: number | null,
];

export const LABEL_COLUMNS = 'vin, make, source, host, fetched, bytes, sha256, color, code, reader, car';
/** `damaged` is the time in milliseconds when the bytes were found missing or corrupted. */
export const READ_COLUMNS = `${LABEL_COLUMNS}, damaged`;

export function heldLabel(row: LabelRow): HeldLabel {
  const [vin, make, source, host, fetched, bytes, sha256, color, code, reader, car, damaged] = row;
  const paint = color === null ? null : { color, code };
  const label: HeldLabel = { vin, make, source, host, fetched, bytes, sha256, paint, reader };
  if (car !== null) label.car = carOf(car);
  if (damaged) label.damaged = true;
  return label;
}

/** The columns that hold what was read. PostgreSQL's text can't contain NUL, which the text of a PDF can; JSON escapes it. */
export function readColumns({ paint, car, reader }: Pick<HeldLabel, 'paint' | 'car' | 'reader'>) {
  return {
    color: paint?.color.replaceAll('\0', '') ?? null,
    code: paint?.code?.replaceAll('\0', '') ?? null,
    reader,
    car: car ? JSON.stringify(car) : null,
  };
}

/** Null if a disk changed the row: it can be read again from the label. */
function carOf(json: string): HeldLabel['car'] {
  try {
    return JSON.parse(json) as HeldLabel['car'];
  } catch {
    return null;
  }
}

// Zstandard at its default level shrinks a label's text from 30 KB to 8 KB in a third of a millisecond. Brotli at the
// same speed is a tenth larger. At 8 KB a row is cheaper than a file.

// SQLite doesn't notice if a disk changes the bytes of a row.
const WITH_CHECKSUM = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

export function compressJson(value: unknown): Buffer {
  return zstdCompressSync(JSON.stringify(value), WITH_CHECKSUM);
}

/** Null if the bytes are damaged: everything compressed here can be computed again. */
export function decompressJson<T>(bytes: Uint8Array): T | null {
  try {
    return JSON.parse(zstdDecompressSync(bytes).toString()) as T;
  } catch {
    return null;
  }
}

/** Counts are kept for 100 days: the status page shows 90. */
export const REQUEST_COUNT_HOURS = 100 * 24;

export const hourOf = (at: number): number => Math.floor(at / 3_600_000);

/** Four buckets per doubling, so a median is accurate to about a tenth; 10 s falls into bucket 53. */
export const bucketOf = (ms: number): number => Math.round(4 * Math.log2(Math.max(0, ms) + 1));

const msOf = (bucket: number): number => Math.round(2 ** (bucket / 4) - 1);

/** Groups rows of (hour, source, outcome, bucket, count) by hour and source, oldest first. */
export function toRequestCounts(
  rows: Iterable<[number, string, SourceOutcome, number, number]>,
): SourceRequestCount[] {
  const hours = new Map<string, { count: SourceRequestCount; times: Map<number, number> }>();
  for (const [hour, source, outcome, bucket, n] of rows) {
    const key = `${hour} ${source}`;
    let entry = hours.get(key);
    if (!entry) {
      entry = {
        count: { source, hour, label: 0, none: 0, refused: 0, failed: 0, medianMs: null },
        times: new Map(),
      };
      hours.set(key, entry);
    }
    entry.count[outcome] += n;
    entry.times.set(bucket, (entry.times.get(bucket) ?? 0) + n);
  }
  return [...hours.values()]
    .map(({ count, times }) => ({ ...count, medianMs: median(times) }))
    .sort((a, b) => a.hour - b.hour || (a.source < b.source ? -1 : 1));
}

function median(times: Map<number, number>): number | null {
  const buckets = [...times].sort(([a], [b]) => a - b);
  let left = buckets.reduce((sum, [, n]) => sum + n, 0) / 2;
  for (const [bucket, n] of buckets) {
    left -= n;
    if (left <= 0) return msOf(bucket);
  }
  return null;
}
