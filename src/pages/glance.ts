import { priceNew } from './everyday-words.ts';
import type { FastifyRequest } from 'fastify';
import { cacheControl } from '../lookup/finding-response.ts';
import { isTemporary } from '@monroney/label/read-text';
import { withReading, type LookupResult } from '../lookup/finding.ts';
import { capitalize } from '@monroney/label/lib/words';
import type { Label } from '@monroney/label/reading/types';
import { readNow } from './held.ts';
import { MISTYPED } from './mistyped.ts';
import { withoutLabelWords } from './no-label.ts';
import type { PageContext } from './page-context.ts';
import { findForPage } from './page-lookup.ts';
import type { PageOptions } from './respond.ts';

/** What another site shows of a car, in a frame or as a badge. */
export interface Glance {
  result: LookupResult;
  mistyped: boolean;
  /** What the sticker says; null if there is none, or none that we can read. */
  label: Label | null;
  /** `$50,410 new` */
  price: string | null;
  /** `original sticker`; why there is none otherwise. */
  sticker: string;
  /** Cached as long as the lookup would be. */
  response: PageOptions & { cacheControl: string };
}

export async function glance(
  context: PageContext,
  { visitor }: FastifyRequest,
  vin: string,
  maxWaitMs: number,
): Promise<Glance> {
  const { result: found, mistyped } = await findForPage(context, visitor, vin, maxWaitMs);
  const { finding } = found;
  const reading = finding.state === 'held' ? await readNow(context, finding.label) : null;
  const result = withReading(found, reading);
  const label = reading?.label ?? null;
  const price = priceNew(reading);
  return {
    result,
    mistyped,
    label,
    price: price && `${price} new`,
    sticker: stickerWords(result, mistyped),
    response: {
      status: finding.state === 'withdrawn' ? 451 : 200,
      // Read a moment later, it may have a price.
      cacheControl: reading && isTemporary(reading) ? 'no-store' : cacheControl(result),
    },
  };
}

function stickerWords(result: LookupResult, mistyped: boolean): string {
  const { finding, source, specimen } = result;
  if (finding.state === 'held')
    return specimen ? 'sample sticker' : source?.kind === 'dealer-copy' ? 'sticker copy' : 'original sticker';
  const missing = mistyped ? MISTYPED : withoutLabelWords(result);
  return specimen ? `Sample · ${missing}` : capitalize(missing);
}
