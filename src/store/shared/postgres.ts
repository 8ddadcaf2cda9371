import pg from 'pg';
import type { Log } from '../../lib/log.ts';
import { withTimeout } from '../../lib/promises.ts';
import { NoStore, StoreUnavailable } from '../errors.ts';
import {
  CACHE_SCHEMA,
  inDialect,
  MAIN_SCHEMA,
  POSTGRES,
  SCHEMA_VERSION,
  type Sql,
  type Value,
} from '../sql.ts';
import type { StoreOptions } from '../store.ts';
import { certificateError, postgresOptions } from './connection-settings.ts';
import { failFast } from './fail-fast.ts';

/** A query that takes longer than this has failed. */
const QUERY_TIMEOUT_MS = 2000;
const CONNECT_TIMEOUT_MS = 2000;
const MAX_CONNECTIONS = 10;
const INT8 = 20;

/** The same for all instances: `MONR` in ASCII. */
const LOCK_ID = 0x4d_4f_4e_52;
const MIGRATION_TIMEOUT_MS = 600_000;

const RETRY_MS = 2000;
/** After this time the service starts without waiting for the migration; it is not ready until then. */
const START_TIMEOUT_MS = 3000;

/** `statement_timeout` is set here because PgBouncer refuses it among the startup parameters. */
const SET_UP = `
  SELECT pg_backend_pid() = $1::integer AS direct,
    CASE WHEN pg_backend_pid() = $1::integer THEN set_config('statement_timeout', $2::text, false) END`;

/** All our bigints are milliseconds, bytes and counts, which are exact as numbers. */
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
};

/** PostgreSQL, with statements that each connection prepares once (not behind a pooler). */
export function openPostgres(url: string, log: Log, timeoutFactor = 1) {
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
    run: (sql: string) => {
      const query = prepare(sql);
      return async (...values: Value[]) => (await query(values)).rowCount ?? 0;
    },
    get up(): boolean {
      return guard.up;
    },
    close: () => pool.end(),
  } satisfies Sql & Record<'up' | 'close', unknown>;
}

/**
 * Wrong SQL, wrong values and broken constraints are bugs of ours; anything else is a failure of the server or the
 * network. A missing table or column (42P01, 42703) appears when the database is migrated.
 */
function asStoreError(error: unknown): unknown {
  const code = error instanceof pg.DatabaseError ? (error.code ?? '') : '';
  if (/^(22|23|42)/.test(code) && code !== '42P01' && code !== '42703') return error;
  return new StoreUnavailable(`PostgreSQL is unavailable: ${(error as Error).message}`, { cause: error });
}

/** Formats before 1.0 were never released. */
class OlderSchema extends Error {
  constructor(version: number) {
    super(
      `DATABASE_URL names a database of a version before 1.0 (schema ${version}), which this one can't read: use an empty one.`,
    );
  }
}

/**
 * Creates our tables. When several instances start together, one does it while the others wait for the lock. A newer database
 * is left unchanged: later versions keep the previous one working. Unless `mayCreate`, throws `NoStore` if there are no tables.
 */
export async function migrate(url: string, log: Log, mayCreate = true, signal?: AbortSignal): Promise<void> {
  const client = new pg.Client({
    ...postgresOptions(url),
    connectionTimeoutMillis: 5000,
    query_timeout: MIGRATION_TIMEOUT_MS,
  });
  // A broken connection fails its query; without a listener the error event would end the process too.
  client.on('error', () => {});
  const stop = () => void client.end().catch(() => {});
  signal?.addEventListener('abort', stop);
  try {
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK_ID]);
    await client.query('CREATE TABLE IF NOT EXISTS schema_version (version integer NOT NULL)');
    const { rows } = await client.query<{ version: number }>(
      'SELECT max(version) AS version FROM schema_version',
    );
    const from = rows[0]?.version ?? 0;
    if (from > 0 && from < SCHEMA_VERSION) throw new OlderSchema(from);
    if (from === 0 && !mayCreate) throw new NoStore('The database of DATABASE_URL has no store.');
    if (from === 0) {
      await client.query(inDialect(POSTGRES, MAIN_SCHEMA + CACHE_SCHEMA));
      await client.query('INSERT INTO schema_version VALUES ($1)', [SCHEMA_VERSION]);
    }
    await client.query('COMMIT');
    if (from === 0) log.info('store: migrated the database', { from, to: SCHEMA_VERSION });
    if (from > SCHEMA_VERSION) log.info('store: the database is newer than this program', { version: from });
  } catch (error) {
    throw error instanceof OlderSchema || error instanceof NoStore ? error : asStoreError(error);
  } finally {
    signal?.removeEventListener('abort', stop);
    await client.end().catch(() => {});
  }
}

/**
 * Migrates now, or as soon as the database can be reached; until then the instance runs without it. A permanent error
 * (wrong password, no such database) aborts the start.
 */
export async function startMigration(
  url: string,
  log: Log,
  { mayCreate = true, timeoutFactor = 1 }: Pick<StoreOptions, 'mayCreate' | 'timeoutFactor'> = {},
) {
  let done = false;
  let reported = false;
  const stopping = new AbortController();
  let retryTimer: NodeJS.Timeout | undefined;
  const logError = ({ message }: Error) => log.error('store: cannot use the database', { error: message });
  const attempt = async (): Promise<void> => {
    try {
      await migrate(url, log, mayCreate, stopping.signal);
      done = true;
    } catch (error) {
      if (stopping.signal.aborted) return;
      const untrusted = certificateError('DATABASE_URL', error, 'as sslrootcert=… in the URL or ');
      if (untrusted) throw untrusted;
      if (!(error instanceof StoreUnavailable) || isRefusal(error.cause)) throw error;
      // Only the first at a level that operators see: an outage can last for hours.
      log[reported ? 'debug' : 'error']('store: cannot reach the database; retrying', {
        error: error.message,
      });
      reported = true;
      retryTimer = setTimeout(() => {
        attempt().catch(logError);
      }, RETRY_MS);
    }
  };
  const first = attempt();
  // A command that must find a store has nothing to do before it is known.
  if (!mayCreate) await first;
  else if ((await withTimeout(START_TIMEOUT_MS * timeoutFactor, first, 'late')) === 'late') {
    log.warn('store: the migration is slow; starting without the database');
    first.catch(logError);
  }
  return {
    get done(): boolean {
      return done;
    },
    stop(): void {
      clearTimeout(retryTimer);
      stopping.abort();
    },
  };
}

const isRefusal = (cause: unknown) =>
  cause instanceof pg.DatabaseError
    ? /^(28|3D)/.test(cause.code ?? '')
    : cause instanceof Error && cause.message === 'The server does not support SSL connections';
