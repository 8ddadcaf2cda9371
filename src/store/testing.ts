import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { createLog } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { temporaryFolder } from '../lib/testing.ts';
import { readerVersionOf } from '@monroney/label/read-text';
import { openStore } from './index.ts';
import type { Miss, NewLabel } from './store.ts';

/** Made-up labels, and stores, for tests and drills. */

let serial = 0;
/** A VIN that is unused in this run. */
export const freshVin = (): string => `1FTFW1E80${String(++serial).padStart(8, '0')}`;

export const newLabel = (vin: string, more: Partial<NewLabel> = {}): NewLabel => ({
  vin,
  make: 'FORD',
  source: 'ford',
  host: 'labels.example',
  fetched: 1_763_000_000_000,
  paint: { color: 'Atlas Blue Metallic', code: null },
  reader: readerVersionOf('FORD'),
  ...more,
});

export const pdfOf = (vin: string, bytes = 20_000): Buffer =>
  Buffer.concat([Buffer.from(`%PDF-1.7 ${vin}\n`), randomBytes(bytes), Buffer.from('\n%%EOF')]);

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The shared store uses the database's clock, so times may differ by some milliseconds. */
export function assertSameMiss(actual: Miss | null, expected: Miss): void {
  assert.ok(
    actual && Math.abs(actual.at - expected.at) < 2000 && Math.abs(actual.until - expected.until) < 2000,
  );
  assert.deepEqual({ ...actual, at: 0, until: 0 }, { ...expected, at: 0, until: 0 });
}

export { temporaryFolder };

/** Of a SQLite file. */
export const PAGE_BYTES = 4096;

/** Overwrites these pages; by default everything after the first page, which SQLite checks when it opens the file. */
export function damagePages(path: string, from = 1, to = statSync(path).size / PAGE_BYTES): void {
  const file = openSync(path, 'r+');
  const length = (to - from) * PAGE_BYTES;
  writeSync(file, Buffer.alloc(length, 0xa5), 0, length, from * PAGE_BYTES);
  closeSync(file);
}

/** A real store in a temporary folder, a log whose lines the test can read, and metrics. */
export async function openTestStore(t: TestContext, dataDir = temporaryFolder(t)) {
  const lines: string[] = [];
  const log = createLog('info', (text) => lines.push(...text.trimEnd().split('\n')));
  const metrics = createMetrics();
  const store = await openStore({ dataDir, log, exclusive: false });
  t.after(() => store.close());
  return { store, log, metrics, lines };
}
