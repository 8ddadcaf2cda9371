import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { ConfigError, readConfig } from './config.ts';
import { createClientIpOf } from './http/client-ip.ts';
import { createHeaders } from './http/response.ts';
import { temporaryFolder } from './lib/testing.ts';
import { REDIS_CLUSTER_UNSUPPORTED } from './store/shared/connection-settings.ts';

function assertRejected(name: string, value: string): void {
  assert.throws(
    () => readConfig({ [name]: value }),
    (error) => error instanceof ConfigError && error.message.startsWith(`${name} must be `),
    value,
  );
}

test('an invalid proxy is rejected with the name of the variable', () => {
  for (const value of [
    '999.1.1.1',
    '10.0.0',
    '::::',
    'fe80::1%eth0',
    '10.0.0.0/33',
    '10.0.0.0/',
    'fd00::/129',
    '::ffff:10.0.0.0/104',
    '0:0:0:0:0:FFFF:a00:0/104',
    '10.0.0.1, proxy',
  ])
    assertRejected('TRUSTED_PROXIES', value);
});

test('every accepted proxy works', () => {
  const { trustedProxies } = readConfig({
    TRUSTED_PROXIES: '10.0.0.0/8 192.0.2.1,::1 fd00::/8,::ffff:192.0.2.2 0.0.0.0/0 ::/0',
  });
  assert.equal(trustedProxies.length, 7);
  assert.equal(
    createClientIpOf(trustedProxies)('192.0.2.2', { 'x-forwarded-for': '203.0.113.9' }),
    '203.0.113.9',
  );
});

test('ADDRESS_<ID> takes the same URLs as SOURCES_FILE', () => {
  const urls = 'https://one.example/{VIN}, https://two.example/?vin={VIN},';
  assert.deepEqual(readConfig({ ADDRESS_TOYOTA: urls }).sourceOverrides, {
    toyota: { urls: ['https://one.example/{VIN}', 'https://two.example/?vin={VIN}'] },
  });
  for (const value of [
    ',',
    'http://x.example/{VIN}',
    'https://x.example/',
    'https://127.0.0.1/{VIN}',
    'https://localhost/{VIN}',
  ])
    assertRejected('ADDRESS_TOYOTA', value);
});

test('ADDRESS_<ID> leaves the other fields of its source in SOURCES_FILE', (t) => {
  const file = `${temporaryFolder(t)}/sources.json`;
  writeFileSync(file, '{ "gm": { "hosts": ["cdn.example"] } }');
  assert.deepEqual(
    readConfig({ SOURCES_FILE: file, ADDRESS_GM: 'https://y.example/{VIN}' }).sourceOverrides,
    {
      gm: { hosts: ['cdn.example'], urls: ['https://y.example/{VIN}'] },
    },
  );
});

test('an error never quotes a URL that contains a password', () => {
  for (const name of ['DATABASE_URL', 'REDIS_URL', 'S3_URL', 'SMTP_URL', 'ANALYTICS_URL', 'HTTPS_PROXY'])
    assert.throws(
      () => readConfig({ [name]: 'htp://user:hunter2@example.org' }),
      (error) => error instanceof ConfigError && !error.message.includes('hunter2'),
      name,
    );
});

test('BASE_URL is converted to ASCII and has no path', () => {
  const baseUrlOf = (value: string) => readConfig({ BASE_URL: value }).baseUrl;
  assert.equal(baseUrlOf('https://example.org/'), 'https://example.org');
  assert.equal(baseUrlOf('http://localhost:8080'), 'http://localhost:8080');
  assert.equal(baseUrlOf('https://Prüfung.example:443'), 'https://xn--prfung-4ya.example');
  assert.ok(createHeaders(baseUrlOf('https://ü.example')).crossOrigin);
  for (const value of [
    'https://x.org/ü',
    'https://x.org/labels',
    'https://x.org/?a',
    'https://x.org/#a',
    'https://me@x.org',
    'ftp://x.org',
  ])
    assertRejected('BASE_URL', value);
});

test('an unsupported sslmode or a missing certificate file is rejected', () => {
  const store = { REDIS_URL: 'redis://h', S3_URL: 's3+http://k:s@h/labels' };
  const errorFor = (query: string) => {
    try {
      readConfig({ ...store, DATABASE_URL: `postgres://h/db${query}` });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };
  assert.equal(errorFor('?sslmode=verify-full&sslrootcert=system'), '');
  assert.match(
    errorFor('?sslmode=prefer'),
    /^DATABASE_URL has sslmode=prefer; it should be disable, require/,
  );
  assert.match(errorFor('?sslmode=verify-ca&sslrootcert=/nowhere.pem'), /sslrootcert .*\/nowhere\.pem/);
});

test('Redis Sentinel and Cluster are rejected with an explanation', () => {
  for (const value of ['redis+sentinel://a:26379/main', 'rediss-cluster://a', 'redis://a:6379,b:6379']) {
    const env = { DATABASE_URL: 'postgres://h/db', S3_URL: 's3+http://h/labels', REDIS_URL: value };
    assert.throws(() => readConfig(env), { name: 'ConfigError', message: REDIS_CLUSTER_UNSUPPORTED });
  }
});

test('a bucket needs a name, and its style is path or virtual', () => {
  for (const value of [
    's3+http://k:s@h',
    's3+http://k:s@h/a/b',
    's3+http://h/labels?style=dns',
    'https://h/labels',
  ])
    assertRejected('S3_URL', value);
});
