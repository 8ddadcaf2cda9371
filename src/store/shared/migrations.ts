import pg from 'pg';
import type { Log } from '../../lib/log.ts';
import { StoreUnavailable } from '../legacy-store.ts';
import { postgresOptions, certificateError } from './connection-settings.ts';
import { asStoreError } from './postgres.ts';

/**
 * SQL for each schema version. Only append to it, and keep the previous version of the program working: during an upgrade
 * both run. Text is compared by bytes, so that VINs have the same order as in the embedded store.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE labels (
    vin text COLLATE "C" PRIMARY KEY,
    make text NOT NULL,
    source text NOT NULL,
    host text NOT NULL,
    fetched bigint NOT NULL,
    bytes bigint NOT NULL,
    sha256 text COLLATE "C" NOT NULL,
    color text,
    code text,
    reader text
  );
  CREATE INDEX labels_sha256 ON labels (sha256);
  CREATE TABLE makes (make text COLLATE "C" PRIMARY KEY, labels bigint NOT NULL, bytes bigint NOT NULL);
  CREATE FUNCTION count_labels() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP <> 'INSERT' THEN
      UPDATE makes SET labels = labels - 1, bytes = bytes - OLD.bytes WHERE make = OLD.make;
    END IF;
    IF TG_OP <> 'DELETE' THEN
      INSERT INTO makes VALUES (NEW.make, 1, NEW.bytes)
        ON CONFLICT (make) DO UPDATE SET labels = makes.labels + 1, bytes = makes.bytes + excluded.bytes;
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER labels_counted AFTER INSERT OR DELETE OR UPDATE OF make, bytes ON labels
    FOR EACH ROW EXECUTE FUNCTION count_labels();
  CREATE TABLE switches (source text COLLATE "C" PRIMARY KEY, state text NOT NULL, reason text, since bigint NOT NULL);
  CREATE TABLE changes (
    source text COLLATE "C", at bigint, state text, reason text,
    PRIMARY KEY (at, source, state)
  );
  CREATE TABLE notes (key text COLLATE "C" PRIMARY KEY, value text NOT NULL, until bigint NOT NULL);
  CREATE INDEX notes_until ON notes (until);
  CREATE TABLE contact_uses (
    day text COLLATE "C", contact text COLLATE "C", route text COLLATE "C", count bigint NOT NULL,
    PRIMARY KEY (day, contact, route)
  );
  CREATE INDEX contact_uses_contact ON contact_uses (contact);
  CREATE TABLE unsubscribed (recipient text COLLATE "C" PRIMARY KEY, at bigint NOT NULL);
  CREATE TABLE notices (
    notice text COLLATE "C", recipient text COLLATE "C", state text NOT NULL, tries integer NOT NULL, at bigint NOT NULL,
    PRIMARY KEY (notice, recipient)
  );
  CREATE TABLE lifecycles (route text COLLATE "C" PRIMARY KEY, deprecated bigint NOT NULL, sunset bigint, link text NOT NULL);
  CREATE TABLE misses (
    vin text COLLATE "C" PRIMARY KEY, source text NOT NULL, kind text NOT NULL, why text NOT NULL,
    at bigint NOT NULL, until bigint NOT NULL
  );
  CREATE INDEX misses_until ON misses (until);
  CREATE TABLE answers (vin text COLLATE "C" PRIMARY KEY, body text NOT NULL, etag text NOT NULL, version text NOT NULL);
  CREATE TABLE texts (sha256 text COLLATE "C" PRIMARY KEY, body bytea NOT NULL);
  CREATE TABLE readings (sha256 text COLLATE "C" PRIMARY KEY, reader text NOT NULL, body bytea NOT NULL);
  -- Packed already: compressing once more only costs time.
  ALTER TABLE texts ALTER COLUMN body SET STORAGE EXTERNAL;
  ALTER TABLE readings ALTER COLUMN body SET STORAGE EXTERNAL;
  CREATE TABLE asks (
    hour integer, source text COLLATE "C", outcome text, bucket integer, count bigint NOT NULL,
    PRIMARY KEY (hour, source, outcome, bucket)
  );
  CREATE TABLE probe (at bigint NOT NULL);
  INSERT INTO probe VALUES (0);
  `,
  `
  ALTER TABLE labels ADD COLUMN token bigint NOT NULL DEFAULT 0;
  ALTER TABLE misses ADD COLUMN token bigint NOT NULL DEFAULT 0;
  `,
  'ALTER TABLE labels ADD COLUMN damaged bigint',
  'CREATE TABLE forgotten (digest text COLLATE "C" PRIMARY KEY, at bigint NOT NULL)',
  // Unlogged: leases may be lost if the database crashes.
  'CREATE UNLOGGED TABLE fetches (vin text COLLATE "C" PRIMARY KEY, holder text NOT NULL, until bigint NOT NULL)',
  // A trigger also covers writes by the previous version.
  `
  CREATE TABLE withdrawn (
    id bigserial PRIMARY KEY, vin text COLLATE "C" NOT NULL UNIQUE, reason text NOT NULL, at bigint NOT NULL,
    sha256 text COLLATE "C"
  );
  CREATE FUNCTION refuse_withdrawn() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT FROM withdrawn WHERE vin = NEW.vin) THEN RETURN NULL; END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER labels_not_withdrawn BEFORE INSERT ON labels FOR EACH ROW EXECUTE FUNCTION refuse_withdrawn();
  `,
  // JSON: what the label says about the car.
  'ALTER TABLE labels ADD COLUMN car text',
];

/** The version that this program needs. */
export const SCHEMA_VERSION = STEPS.length;

/** The same for all instances: `MONR` in ASCII. */
const LOCK_ID = 0x4d_4f_4e_52;
const QUERY_TIMEOUT_MS = 600_000;

/**
 * Migrates the database to our version. When several instances start together, one migrates while the others wait for the
 * lock. A newer database is left unchanged: migrations keep the previous version working.
 */
export async function migrate(
  url: string,
  log: Log,
  signal?: AbortSignal,
): Promise<{ from: number; to: number }> {
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
    for (const [index, step] of STEPS.entries()) {
      if (index < from) continue;
      await client.query(step);
      await client.query('INSERT INTO schema_version VALUES ($1)', [index + 1]);
    }
    await client.query('COMMIT');
    const to = Math.max(from, SCHEMA_VERSION);
    if (to > from) log.info('store: migrated the database', { from, to });
    if (from > SCHEMA_VERSION) log.info('store: the database is newer than this program', { version: from });
    return { from, to };
  } catch (error) {
    throw asStoreError(error);
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
  /** Migrates again, after an older database backup was restored while we run. */
  restart(): void;
  stop(): void;
}

/**
 * Migrates now, or as soon as the database can be reached; until then the instance runs without it. A permanent error
 * (wrong password, no such database) aborts the start.
 */
export async function startMigration(url: string, log: Log, startMs = START_TIMEOUT_MS): Promise<Migration> {
  let done = false;
  let running = true;
  let reported = false;
  const stopping = new AbortController();
  let retryTimer: NodeJS.Timeout | undefined;
  const attempt = async (): Promise<void> => {
    try {
      await migrate(url, log, stopping.signal);
      done = true;
      running = false;
      reported = false;
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
        attempt().catch((later: Error) =>
          log.error('store: cannot use the database', { error: later.message }),
        );
      }, RETRY_MS);
    }
  };
  const first = attempt();
  let startTimer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    startTimer = setTimeout(() => resolve('late'), startMs);
  });
  if ((await Promise.race([first, late])) === 'late') {
    log.warn('store: the migration is slow; starting without the database');
    first.catch((error: Error) => log.error('store: cannot use the database', { error: error.message }));
  }
  clearTimeout(startTimer);
  return {
    get done() {
      return done;
    },
    restart() {
      if (running) return;
      running = true;
      done = false;
      attempt().catch((error: Error) =>
        log.error('store: cannot use the database', { error: error.message }),
      );
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
