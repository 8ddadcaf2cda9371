import type { Decoded } from '@monroney/vin';
import type { Log } from '../lib/log.ts';
import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Source } from '../makers/maker.ts';
import type { LabelText, Reading } from '../reading/types.ts';
import { LabelWithdrawn, type HeldLabel, type Miss, type Store } from '../store/store.ts';
import type { TimedOutcome } from './ask.ts';
import type { DerivedCache } from './derived-cache.ts';
import type { Finding } from './finding.ts';
import { missTtlMs } from './finding-response.ts';
import type { OutcomeWithoutLabel } from './source-status.ts';

/** Stores what a source sent: a label with its reading, or that it has none. */
export function outcomeStore(
  {
    store,
    derived,
    log,
    now,
  }: {
    store: Pick<Store, 'keep' | 'keepMiss' | 'keepText' | 'keepReading'>;
    derived: Pick<DerivedCache, 'readFresh'>;
    log: Log;
    now(): number;
  },
  stored: { withdrawal(vin: string): MaybePromise<Finding | null>; failure(error: unknown): Finding },
) {
  /** Reads and stores a label that a source sent. */
  async function keepLabel(
    vin: string,
    decoded: Decoded,
    source: Source,
    outcome: Extract<TimedOutcome, { kind: 'label' }>,
  ): Promise<Finding> {
    const make = decoded.vehicle?.make ?? source.makes[0]!;
    const reading = await derived.readFresh(vin, make, outcome);
    try {
      const label = await store.keep(
        {
          vin,
          make,
          source: source.id,
          host: outcome.host,
          fetched: now(),
          paint: reading?.paint ?? null,
          reader: reading?.reader ?? null,
        },
        outcome.pdf,
      );
      setImmediate(() => void storeDerived(label, outcome.text, reading));
      log.info('label stored', {
        source: source.id,
        make,
        bytes: label.bytes,
        ms: Math.round(outcome.ms),
      });
      return { state: 'held', label };
    } catch (error) {
      const gone = error instanceof LabelWithdrawn ? await stored.withdrawal(vin) : null;
      return gone ?? stored.failure(error);
    }
  }

  /** In the background: text and reading can be derived again, so a failure does not affect the label. */
  async function storeDerived(label: HeldLabel, text: LabelText | undefined, reading: Reading | null) {
    try {
      if (text) await store.keepText(label.sha256, text);
      if (reading) await store.keepReading(label.sha256, reading);
    } catch (error) {
      log.warn('cannot store a reading', { source: label.source, error: String(error) });
    }
  }

  function missOf(vin: string, decoded: Decoded, source: Source, outcome: OutcomeWithoutLabel): Miss {
    const at = now();
    const year = Number(decoded.vehicle?.year) || null;
    const until = at + missTtlMs(outcome, source, year, at);
    return { vin, source: source.id, kind: outcome.kind, why: outcome.why, at, until };
  }

  async function keepMiss(miss: Miss): Promise<void> {
    try {
      await store.keepMiss(miss);
    } catch (error) {
      stored.failure(error);
    }
    log.info('no label', { source: miss.source, outcome: miss.kind, why: miss.why });
  }

  return { keepLabel, missOf, keepMiss };
}
