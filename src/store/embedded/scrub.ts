import type { Log } from '../../lib/log.ts';
import { type BytesCheck, type HeldLabel, StoreUnavailable } from '../store.ts';

/** One label a second, 86,400 a day: a negligible load for the disk. */
const INTERVAL_MS = 1000;
/** Labels between two writes of the progress: each write is flushed to disk. */
const SAVE_EVERY = 60;
const PROGRESS_KEY = 'scrub';
const YEAR_MS = 365 * 86_400_000;

/** Progress of the background check of all files. */
export interface ScrubProgress {
  /** The VIN it has reached; null before a pass starts. */
  after: string | null;
  checked: number;
  damaged: number;
  /** When this pass began, in milliseconds. */
  since: number;
  /** When the last full pass ended. */
  finished: number | null;
}

interface ScrubOptions {
  labels(after: string | null, limit: number): HeldLabel[];
  checkBytes(label: HeldLabel): Promise<BytesCheck>;
  markDamaged(vin: string, sha256: string): void;
  value(key: string): string | null;
  setValue(key: string, value: string, until: number): void;
  log: Log;
  everyMs?: number;
}

function scrubProgress(value: (key: string) => string | null): ScrubProgress | null {
  const text = value(PROGRESS_KEY);
  return text === null ? null : (JSON.parse(text) as ScrubProgress);
}

/** Reads all labels in turn and marks damaged ones; resumes where the last run stopped. */
export function startScrub(options: ScrubOptions): { stop(): void } {
  const { log, everyMs = INTERVAL_MS } = options;
  let progress = scrubProgress(options.value);
  let running = false;

  async function step(): Promise<void> {
    progress ??= { after: null, checked: 0, damaged: 0, since: Date.now(), finished: null };
    const [label] = options.labels(progress.after, 1);
    if (!label) {
      if (progress.checked === 0) return;
      progress = { after: null, checked: 0, damaged: 0, since: Date.now(), finished: Date.now() };
      return save();
    }
    if (!label.damaged) await check(label);
    progress.after = label.vin;
    progress.checked++;
    if (progress.checked % SAVE_EVERY === 0) save();
  }

  async function check(label: HeldLabel): Promise<void> {
    const found = await options.checkBytes(label);
    if (found === 'intact') return;
    progress!.damaged++;
    log.error('store: the bytes of a label are damaged', { sha256: label.sha256, found });
    options.markDamaged(label.vin, label.sha256);
  }

  const save = () => options.setValue(PROGRESS_KEY, JSON.stringify(progress), Date.now() + YEAR_MS);

  const timer = setInterval(() => {
    if (running) return;
    running = true;
    step()
      .catch((error: unknown) => {
        // A full or read-only disk: try again next time.
        if (!(error instanceof StoreUnavailable)) log.error('scrub failed', { error: String(error) });
      })
      .finally(() => (running = false));
  }, everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
