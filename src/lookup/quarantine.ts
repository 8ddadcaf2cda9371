import { lstat, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Log } from '../lib/log.ts';
import type { Metrics } from '../lib/metrics.ts';
import { READ_FLAGS, readUpTo } from '../store/embedded/files.ts';
import { recordOf, writeExchange, type SourceExchangeRecord } from './source-exchange.ts';
import type { SourceResponse } from './judge.ts';

/**
 * Stores responses that no rule explains for the operator to inspect: the newest entries up to a limit, in a folder of
 * this instance. Keeps no list in memory, so commands and other processes may change the folder too.
 */
export interface Quarantine {
  /** Writes it in the background. Never throws. */
  add(entry: UnexplainedResponse): void;
  /** Removes the entries of a VIN. */
  forget(vin: string): Promise<void>;
  /** Resolves when everything added so far is written or has failed. */
  settled(): Promise<void>;
}

/** A response that no rule explains. */
interface UnexplainedResponse {
  source: string;
  vin: string;
  reason: string;
  received: SourceResponse;
}

/** An entry as `admin quarantine` shows it. `record.verdict` is the reason. */
interface Quarantined {
  id: string;
  record: SourceExchangeRecord;
}

const MAX_ENTRIES = 200;
const MAX_BYTES = 100 * 1024 * 1024;
/** Many times the headers that a response may have. */
const MAX_RECORD_BYTES = 2 ** 20;
/** Limits of the write queue; entries beyond them are counted and dropped. */
const MAX_WAITING = 16;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

export const quarantineDir = (dataDir: string): string => path.join(dataDir, 'quarantine');

export function openQuarantine(options: {
  dir: string;
  log: Log;
  metrics: Pick<Metrics, 'count'>;
  now(): number;
  maxEntries?: number;
  maxBytes?: number;
}): Quarantine {
  const { dir, log, maxEntries = MAX_ENTRIES, maxBytes = MAX_BYTES } = options;
  let waiting = 0;
  let waitingBytes = 0;
  let failing = false;
  let last: Promise<void> = Promise.resolve();

  async function write({ source, vin, reason, received }: UnexplainedResponse, at: number): Promise<void> {
    const digest = await crypto.subtle.digest('SHA-256', received.body as Buffer<ArrayBuffer>);
    const suffix = `${source}-${reason}-${Buffer.from(digest).toString('hex').slice(0, 16)}`;
    const entries = await filesByEntry(dir);
    // One copy of each body is enough.
    if ([...entries.keys()].some((id) => id.endsWith(suffix))) return;
    const id = `${new Date(at).toISOString().replace(/[-:.Z]/g, '')}-${suffix}`;
    const url = received.url ?? null;
    const record = recordOf({ source, vin, url, at, response: received, verdict: reason });
    await writeExchange(dir, id, record, received.body);
    await trim(dir, maxEntries, maxBytes);
  }

  /** One write at a time: labels have priority on the disk. */
  function enqueue(work: () => Promise<void>): Promise<void> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  return {
    add(entry) {
      const { source, reason, received } = entry;
      options.metrics.count('monroney_quarantined_total', { source, reason });
      const { length } = received.body;
      if (waiting >= MAX_WAITING || waitingBytes + length > MAX_WAITING_BYTES) return;
      waiting++;
      waitingBytes += length;
      const at = options.now();
      void enqueue(() => write(entry, at))
        .then(
          () => (failing = false),
          (error: Error) => {
            if (!failing) log.warn('quarantine: cannot write an entry', { source, error: error.message });
            failing = true;
          },
        )
        .finally(() => {
          waiting--;
          waitingBytes -= length;
        });
    },
    forget: (vin) => enqueue(() => removeEntriesOfVin(dir, vin)),
    settled: () => last,
  };
}

/** Removes the entries of a VIN. */
export async function removeEntriesOfVin(dir: string, vin: string): Promise<void> {
  const own = (await listQuarantine(dir)).filter(({ record }) => record.vin === vin);
  await removeEntries(
    dir,
    own.map(({ id }) => id),
  );
}

/** Newest first. */
export async function listQuarantine(dir: string): Promise<Quarantined[]> {
  const entries: Quarantined[] = [];
  for (const id of (await filesByEntry(dir)).keys()) {
    try {
      entries.push({ id, record: await readRecord(path.join(dir, `${id}.json`)) });
    } catch {
      // Being written, or being removed by another process. Or not one of ours.
    }
  }
  return entries;
}

async function readRecord(file: string): Promise<SourceExchangeRecord> {
  const handle = await open(file, READ_FLAGS);
  try {
    return JSON.parse((await readUpTo(handle, MAX_RECORD_BYTES)).toString()) as SourceExchangeRecord;
  } finally {
    await handle.close();
  }
}

export async function removeEntries(dir: string, ids: readonly string[]): Promise<void> {
  const entries = await filesByEntry(dir);
  for (const id of ids)
    for (const file of entries.get(id) ?? []) await rm(path.join(dir, file), { force: true });
}

/** Files by entry, newest first: names begin with the time. */
async function filesByEntry(dir: string): Promise<Map<string, string[]>> {
  // Not through a link: entries are also removed by commands that root runs.
  const isLink = (await lstat(dir).catch(() => null))?.isSymbolicLink();
  if (isLink) throw new Error(`${dir} is a symbolic link, which is not followed; remove it.`);
  const files = await readdir(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const entries = new Map<string, string[]>();
  for (const file of files.sort((one, other) => (one < other ? 1 : -1))) {
    const id = file.split('.')[0]!;
    entries.set(id, [...(entries.get(id) ?? []), file]);
  }
  return entries;
}

async function sizeOf(dir: string, files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files)
    bytes += await stat(path.join(dir, file)).then(
      ({ size }) => size,
      () => 0,
    );
  return bytes;
}

async function trim(dir: string, maxEntries: number, maxBytes: number): Promise<void> {
  let [entries, bytes] = [0, 0];
  for (const [id, files] of await filesByEntry(dir)) {
    bytes += await sizeOf(dir, files);
    if (++entries > maxEntries || bytes > maxBytes) await removeEntries(dir, [id]);
  }
}
