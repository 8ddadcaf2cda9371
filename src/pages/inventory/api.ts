import type { BatchResult, LabelResponse } from '@monroney/client';
import { carName } from '@monroney/label/lib/names';
import { paintName } from '@monroney/label/lib/option-names';
import { labelCells, NOTHING, type StickerCells } from '../../tables/browser.ts';
import type { Outcome } from './lookups.ts';
import type { Pace } from './pace.ts';

/** The requests of the page, and what their responses mean for a car. Runs in the browser. */

/** What the VIN says about a car. */
export interface Decoded {
  vehicle: BatchResult['vehicle'] | null;
  name: string | null;
  /** In capitals; empty if unknown. */
  make: string;
  warning: string | null;
  suggested: string | null;
  /** What is known about its sticker without a lookup; null if it has to be looked up. */
  cells: StickerCells | null;
  /** Whether the service has its sticker. */
  isStored: boolean;
}

export const MAX_BATCH = 50;
/** Where a response doesn't say when to ask again. */
const RETRY_MS = 10_000;

interface Api {
  /** Decodes up to 50 VINs; null if that has to wait. */
  decode(vins: readonly string[]): Promise<Map<string, Decoded> | null>;
  lookUp(vin: string, decoded: Decoded): Promise<Outcome>;
}

export function createApi({
  origin,
  pace,
  fetch,
}: {
  origin: string;
  pace: Pace;
  fetch: typeof globalThis.fetch;
}): Api {
  const pageOf = (vin: string) => `${origin}/window-sticker/${vin}`;
  return {
    async decode(vins) {
      const response = await fetch('/api/v1/decode', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ vins }),
      }).catch(() => null);
      if (response) pace.observe(response);
      if (!response?.ok) return null;
      const { results } = (await response.json()) as { results: BatchResult[] };
      return new Map(results.map((result) => [result.vin, decodedOf(result, pageOf(result.vin))]));
    },
    async lookUp(vin, { vehicle, name }) {
      const response = await fetch(`/api/v1/vin/${vin}/label`, {
        headers: { accept: 'application/json' },
      }).catch(() => null);
      if (!response) return { kind: 'later', retryAfterMs: RETRY_MS, isAll: true };
      pace.observe(response);
      const body = (await response.json().catch(() => null)) as LabelResponse | Problem | null;
      if (response.ok && body && 'label' in body) {
        const paint = body.label?.exterior?.color;
        const names = { car: carName(vehicle ?? null, body.label), paint: paint ? paintName(paint) : null };
        return { kind: 'known', cells: { ...labelCells(body, names), page: pageOf(vin) } };
      }
      const reason = (body && 'reason' in body && body.reason) || 'internal';
      const retryAfterMs = Number(response.headers.get('retry-after')) * 1000 || RETRY_MS;
      return outcomeOf(reason, { ...NOTHING, name, page: pageOf(vin) }, retryAfterMs);
    },
  };
}

interface Problem {
  reason?: string;
}

const UNSUPPORTED = new Set(['make-not-supported', 'make-unknown', 'manufacturer-unknown']);
/** Reasons that are an answer. Others are about the moment. */
const NONE = new Set(['no-label', 'withdrawn']);
/** Reasons to ask again that have nothing to do with the car's source. */
const OURS = new Set(['too-many-requests', 'network', 'store-unavailable']);
const LATER = new Set(['ask-limit', 'still-asking', 'busy']);

function outcomeOf(reason: string, cells: StickerCells, retryAfterMs: number): Outcome {
  if (UNSUPPORTED.has(reason)) return { kind: 'known', cells: { ...cells, sticker: 'unsupported', reason } };
  if (NONE.has(reason)) return { kind: 'known', cells: { ...cells, sticker: 'none', reason } };
  if (OURS.has(reason)) return { kind: 'later', retryAfterMs, isAll: true };
  if (LATER.has(reason)) return { kind: 'later', retryAfterMs, isAll: false };
  const unknown = { ...cells, sticker: 'unknown', reason };
  return reason === 'source-off' || reason === 'bad-vin'
    ? { kind: 'known', cells: unknown }
    : { kind: 'failed', cells: unknown, retryAfterMs };
}

function decodedOf(result: BatchResult, page: string): Decoded {
  const { vehicle = null, windowSticker, warning = null, suggestedVin } = result;
  const name = vehicle && carName(vehicle);
  const known = windowSticker?.available === false ? windowSticker.reason : null;
  const outcome = known ? outcomeOf(known, { ...NOTHING, name, page }, 0) : null;
  return {
    vehicle,
    name,
    make: vehicle?.make ?? '',
    warning,
    suggested: suggestedVin,
    cells: outcome?.kind === 'known' ? outcome.cells : null,
    isStored: windowSticker?.available === true,
  };
}
