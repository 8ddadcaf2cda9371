/** `labels.sqlite`: data that must not be lost, flushed with every commit. */
export const labelMigrations: readonly string[] = [
  `
  CREATE TABLE labels (
    vin TEXT NOT NULL PRIMARY KEY,
    make TEXT NOT NULL,
    source TEXT NOT NULL,
    host TEXT NOT NULL,
    fetched INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    color TEXT,
    code TEXT,
    reader TEXT
  );
  CREATE INDEX labels_sha256 ON labels (sha256);
  -- Counting a million rows takes a third of a second, too long for the status page.
  CREATE TABLE makes (make TEXT NOT NULL PRIMARY KEY, labels INTEGER NOT NULL, bytes INTEGER NOT NULL);
  CREATE TRIGGER label_kept AFTER INSERT ON labels BEGIN
    INSERT INTO makes VALUES (new.make, 1, new.bytes)
      ON CONFLICT (make) DO UPDATE SET labels = labels + 1, bytes = bytes + excluded.bytes;
  END;
  CREATE TRIGGER label_lost AFTER DELETE ON labels BEGIN
    UPDATE makes SET labels = labels - 1, bytes = bytes - old.bytes WHERE make = old.make;
  END;
  CREATE TABLE switches (source TEXT NOT NULL PRIMARY KEY, state TEXT NOT NULL, reason TEXT, since INTEGER NOT NULL);
  CREATE TABLE changes (
    source TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT,
    PRIMARY KEY (at, source, state)
  );
  CREATE TABLE notes (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL, until INTEGER NOT NULL);
  CREATE INDEX notes_until ON notes (until);
  CREATE TABLE contact_uses (
    day TEXT NOT NULL, contact TEXT NOT NULL, route TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (day, contact, route)
  );
  CREATE INDEX contact_uses_contact ON contact_uses (contact);
  CREATE TABLE unsubscribed (recipient TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL);
  CREATE TABLE notices (
    notice TEXT NOT NULL, recipient TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (notice, recipient)
  );
  CREATE TABLE lifecycles (
    route TEXT NOT NULL PRIMARY KEY, deprecated INTEGER NOT NULL, sunset INTEGER, link TEXT NOT NULL
  );
  `,
  'ALTER TABLE labels ADD COLUMN damaged INTEGER',
  'CREATE TABLE forgotten (digest TEXT NOT NULL PRIMARY KEY, at INTEGER NOT NULL)',
  // A trigger also covers inserts by a rebuild.
  `
  CREATE TABLE withdrawn (
    id INTEGER PRIMARY KEY, vin TEXT NOT NULL UNIQUE, reason TEXT NOT NULL, at INTEGER NOT NULL
  );
  CREATE TRIGGER label_withdrawn BEFORE INSERT ON labels
    WHEN EXISTS (SELECT 1 FROM withdrawn WHERE vin = new.vin)
    BEGIN SELECT RAISE (IGNORE); END;
  `,
  // JSON: what the label says about the car.
  'ALTER TABLE labels ADD COLUMN car TEXT',
];

/** `cache.sqlite`: data that can be fetched or computed again, so a power cut may lose the last second. */
export const cacheMigrations: readonly string[] = [
  `
  CREATE TABLE misses (
    vin TEXT NOT NULL PRIMARY KEY, source TEXT NOT NULL, kind TEXT NOT NULL, why TEXT NOT NULL,
    at INTEGER NOT NULL, until INTEGER NOT NULL
  );
  CREATE INDEX misses_until ON misses (until);
  CREATE TABLE answers (vin TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL, etag TEXT NOT NULL, version TEXT NOT NULL);
  CREATE TABLE texts (sha256 TEXT NOT NULL PRIMARY KEY, body BLOB NOT NULL);
  CREATE TABLE readings (sha256 TEXT NOT NULL PRIMARY KEY, reader TEXT NOT NULL, body BLOB NOT NULL);
  CREATE TABLE asks (
    hour INTEGER NOT NULL, source TEXT NOT NULL, outcome TEXT NOT NULL, bucket INTEGER NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (hour, source, outcome, bucket)
  );
  CREATE TABLE probe (at INTEGER NOT NULL);
  INSERT INTO probe VALUES (0);
  `,
  `
  DROP TABLE answers;
  CREATE TABLE answers (
    place INTEGER PRIMARY KEY, vin TEXT NOT NULL, body TEXT NOT NULL, etag TEXT NOT NULL, version TEXT NOT NULL
  );
  `,
];
