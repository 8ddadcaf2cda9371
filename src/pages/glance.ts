import { codeOf, cacheControl, retryAfterSecondsOf } from '../lookup/finding-response.ts';
import { priceNew } from './everyday-words.ts';
import type { FastifyRequest } from 'fastify';
import { isTemporary } from '@monroney/label/read-text';
import { withReading, type LookupResult } from '../lookup/finding.ts';
import { capitalize } from '@monroney/label/lib/words';
import type { Label } from '@monroney/label/reading/types';
import { readNow } from './held.ts';
import { withoutLabelWords } from './no-label.ts';
import { queryOf, type PageContext } from './page-context.ts';
import { findForPage } from './page-lookup.ts';
import type { PageOptions } from './respond.ts';

/** What another site shows of a car, in a frame, as a badge or as a picture. Its visitors never see an error. */
export interface Glance {
  result: LookupResult;
  /** `waiting`: it may be known soon. `unknown`: it won't be while somebody looks at it. */
  status: 'sticker' | 'none' | 'waiting' | 'unknown';
  /** Whether the site wants nothing shown for a car without a sticker (`?none=hide`), and this is one. */
  isHidden: boolean;
  /** What the sticker says; null if there is none, or none that we can read. */
  label: Label | null;
  /** `$50,410 new`; null also if the site wants no price shown (`?text=plain`). */
  price: string | null;
  /** `original sticker`; why there is none otherwise. */
  sticker: string;
  /** Seconds until it makes sense to ask again. */
  retryAfter: number;
  /** Cached as long as the lookup would be. */
  response: PageOptions & { cacheControl: string };
}

/** What is shown of a car about which nothing is known yet. It leads to the sticker's page. */
export const NEUTRAL = 'View window sticker';

/** How long to wait for a lookup. Longer would use up the visitor's connections, if there are many cars on a page. */
const MAX_WAIT_MS = 150;

export async function glance(context: PageContext, request: FastifyRequest, vin: string): Promise<Glance> {
  const { visitor } = request;
  const { result: found, mistyped } = await findForPage(context, visitor, vin, MAX_WAIT_MS);
  const { finding } = found;
  const reading = finding.state === 'held' ? await readNow(context, finding.label) : null;
  const isUnread = reading !== null && isTemporary(reading);
  const result = withReading(found, reading);
  const status = isUnread ? 'waiting' : mistyped ? 'unknown' : statusOf(result);
  const price = isPlain(request) ? null : priceNew(reading);
  return {
    result,
    status,
    isHidden: hidesNone(request) && (mistyped || HAS_NONE.has(finding.state)),
    label: reading?.label ?? null,
    price: price && `${price} new`,
    sticker: stickerWords(result, status),
    retryAfter: retryAfterSecondsOf(finding) ?? 2,
    response: {
      status: finding.state === 'withdrawn' ? 451 : 200,
      cacheControl: isUnread ? 'no-store' : cacheControl(result),
    },
  };
}

/** `?text=plain`: never a price. */
export const isPlain = (request: FastifyRequest): boolean => queryOf(request, 'text') === 'plain';
/** `?none=hide`: nothing for a car without a sticker. */
export const hidesNone = (request: FastifyRequest): boolean => queryOf(request, 'none') === 'hide';

/** Findings of cars that have no sticker, or none that anybody can get. */
const HAS_NONE: ReadonlySet<string> = new Set(['none', 'no-source', 'withdrawn']);

function statusOf(result: LookupResult): Glance['status'] {
  const { finding } = result;
  switch (finding.state) {
    case 'held':
      return 'sticker';
    case 'none':
    case 'withdrawn':
      return 'none';
    case 'no-source':
      // If we don't know the make, we don't know whether it publishes stickers.
      return codeOf(result) === 'make-not-supported' && result.decoded.vehicle?.make ? 'none' : 'unknown';
    case 'off':
      return 'unknown';
    default:
      return 'waiting';
  }
}

/** What a badge says. */
export function badgeWords({ price, sticker, status }: Glance): string {
  return price && status === 'sticker' ? `${price} · ${sticker}` : capitalize(sticker);
}

function stickerWords(result: LookupResult, status: Glance['status']): string {
  const { source, specimen } = result;
  if (status === 'sticker')
    return specimen ? 'sample sticker' : source?.kind === 'dealer-copy' ? 'sticker copy' : 'original sticker';
  const words = status === 'none' ? capitalize(withoutLabelWords(result)) : NEUTRAL;
  return specimen ? `Sample · ${words}` : words;
}
