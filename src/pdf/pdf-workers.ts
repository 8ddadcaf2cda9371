import { silentLog } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import {
  EXTRACT_TEXT,
  type Card,
  type Drawing,
  type Opened,
  type PictureJob,
  type PreviewJob,
  type Request,
  type Unreadable,
} from './channel.ts';
import { openPool, type PoolOptions } from './pool.ts';
import type { LabelText } from '@monroney/label/reading/types';

/** Widths of previews in pixels. */
export const PREVIEW_WIDTHS = [320, 640, 1280, 1920] as const;
export const PREVIEW_WIDTH = 1280;

/** Whose turn a file takes: its source's, and among the files of that source the client's. */
export type Turn = Pick<Request, 'owner' | 'client'>;

/** Opens PDFs in child processes with a memory limit and a deadline, never in the service itself. */
export interface PdfWorkers {
  /** The text with positions. Never rejects. */
  text(pdf: Uint8Array, turn?: Turn): Promise<{ ok: true; text: LabelText } | Unreadable>;
  /** The first page as a WebP picture. Never rejects. */
  preview(pdf: Uint8Array, width: number, turn?: Turn): Promise<{ ok: true; webp: Buffer } | Unreadable>;
  /** A link preview card as PNG, with a picture that `preview` drew for each of its stickers. Never rejects. */
  card(
    card: Card,
    pictures: readonly Uint8Array[],
    client?: string,
  ): Promise<{ ok: true; png: Buffer } | Unreadable>;
  /** Runs a job that `program` defines. Never rejects. */
  run(request: Request): Promise<Opened>;
  /** Stops the children. Running and queued jobs get `busy`. */
  close(): Promise<void>;
}

/** Of the pools. `warm` and `program` are for the text workers. */
export interface PdfWorkersOptions extends Partial<Omit<PoolOptions, 'kind' | 'children'>> {
  /** The number of text workers. Drawing pages and making pictures of them have one worker each. */
  readers?: number;
}

// Far larger than any label; opening it would exceed the memory limit.
export const MAX_PDF_BYTES = 40 * 2 ** 20;

export function openPdfWorkers({
  readers = 1,
  warm = true,
  deadlineMs = 8_000,
  maxQueued = 64,
  maxWaitMs = 30_000,
  program,
  start,
  log = silentLog,
  metrics = createMetrics(),
}: PdfWorkersOptions = {}): PdfWorkers {
  const shared = { deadlineMs, maxQueued, maxWaitMs, start, log, metrics };
  const texts = openPool({ ...shared, kind: 'text', program, children: readers, warm });
  const previews = openPool({ ...shared, kind: 'preview', children: 1, warm: false });
  const pictures = openPool({ ...shared, kind: 'picture', children: 1, warm: false });
  const pools = Object.entries({ text: texts, preview: previews, picture: pictures });
  const gauges = {
    monroney_workers: 'workers',
    monroney_workers_busy: 'busy',
    monroney_worker_queue_length: 'waiting',
  } as const;
  for (const [name, field] of Object.entries(gauges) as [
    keyof typeof gauges,
    'workers' | 'busy' | 'waiting',
  ][])
    metrics.read(name, () => pools.map(([pool, { load }]) => [{ pool }, load()[field]]));
  return {
    async text(pdf, turn) {
      if (pdf.length > MAX_PDF_BYTES) return { ok: false, reason: 'memory' };
      const opened = await texts.open({ ...turn, job: EXTRACT_TEXT, body: pdf });
      if (!opened.ok) return opened;
      return opened.result ? { ok: true, text: opened.result as LabelText } : BROKEN;
    },
    async preview(pdf, width, turn) {
      if (pdf.length > MAX_PDF_BYTES) return { ok: false, reason: 'memory' };
      const job: PreviewJob = { width };
      const drawn = await previews.open({ ...turn, job, body: pdf });
      if (!drawn.ok) return drawn;
      const height = (drawn.result as Drawing | null)?.height;
      if (!Number.isInteger(height)) return BROKEN;
      const picture: PictureJob = { webp: { width, height: height! } };
      const made = await pictures.open({ ...turn, job: picture, body: drawn.body });
      return made.ok ? { ok: true, webp: made.body } : made;
    },
    async card(card, stickers, client) {
      const job: PictureJob = { card: { ...card, lengths: stickers.map(({ length }) => length) } };
      // As an owner of its own, so that cards take turns with the pictures of labels.
      const body = Buffer.concat(stickers);
      const made = await pictures.open({ owner: 'card', client, job, body, bytes: card.svg.length });
      return made.ok ? { ok: true, png: made.body } : made;
    },
    run: texts.open,
    async close() {
      await Promise.all(pools.map(([, pool]) => pool.close()));
    },
  };
}

const BROKEN: Unreadable = { ok: false, reason: 'broken' };
