import pg from 'pg';
import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../errors.ts';
import { inDialect, POSTGRES, type Sql, type Value } from '../sql.ts';
import { failFast } from './fail-fast.ts';
import { postgresOptions } from './connection-settings.ts';

/** A query that takes longer than this has failed. */
const QUERY_TIMEOUT_MS = 2000;
const CONNECT_TIMEOUT_MS = 2000;
const MAX_CONNECTIONS = 10;
const INT8 = 20;

/** `statement_timeout` is set here because PgBouncer refuses it among the startup parameters. */
const SET_UP = `
  SELECT pg_backend_pid() = $1::integer AS direct,
    CASE WHEN pg_backend_pid() = $1::integer THEN set_config('statement_timeout', $2::text, false) END`;

/** PostgreSQL, with statements that each connection prepares once (not behind a pooler). */
interface Postgres extends Sql {
  readonly up: boolean;
  close(): Promise<void>;
}

/** All our bigints are milliseconds, bytes and counts, which are exact as numbers. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
};

export function openPostgres(url: string, log: Log, timeoutFactor = 1): Postgres {
  const queryTimeoutMs = QUERY_TIMEOUT_MS * timeoutFactor;
  const pool = new pg.Pool({
    ...postgresOptions(url),
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS * timeoutFactor,
    query_timeout: queryTimeoutMs,
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
      values: [processID, queryTimeoutMs],
    });
    pooled = !rows[0]!.direct;
  }
  // An idle connection that breaks is replaced by the next query.
  pool.on('error', (error) => log.debug('postgres: a connection was lost', { error: error.message }));
  const guard = failFast('PostgreSQL', log);
  let statements = 0;

  function prepare<Row extends unknown[]>(sql: string) {
    const text = inDialect(POSTGRES, sql);
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
