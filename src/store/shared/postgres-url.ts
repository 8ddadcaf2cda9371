import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** The modes of libpq, except the two that fall back to an unencrypted connection. */
const SSL_MODES = ['disable', 'require', 'verify-ca', 'verify-full'];
const SSL_FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;

/**
 * `DATABASE_URL` for `pg`, with `sslmode` as in libpq: `require` encrypts without checking the certificate (with
 * `sslrootcert` it means `verify-ca`). `pg` itself would verify in full, or ignore the setting.
 */
export function postgresOptions(databaseUrl: string): {
  connectionString: string;
  ssl: false | ConnectionOptions;
} {
  const url = new URL(databaseUrl);
  const query = url.searchParams;
  const root = query.get('sslrootcert');
  const mode = query.get('sslmode') ?? (root ? 'require' : 'disable');
  const ssl: ConnectionOptions = {};
  // For us, Node's certificate authorities are the system's.
  if (root === 'system') query.delete('sslrootcert');
  for (const [name, option] of Object.entries(SSL_FILES)) {
    const path = query.get(name);
    if (path) ssl[option] = readFileSync(path, 'utf8');
    query.delete(name);
  }
  query.delete('sslmode');
  const connectionString = url.href;
  if (mode === 'disable') return { connectionString, ssl: false };
  if (mode === 'require' && !root) ssl.rejectUnauthorized = false;
  if (mode === 'verify-ca' || (mode === 'require' && root)) ssl.checkServerIdentity = () => undefined;
  return { connectionString, ssl };
}

/** What is wrong with the TLS settings in `DATABASE_URL`; null if nothing is. */
export function sslSettingsError(databaseUrl: string): string | null {
  const query = new URL(databaseUrl).searchParams;
  const mode = query.get('sslmode');
  if (mode !== null && !SSL_MODES.includes(mode)) {
    return `DATABASE_URL has sslmode=${mode.slice(0, 20)}; it should be ${SSL_MODES.join(', ')}.`;
  }
  for (const name of Object.keys(SSL_FILES)) {
    const path = query.get(name);
    if (!path || (name === 'sslrootcert' && path === 'system')) continue;
    try {
      readFileSync(path);
    } catch (error) {
      return `DATABASE_URL names a file in ${name} that can't be read: ${(error as Error).message}.`;
    }
  }
  return null;
}
