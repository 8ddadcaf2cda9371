import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { createLog } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { openStore } from '../store/index.ts';

/** A temporary folder that is removed after the test. */
export function temporaryFolder(t: TestContext): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'monroney-contacts-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A real store in a temporary folder, a log whose lines the test can read, and metrics. */
export async function openTestStore(t: TestContext, dataDir = temporaryFolder(t)) {
  const lines: string[] = [];
  const log = createLog('info', (text) => lines.push(...text.trimEnd().split('\n')));
  const metrics = createMetrics();
  const shared = { databaseUrl: null, redisUrl: null, s3Url: null };
  const store = await openStore({ dataDir, ...shared, log, exclusive: false });
  t.after(() => store.close());
  return { store, log, metrics, lines };
}
