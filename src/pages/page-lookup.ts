import { isVin, parseVin, tidyVin, vinsIn, type ParsedVin } from '@monroney/vin';
import { failsCheckDigit, type LookupResult } from '../lookup/finding.ts';
import type { PageContext } from './page-context.ts';

/** The VIN that a path means, or why there is none. A VIN that differs from what was typed belongs at another URL. */
export function vinFrom(typed: string): string | Extract<ParsedVin, { ok: false }> {
  const parsed = parseVin(typed);
  if (parsed.ok) return parsed.vin;
  const tidy = tidyVin(typed.slice(0, 200));
  const [first, second] = isVin(tidy) ? [tidy] : vinsIn(typed);
  return first && !second ? first : parsed;
}

/**
 * Looks up a VIN for a page. A wrong check digit must be confirmed before anybody is asked about it: if it is `mistyped`, no
 * manufacturer was.
 */
export async function findForPage(
  { lookup }: Pick<PageContext, 'lookup'>,
  client: string,
  vin: string,
  maxWaitMs: number,
  isConfirmed = false,
): Promise<{ result: LookupResult; mistyped: boolean }> {
  if (!isConfirmed) {
    const stored = await lookup.find(vin, { sticker: false });
    if (stored.finding.state === 'held') return { result: stored, mistyped: false };
    if (failsCheckDigit(stored.decoded)) return { result: stored, mistyped: true };
  }
  return { result: await lookup.find(vin, { sticker: true, maxWaitMs, client }), mistyped: false };
}
