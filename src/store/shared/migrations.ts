/**
 * SQL for each schema version. Only append to it, and keep the previous version of the program working: during an upgrade
 * both run. Text is compared by bytes, so that VINs have the same order as in the embedded store.
 */
export const steps: readonly string[] = [
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
];
