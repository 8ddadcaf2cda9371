/** What both databases have in common, so that each row is written and read by one piece of code. */

export type Value = string | number | null | Uint8Array;

/**
 * Statements in the dialect that SQLite and PostgreSQL share, each prepared once. Parameters are `$1`, `$2`, …;
 * `now_ms()` is the database's clock in milliseconds, and `each($1)` reads a JSON array of objects as rows `batch.value`.
 * Rows are tuples in column order.
 */
export interface Sql {
  one<Row extends unknown[]>(sql: string): (...values: Value[]) => Promise<Row | null>;
  all<Row extends unknown[]>(sql: string): (...values: Value[]) => Promise<Row[]>;
  /** Returns the number of changed rows. */
  run(sql: string): (...values: Value[]) => Promise<number>;
}

/**
 * The version of both schemas. Later versions only add to them, and keep the previous version of the program working:
 * during an upgrade of the shared store both run.
 */
export const SCHEMA_VERSION = 10;

/** Text that is compared by bytes, so that both databases sort VINs the same way. */
const KEY = 'text_by_bytes';

/** What must not be lost. */
export const MAIN_SCHEMA = `
  CREATE TABLE vins (
    vin ${KEY} PRIMARY KEY,
    -- JSON as in the file beside the bytes, and what was read from the label. The next three repeat parts of it.
    label text,
    make text,
    bytes bigint,
    sha256 text,
    -- When the bytes were found missing or corrupted.
    damaged bigint,
    -- JSON of the latest outcome without a label.
    miss text,
    miss_at bigint,
    miss_until bigint,
    -- Why the label must not be served, since when, and when this row was last written.
    withdrawn text,
    withdrawn_at bigint,
    withdrawn_changed bigint
  );
  CREATE INDEX vins_by_make ON vins (make, bytes) WHERE make IS NOT NULL;
  CREATE INDEX vins_by_expiry ON vins (miss_until) WHERE miss_until IS NOT NULL;
  CREATE INDEX vins_withdrawn ON vins (withdrawn_changed) WHERE withdrawn_changed IS NOT NULL;
  CREATE TABLE switches (source ${KEY} PRIMARY KEY, state text NOT NULL, reason text, since bigint NOT NULL);
  CREATE TABLE changes (
    source ${KEY} NOT NULL, at bigint NOT NULL, state text NOT NULL, reason text,
    PRIMARY KEY (at, source, state)
  );
  CREATE TABLE notes (key ${KEY} PRIMARY KEY, value text NOT NULL, until bigint NOT NULL);
  CREATE INDEX notes_until ON notes (until);
  CREATE TABLE contact_uses (
    day ${KEY} NOT NULL, contact ${KEY} NOT NULL, route ${KEY} NOT NULL, count bigint NOT NULL,
    PRIMARY KEY (day, contact, route)
  );
  CREATE INDEX contact_uses_contact ON contact_uses (contact);
  CREATE TABLE forgotten (digest ${KEY} PRIMARY KEY, at bigint NOT NULL);
  CREATE TABLE unsubscribed (recipient ${KEY} PRIMARY KEY, at bigint NOT NULL);
  CREATE TABLE notices (
    notice ${KEY} NOT NULL, recipient ${KEY} NOT NULL, state text NOT NULL, tries bigint NOT NULL, at bigint NOT NULL,
    PRIMARY KEY (notice, recipient)
  );
  CREATE TABLE lifecycles (
    route ${KEY} PRIMARY KEY, deprecated bigint NOT NULL, sunset bigint, link text NOT NULL
  );
`;

/** What can be computed or counted again. */
export const CACHE_SCHEMA = `
  CREATE disposable TABLE cache (
    vin ${KEY} NOT NULL, kind ${KEY} NOT NULL, version text NOT NULL, body bytea NOT NULL,
    PRIMARY KEY (vin, kind)
  );
  CREATE TABLE requests (
    hour bigint NOT NULL, source ${KEY} NOT NULL, outcome text NOT NULL, bucket bigint NOT NULL, count bigint NOT NULL,
    PRIMARY KEY (hour, source, outcome, bucket)
  );
  CREATE TABLE probe (at bigint NOT NULL);
  INSERT INTO probe VALUES (0);
`;

/** The words of a schema or statement that the databases spell differently. */
export const SQLITE: Dialect = [
  [/\btext_by_bytes\b/g, 'text'],
  [/\bdisposable /g, ''],
  [/\beach\(\$1\)/g, 'json_each($1) AS batch'],
  [/\$(\d+)/g, '?$1'],
];
export const POSTGRES: Dialect = [
  [/\btext_by_bytes\b/g, 'text COLLATE "C"'],
  // Not in the write-ahead log: faster, and lost if the database crashes.
  [/\bdisposable /g, 'UNLOGGED '],
  [/\beach\(\$1\)/g, 'jsonb_array_elements($1::jsonb) AS batch (value)'],
  [/\bnow_ms\(\)/g, '(extract(epoch FROM clock_timestamp()) * 1000)::bigint'],
];

type Dialect = readonly (readonly [RegExp, string])[];

export const inDialect = (dialect: Dialect, sql: string): string =>
  dialect.reduce((text, [word, spelled]) => text.replace(word, spelled), sql);
