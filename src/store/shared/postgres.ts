import pg from 'pg';
import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../legacy-store.ts';
import { breaker } from './breaker.ts';
import { postgresOptions } from './connection-settings.ts';

/** A query that takes longer than this has failed. */
const QUERY_TIMEOUT_MS = 2000;
const CONNECT_TIMEOUT_MS = 2000;
const MAX_CONNECTIONS = 10;
const INT8 = 20;

/** SQL for the database's clock in milliseconds, because an instance's own clock may be wrong. */
export const DB_NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

export type Value = string | number | boolean | null | Uint8Array | readonly (string | number | null)[];

/** `statement_timeout` is set here because PgBouncer refuses it among the startup parameters. */
const SET_UP = `
  SELECT pg_backend_pid() = $1::integer AS direct,
    CASE WHEN pg_backend_pid() = $1::integer THEN set_config('statement_timeout', $2::text, false) END`;

/** PostgreSQL, with statements that each connection prepares once (not behind a pooler). */
export interface Postgres {
  one<Row extends unknown[]>(sql: string): (...values: Value[]) => Promise<Row | null>;
  all<Row extends unknown[]>(sql: string): (...values: Value[]) => Promise<Row[]>;
  /** Returns the number of changed rows. */
  run(sql: string): (...values: Value[]) => Promise<number>;
  /** Runs the work under the advisory lock of this name. */
  withLock<T>(lock: string, work: () => Promise<T>): Promise<T>;
  readonly up: boolean;
  close(): Promise<void>;
}

/** All our bigints are milliseconds, bytes and counts, which are exact as numbers. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
};

export function openPostgres(url: string, log: Log): Postgres {
  const pool = new pg.Pool({
    ...postgresOptions(url),
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
    application_name: 'monroney',
    types,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool awaits it; its types don't say so
    onConnect: setUp,
  });
  // Behind PgBouncer in transaction mode the next query may run on another server connection: prepared statements and
  // session settings would not be there.
  let pooled = false;

  /** A pooler makes up the process id it announces, so it differs from the server's own. */
  async function setUp(client: pg.ClientBase): Promise<void> {
    // A broken connection fails its query; without a listener the error event would end the process too.
    client.on('error', () => {});
    const { processID } = client as pg.ClientBase & { processID: number };
    const { rows } = await client.query<{ direct: boolean }>({
      text: SET_UP,
      values: [processID, QUERY_TIMEOUT_MS],
    });
    pooled = !rows[0]!.direct;
  }
  // An idle connection that breaks is replaced by the next query.
  pool.on('error', (error) => log.debug('postgres: a connection was lost', { error: error.message }));
  const guard = breaker('PostgreSQL', { log });
  let statements = 0;

  function prepare<Row extends unknown[]>(text: string) {
    const name = `monroney_${++statements}`;
    return (values: Value[]) =>
      guard.run(async () => {
        let client: pg.PoolClient | undefined;
        try {
          client = await pool.connect();
          const named = pooled ? {} : { name };
          const result = await client.query<Row>({ ...named, text, values, rowMode: 'array' });
          client.release();
          return result;
        } catch (error) {
          client?.release(true);
          throw asStoreError(error);
        }
      });
  }

  return {
    one: <Row extends unknown[]>(sql: string) => {
      const query = prepare<Row>(sql);
      return async (...values: Value[]) => (await query(values)).rows[0] ?? null;
    },
    all: <Row extends unknown[]>(sql: string) => {
      const query = prepare<Row>(sql);
      return async (...values: Value[]) => (await query(values)).rows;
    },
    run: (sql) => {
      const query = prepare(sql);
      return async (...values) => (await query(values)).rowCount ?? 0;
    },
    async withLock(lock, work) {
      const client = await pool.connect().catch((error: unknown) => {
        throw asStoreError(error);
      });
      let broken = true;
      try {
        await client.query('BEGIN');
        await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [lock]);
        const result = await work();
        await client.query('COMMIT');
        broken = false;
        return result;
      } catch (error) {
        throw error instanceof StoreUnavailable ? error : asStoreError(error);
      } finally {
        // Closing a connection inside a transaction also releases the lock.
        client.release(broken);
      }
    },
    get up() {
      return guard.up;
    },
    close: () => pool.end(),
  };
}

/**
 * Wrong SQL, wrong values and broken constraints are bugs of ours; anything else is a failure of the server or the
 * network. A missing table or column (42P01, 42703) appears when the database is migrated.
 */
export function asStoreError(error: unknown): unknown {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  if (/^(22|23|42)/.test(code) && code !== '42P01' && code !== '42703') return error;
  return new StoreUnavailable(`PostgreSQL is unavailable: ${(error as Error).message}`, { cause: error });
}
