import { randomUUID } from 'node:crypto';
import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../store.ts';
import type { Postgres } from './postgres.ts';

/** A holder that dies is noticed after this long; one that lives renews three times as often. */
const LEASE_MS = 6000;
const POLL_MS = 250;
/** Longer than any fetch may take with all its tries. */
const PATIENCE_MS = 60_000;
/** By the database's clock, in milliseconds. */
const DB_NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * One fetch per VIN, by a row in PostgreSQL: it holds while Redis is away or has lost its leases, and for a few seconds
 * also while the holder is cut off from PostgreSQL.
 */
export interface FetchLeases {
  /** Rejects with `StoreUnavailable` when PostgreSQL cannot be reached: what is fetched then could not be kept either. */
  under<T>(vin: string, work: () => Promise<T>): Promise<T>;
}

export function fetchLeases(db: Postgres, log: Log): FetchLeases {
  const take = db.run(`INSERT INTO fetches (vin, holder, until) VALUES ($1, $2, ${DB_NOW} + ${LEASE_MS})
    ON CONFLICT (vin) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE fetches.until <= ${DB_NOW}`);
  const renew = db.run(`UPDATE fetches SET until = ${DB_NOW} + ${LEASE_MS} WHERE vin = $1 AND holder = $2`);
  const end = db.run('DELETE FROM fetches WHERE vin = $1 AND holder = $2');

  async function lease(vin: string, holder: string): Promise<void> {
    const until = performance.now() + PATIENCE_MS;
    while ((await take(vin, holder)) === 0) {
      if (performance.now() > until)
        throw new StoreUnavailable('Another instance fetches this VIN for too long.');
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  return {
    async under(vin, work) {
      const holder = randomUUID();
      await lease(vin, holder);
      const renewal = setInterval(() => {
        renew(vin, holder).then(
          (renewed) => renewed || log.warn('fetch lease lost while working; another instance may ask too'),
          () => {},
        );
      }, LEASE_MS / 3);
      try {
        return await work();
      } finally {
        clearInterval(renewal);
        // Unanswered, it ends by itself.
        await end(vin, holder).catch(() => {});
      }
    },
  };
}
