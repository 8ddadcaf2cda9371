import type { Log } from '../../lib/log.ts';
import { type BytesCheck, type HeldLabel, StoreUnavailable } from '../store.ts';

/** One label a second: 86,400 a day, and a disk that hardly notices. */
const EVERY_MS = 1000;
/** Progress is written once for so many labels: each write is flushed to the disk. */
const NOTE_EVERY = 60;
const NOTE = 'scrub';
const YEAR_MS = 365 * 86_400_000;

/** How far the slow check of all files is. */
export interface ScrubProgress {
  /** The VIN it has reached; null between two passes. */
  after: string | null;
  checked: number;
  damaged: number;
  /** When this pass began, in milliseconds. */
  since: number;
  /** When the last full pass ended. */
  finished: number | null;
}

interface ScrubParts {
  labels(after: string | null, limit: number): HeldLabel[];
  checkBytes(label: HeldLabel): Promise<BytesCheck>;
  markDamaged(vin: string, sha256: string): void;
  note(key: string): string | null;
  keepNote(key: string, value: string, until: number): void;
  log: Log;
  everyMs?: number;
}

export function scrubProgress(note: (key: string) => string | null): ScrubProgress | null {
  const text = note(NOTE);
  return text === null ? null : (JSON.parse(text) as ScrubProgress);
}

/** Reads every label once in a while and marks those that are damaged; goes on where the last run stopped. */
export function startScrub(parts: ScrubParts): { stop(): void } {
  const { log, everyMs = EVERY_MS } = parts;
  let progress = scrubProgress(parts.note);
  let working = false;

  async function step(): Promise<void> {
    progress ??= { after: null, checked: 0, damaged: 0, since: Date.now(), finished: null };
    const [label] = parts.labels(progress.after, 1);
    if (!label) {
      if (progress.checked === 0) return;
      progress = { after: null, checked: 0, damaged: 0, since: Date.now(), finished: Date.now() };
      return write();
    }
    if (!label.damaged) await check(label);
    progress.after = label.vin;
    progress.checked++;
    if (progress.checked % NOTE_EVERY === 0) write();
  }

  async function check(label: HeldLabel): Promise<void> {
    const found = await parts.checkBytes(label);
    if (found === 'intact') return;
    progress!.damaged++;
    log.error('store: the bytes of a label are damaged', { sha256: label.sha256, found });
    parts.markDamaged(label.vin, label.sha256);
  }

  const write = () => parts.keepNote(NOTE, JSON.stringify(progress), Date.now() + YEAR_MS);

  const timer = setInterval(() => {
    if (working) return;
    working = true;
    step()
      .catch((error: unknown) => {
        // A full or read-only disk: the next turn tries again.
        if (!(error instanceof StoreUnavailable)) log.error('scrub failed', { error: String(error) });
      })
      .finally(() => (working = false));
  }, everyMs).unref();
  return { stop: () => clearInterval(timer) };
}
