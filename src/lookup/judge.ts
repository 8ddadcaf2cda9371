import type { Outcome, Source } from '../makers/maker.ts';
import type { PdfWorkers } from '../pdf/pdf-workers.ts';
import { pdfIn, plainText, unwrapBase64, pdfCompleteness } from './body-kind.ts';
import { vinsIn } from '../reading/vehicles.ts';
import type { LabelText } from '../reading/types.ts';

/** What a source sent, as far as it matters to what it means. */
export interface SourceResponse {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  host: string;
  /** What was asked for, before any redirect. */
  url?: string;
}

export type Judge = (source: Source, vin: string, received: SourceResponse) => Promise<Outcome>;

/**
 * What an answer means, by its content: sources send placeholders as PDFs, PDFs as text, refusals with status 200.
 * A body becomes a label only when it is a whole PDF whose text carries this VIN and no other vehicle's.
 */
export function createJudge(
  workers: Pick<PdfWorkers, 'text'>,
  /** Begins to write what is most likely a label; answers with how to stop. */
  prepare: (pdf: Buffer) => () => void = () => () => {},
): Judge {
  async function judgeWhole(source: Source, vin: string, pdf: Buffer, missingTrailer: boolean, host: string) {
    const read = await workers.text(pdf);
    if (!read.ok && read.reason !== 'no-text') {
      const why = missingTrailer ? 'truncated' : 'unreadable';
      return { kind: 'failed', why: read.reason === 'busy' ? 'workers-busy' : why } as const;
    }
    const outcome = judgePdf(source, vin, pdf, read.ok ? read.text : null, host);
    return outcome.kind === 'label' && missingTrailer ? { ...outcome, missingTrailer } : outcome;
  }

  return async (source, vin, received) => {
    const body = unwrapBase64(received.body);
    const pdf = pdfIn(body);
    if (!pdf) return judgeText(source, received, body);
    const end = pdfCompleteness(pdf);
    if (end === 'cut') return { kind: 'failed', why: 'truncated' };
    const stop = prepare(pdf);
    let outcome: Outcome | null = null;
    try {
      outcome = await judgeWhole(source, vin, pdf, end === 'missingTrailer', received.host);
      return outcome;
    } finally {
      if (outcome?.kind !== 'label') stop();
    }
  };
}

function judgePdf(source: Source, vin: string, pdf: Buffer, text: LabelText | null, host: string): Outcome {
  const { spaced, squeezed } = flatten(text);
  const own = squeezed.includes(vin);
  // A placeholder may repeat the VIN it was asked for, but never has as much to say as a label.
  if (
    (!own || squeezed.length < LONGEST_PLACEHOLDER) &&
    source.none.some((pattern) => pattern.test(spaced))
  ) {
    return { kind: 'none', why: 'placeholder' };
  }
  const others = vinsIn(spaced).filter((found) => found.vin !== vin);
  // Whichever of the two a person would see: hidden text counts like any other, so a VIN cannot be slipped in.
  if (own && others.some(({ sure }) => sure)) return { kind: 'failed', why: 'several-vehicles' };
  const other = others.length > 0;
  const { picture } = source;
  const pictured = picture && !other && pdf.length > picture.minBytes && picture.notice.test(spaced);
  if (own || pictured) return { kind: 'label', pdf, host, ...(text ? { text } : {}) };
  return { kind: 'failed', why: other ? 'wrong-vin' : 'no-vin' };
}

const LONGEST_PLACEHOLDER = 600;

/** Labels print a VIN with dashes, spaces or in pieces; letters and digits alone are the same in all of them. */
function flatten(text: LabelText | null): { spaced: string; squeezed: string } {
  const items = text?.pages.flatMap((page) => page.items) ?? [];
  const spaced = items
    .map((item) => item.text)
    .join(' ')
    .replace(/\s+/g, ' ');
  return { spaced, squeezed: spaced.replace(/[^A-Za-z0-9]/g, '').toUpperCase() };
}

/**
 * Pages that stand at a door: what they are is plain whatever status they come with. No pattern here may read past the
 * next `<`: one that does takes quadratic time on a page of nothing but `<h1`.
 */
const BLOCK_PAGES = [
  /<(?:title|h1|h2)\b[^<>]*>[^<]*(?:access denied|forbidden|blocked|captcha|are you (?:a )?(?:human|robot))/i,
  /<title\b[^<>]*>\s*(?:just a moment|attention required|pardon our interruption|verify)/i,
  /errors\.edgesuite/i,
  /you have been blocked/i,
  /incapsula incident|unusual traffic from your/i,
];
/** Pages of a website that is unwell: even where a page means "none", these do not. */
const SICK_PAGE =
  /<(?:title|h1|h2)\b[^<>]*>[^<]*(?:error|maintenance|unavailable|temporarily|too many requests|bad gateway)/i;
const KEPT_OUT = new Set([401, 403, 407, 429, 451, 503]);
/** A source that says "too many" without saying until when. */
const TOO_MANY_MS = 30_000;

function judgeText(source: Source, received: SourceResponse, body: Buffer): Outcome {
  const { status } = received;
  const text = plainText(body);
  const retryAfterMs = retryAfter(received) ?? (status === 429 ? TOO_MANY_MS : undefined);
  const page = /<(!doctype|html|head|body|title)\b/i.test(text.slice(0, 4000));
  if (KEPT_OUT.has(status)) return { kind: 'refused', why: whyKeptOut(status), retryAfterMs };
  if ([...(source.refused ?? []), ...(page ? BLOCK_PAGES : [])].some((pattern) => pattern.test(text))) {
    return { kind: 'refused', why: 'blocked', retryAfterMs };
  }
  if (status >= 500) return { kind: 'failed', why: 'server-error', retryAfterMs };
  if (!page && source.none.some((pattern) => pattern.test(text))) return { kind: 'none', why: 'says-none' };
  const gone = status === 404 || status === 410;
  if (gone && source.notFound === 'none') return { kind: 'none', why: 'not-found' };
  const good = status >= 200 && status < 300;
  if (page && (good || gone) && source.page === 'none' && !SICK_PAGE.test(text)) {
    return { kind: 'none', why: 'page' };
  }
  if (!good) return { kind: 'failed', why: gone ? 'not-found' : 'bad-status' };
  if (text.trim() === '') {
    return source.empty === 'none' ? { kind: 'none', why: 'empty' } : { kind: 'failed', why: 'empty' };
  }
  return { kind: 'failed', why: page ? 'page' : 'unexpected' };
}

function whyKeptOut(status: number): string {
  if (status === 429) return 'too-many-requests';
  return status === 503 ? 'unavailable' : 'blocked';
}

/** Milliseconds a source asks us to stay away: it says seconds, or a date. */
function retryAfter({ headers }: SourceResponse): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const ms = /^\s*\d+\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
