import pg from 'pg';
import type { Log } from '../../lib/log.ts';
import { withTimeout } from '../../lib/promises.ts';
import { NoStore, StoreUnavailable } from '../errors.ts';
import { postgresOptions, certificateError } from './connection-settings.ts';
import { asStoreError } from './postgres.ts';
import { CACHE_SCHEMA, inDialect, MAIN_SCHEMA, POSTGRES, SCHEMA_VERSION } from '../sql.ts';

/** The same for all instances: `MONR` in ASCII. */
const LOCK_ID = 0x4d_4f_4e_52;
const QUERY_TIMEOUT_MS = 600_000;

/** Formats before 1.0 were never released. */
class OlderSchema extends Error {
  constructor(version: number) {
    super(
      `DATABASE_URL names a database of a version before 1.0 (schema ${version}), which this one can't read: use an empty one.`,
    );
  }
}

interface MigrationOptions {
  /** False: throws `NoStore` if there are no tables. */
  mayCreate?: boolean;
  signal?: AbortSignal;
}

/**
 * Creates our tables. When several instances start together, one does it while the others wait for the lock. A newer database
 * is left unchanged: later versions keep the previous one working.
 */
export async function migrate(
  url: string,
  log: Log,
  { mayCreate = true, signal }: MigrationOptions = {},
): Promise<void> {
  const client = new pg.Client({
    ...postgresOptions(url),
    connectionTimeoutMillis: 5000,
    query_timeout: QUERY_TIMEOUT_MS,
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

const RETRY_MS = 2000;
/** After this time the service starts without waiting for the migration; it is not ready until then. */
const START_TIMEOUT_MS = 3000;

interface Migration {
  readonly done: boolean;
  stop(): void;
}

/**
 * Migrates now, or as soon as the database can be reached; until then the instance runs without it. A permanent error
 * (wrong password, no such database) aborts the start.
 */
export async function startMigration(
  url: string,
  log: Log,
  { mayCreate = true, timeoutFactor = 1 }: { mayCreate?: boolean; timeoutFactor?: number | undefined } = {},
): Promise<Migration> {
  let done = false;
  let reported = false;
  const stopping = new AbortController();
  let retryTimer: NodeJS.Timeout | undefined;
  const logError = ({ message }: Error) => log.error('store: cannot use the database', { error: message });
  const attempt = async (): Promise<void> => {
    try {
      await migrate(url, log, { mayCreate, signal: stopping.signal });
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
    get done() {
      return done;
    },
    stop() {
      clearTimeout(retryTimer);
      stopping.abort();
    },
  };
}

const isRefusal = (cause: unknown) =>
  cause instanceof pg.DatabaseError
    ? /^(28|3D)/.test(cause.code ?? '')
    : cause instanceof Error && cause.message === 'The server does not support SSL connections';
