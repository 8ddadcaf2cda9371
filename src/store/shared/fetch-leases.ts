import { randomUUID } from 'node:crypto';
import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../store.ts';
import type { Postgres } from './postgres.ts';

/** Renewed after a third of this time. */
const LEASE_MS = 6000;
const POLL_MS = 250;
/** Longer than any fetch takes with all its retries. */
const ACQUIRE_TIMEOUT_MS = 60_000;
/** The database's clock in milliseconds. */
const DB_NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/**
 * One fetch per VIN, with a lease in PostgreSQL. Works while Redis is down or has lost its leases, and for a few seconds
 * while the holder is cut off from PostgreSQL.
 */
export interface FetchLeases {
  /** Rejects with `StoreUnavailable` when PostgreSQL can't be reached: the fetched label could not be kept either. */
  withLease<T>(vin: string, work: () => Promise<T>): Promise<T>;
}

export function fetchLeases(db: Postgres, log: Log): FetchLeases {
  const acquire = db.run(`INSERT INTO fetches (vin, holder, until) VALUES ($1, $2, ${DB_NOW} + ${LEASE_MS})
    ON CONFLICT (vin) DO UPDATE SET holder = excluded.holder, until = excluded.until WHERE fetches.until <= ${DB_NOW}`);
  const renew = db.run(`UPDATE fetches SET until = ${DB_NOW} + ${LEASE_MS} WHERE vin = $1 AND holder = $2`);
  const release = db.run('DELETE FROM fetches WHERE vin = $1 AND holder = $2');

  async function waitForLease(vin: string, holder: string): Promise<void> {
    const deadline = performance.now() + ACQUIRE_TIMEOUT_MS;
    while ((await acquire(vin, holder)) === 0) {
      if (performance.now() > deadline)
        throw new StoreUnavailable('Timeout: another instance is still fetching this VIN.');
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  return {
    async withLease(vin, work) {
      const holder = randomUUID();
      await waitForLease(vin, holder);
      const renewal = setInterval(() => {
        renew(vin, holder).then(
          (renewed) =>
            renewed || log.warn('lease: lost the lease of a running fetch; another instance may fetch too'),
          () => {},
        );
      }, LEASE_MS / 3);
      try {
        return await work();
      } finally {
        clearInterval(renewal);
        // If this fails, the lease expires.
        await release(vin, holder).catch(() => {});
      }
    },
  };
}
