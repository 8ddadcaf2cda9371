import pg from 'pg';
import type { Log } from '../../lib/log.ts';

const QUERY_MS = 2000;
const POLL_MS = 250;
/** Longer than any fetch may take with all its tries. */
const PATIENCE_MS = 60_000;

/**
 * Advisory locks of PostgreSQL on one connection: one fetch per VIN, also while Redis is away or has lost its leases.
 * The locks end with the connection, so a dead instance holds none. (They are session locks: a connection pooler in
 * front of PostgreSQL must not be in transaction mode.)
 */
export interface VinLocks {
  /** Runs the work under the VIN's lock, or without it when PostgreSQL cannot be reached: then nobody is asked anyway. */
  under<T>(vin: string, work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function openVinLocks(url: string, log: Log): VinLocks {
  let connecting: Promise<pg.Client> | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  function connection(): Promise<pg.Client> {
    connecting ??= connect().catch((error: unknown) => {
      connecting = null;
      throw error;
    });
    return connecting;
  }

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: QUERY_MS,
      query_timeout: QUERY_MS,
      keepAlive: true,
      application_name: 'monroney locks',
    });
    const lost = () => {
      connecting = null;
    };
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    return client;
  }

  /** One query at a time, as the client wants it. */
  function ask(client: pg.Client, sql: string, vin: string): Promise<boolean> {
    const answer = turn.then(() => query(client, sql, vin));
    turn = answer.catch(() => {});
    return answer;
  }

  /** A query that fails leaves the connection in doubt: it is closed, and its locks end with it. */
  async function query(client: pg.Client, sql: string, vin: string): Promise<boolean> {
    try {
      const { rows } = await client.query<{ done: boolean }>(
        `SELECT ${sql}(hashtextextended('fetch ' || $1, 0)) AS done`,
        [vin],
      );
      return rows[0]!.done;
    } catch (error) {
      connecting = null;
      void client.end().catch(() => {});
      throw error;
    }
  }

  async function take(vin: string): Promise<pg.Client | null> {
    const until = performance.now() + PATIENCE_MS;
    try {
      const client = await connection();
      while (!(await ask(client, 'pg_try_advisory_lock', vin))) {
        if (performance.now() > until) throw new Error('another instance holds the lock for too long');
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      return client;
    } catch (error) {
      log.debug('vin lock not taken', { error: (error as Error).message });
      return null;
    }
  }

  return {
    async under(vin, work) {
      const client = await take(vin);
      try {
        return await work();
      } finally {
        if (client) await ask(client, 'pg_advisory_unlock', vin).catch(() => {});
      }
    },
    async close() {
      const client = await connecting?.catch(() => null);
      await client?.end().catch(() => {});
    },
  };
}
