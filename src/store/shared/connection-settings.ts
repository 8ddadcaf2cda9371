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

/** The error for such a `REDIS_URL`, or for such a server. */
export const REDIS_CLUSTER_UNSUPPORTED =
  'REDIS_URL must name one ordinary Redis server: Sentinel and Cluster are not supported.';

/** Whether a URL names several servers, in one of the forms that clients of Sentinel and Cluster use. */
export const isRedisClusterUrl = (url: string): boolean =>
  /^rediss?[+-]?(sentinel|cluster)|^[^?]*,/i.test(url);

/** Error codes of OpenSSL and Node for a certificate that isn't trusted. */
const CODES =
  /^(SELF_SIGNED_CERT|DEPTH_ZERO_SELF_SIGNED|UNABLE_TO_(GET_ISSUER|VERIFY_LEAF)|CERT_|ERR_TLS_CERT_|INVALID_CA|HOSTNAME_MISMATCH)/;

/**
 * A readable error when a server's certificate isn't trusted; null when `error` is another one. Used only at startup: a
 * certificate that expires later is handled like any other failure.
 */
export function certificateError(variable: string, error: unknown, fix = ''): Error | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    if (!code || !CODES.test(code)) continue;
    return new Error(
      `${variable}: the server's certificate isn't trusted (${message}). ` +
        `Name the file of its certificate authority ${fix}in NODE_EXTRA_CA_CERTS.`,
      { cause: error },
    );
  }
  return null;
}
