import { readFileSync } from 'node:fs';
import { LOG_LEVELS, type LogLevel } from './lib/log.ts';
import {
  limit,
  onOrOff,
  integer,
  oneOf,
  list,
  url,
  bucketUrl,
  baseUrl,
  isNetwork,
  ipOrHostname,
} from './lib/setting-values.ts';
import { sources } from './makers/index.ts';
import { isTemplate, parseOverrides, TEMPLATE, type Overrides } from './makers/overrides.ts';
import {
  sslSettingsError,
  isRedisClusterUrl,
  REDIS_CLUSTER_UNSUPPORTED,
} from './store/shared/connection-settings.ts';

/** The settings from the environment, validated once at startup. */
export type Config = ReturnType<typeof readConfig>;

/** The message names each invalid variable and what it must be, one per line. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

type Env = Readonly<Record<string, string | undefined>>;

const isContactUrl = (text: string): boolean => /^(mailto:|https:)\S+$/.test(text);

/** Reads and validates the environment. Throws `ConfigError`. */
export function readConfig(env: Env) {
  const errors: string[] = [];
  const { read, optionalUrl } = settingReader(env, errors);
  const port = read('PORT', 8080, integer(0, 65535), 'a port number from 0 to 65535');
  const severalRedis = isRedisClusterUrl(env.REDIS_URL ?? '');
  if (severalRedis) errors.push(REDIS_CLUSTER_UNSUPPORTED);
  const config = {
    port,
    host: read('HOST', '127.0.0.1', ipOrHostname, 'an IP address or host name to listen on, such as 0.0.0.0'),
    baseUrl: read(
      'BASE_URL',
      `http://localhost:${port}`,
      baseUrl,
      'the public URL, such as https://example.org, without a path or query',
    ),
    dataDir: read('DATA_DIR', './var', (text) => text, 'a folder'),
    trustedProxies: read(
      'TRUSTED_PROXIES',
      [],
      list(isNetwork),
      'IP addresses or CIDR blocks separated by commas, such as 10.0.0.0/8 or fd00::/8',
    ),
    /** Of the API; null turns all limits off. */
    limit: read(
      'LIMIT',
      { value: { requests: 10, seconds: 10 } },
      limit,
      'requests and seconds, such as 10/10s and at most 1000/60s, or off',
    ).value,
    sourcesOff: read(
      'SOURCES_OFF',
      [],
      list((id) => SOURCE_IDS.includes(id)),
      `source ids separated by commas, out of ${SOURCE_IDS.join(', ')}`,
    ),
    sourceOrigin: optionalUrl('SOURCE_ORIGIN', ['http:', 'https:']),
    /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` as given, in either case. */
    proxyEnv: proxies(env, errors),
    /** Between two requests to one host. */
    sourcePaceMs: read('SOURCE_PACE_MS', 1000, integer(0, 60_000), 'milliseconds from 0 to 60000'),
    /** From `SOURCES_FILE` and `ADDRESS_<ID>`, by source id. */
    sourceOverrides: sourceOverrides(env, errors),
    /** Whether to request one held label of each source again every day. */
    canary: read('CANARY', false, onOrOff, 'on or off'),
    databaseUrl: optionalUrl('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: severalRedis ? null : optionalUrl('REDIS_URL', ['redis:', 'rediss:']),
    s3Url: read<string | null>(
      'S3_URL',
      null,
      bucketUrl,
      's3+https://key:secret@host/bucket, with ?region=… and ?style=path or virtual if needed',
    ),
    smtpUrl: optionalUrl('SMTP_URL', ['smtp:', 'smtps:']),
    smtpFrom: read(
      'SMTP_FROM',
      null,
      (text) => (/^[^\r\n][^\r\n@]*@[^\r\n]+$/.test(text) ? text : null),
      'the sender, such as Monroney <notices@example.org>',
    ),
    analyticsUrl: optionalUrl('ANALYTICS_URL', ['http:', 'https:']),
    analyticsKind: read(
      'ANALYTICS_KIND',
      'json',
      oneOf('json', 'plausible', 'umami'),
      'json, plausible or umami',
    ),
    analyticsSite: read(
      'ANALYTICS_SITE',
      null,
      (text) => text,
      'the site or website id at the analytics service',
    ),
    noticeDays: read('NOTICE_DAYS', 180, integer(1, 3650), 'days from 1 to 3650'),
    contactDays: read('CONTACT_DAYS', 400, integer(1, 3650), 'days from 1 to 3650'),
    adminPort: read('ADMIN_PORT', null, integer(0, 65535), 'a port number from 0 to 65535'),
    adminHost: read(
      'ADMIN_HOST',
      '127.0.0.1',
      ipOrHostname,
      'an IP address or host name to listen on, such as 0.0.0.0',
    ),
    logLevel: read<LogLevel>('LOG_LEVEL', 'info', oneOf(...LOG_LEVELS), `one of ${LOG_LEVELS.join(', ')}`),
    vpicLive: read('VPIC_LIVE', false, onOrOff, 'on or off'),
    vpicOrigin: read(
      'VPIC_ORIGIN',
      'https://vpic.nhtsa.dot.gov',
      (text) => url(text, ['https:']),
      'a URL that begins with https://',
    ),
    pdfCacheMb: read('PDF_CACHE_MB', 32, integer(0, 4096), 'megabytes from 0 to 4096'),
    contact: read(
      'CONTACT',
      null,
      (text) => (/^[^\s:/@]+@[^\s/@]+$/.test(text) ? `mailto:${text}` : isContactUrl(text) ? text : null),
      'an e-mail address, mailto:… or https://…',
    ),
    securityContact: read(
      'SECURITY_CONTACT',
      null,
      (text) => (isContactUrl(text) ? text : null),
      'mailto:… or https://…',
    ),
  };
  errors.push(...sharedStoreErrors(config, severalRedis));
  if (errors.length) throw new ConfigError(errors.join('\n'));
  return Object.freeze(config);
}

/** Never quoted in an error, which ends up in a log: these URLs contain passwords or tokens. */
const SECRET_URLS = new Set(['DATABASE_URL', 'REDIS_URL', 'S3_URL', 'SMTP_URL', 'ANALYTICS_URL']);

/** Reads variables and adds an error for each invalid one. */
function settingReader(env: Env, errors: string[]) {
  const read = <T>(name: string, fallback: T, parse: (text: string) => T | null, expected: string): T => {
    const text = env[name]?.trim();
    if (!text) return fallback;
    const value = parse(text);
    if (value !== null) return value;
    const got = SECRET_URLS.has(name) ? '' : `, got ${JSON.stringify(text.slice(0, 80))}`;
    errors.push(`${name} must be ${expected}${got}.`);
    return fallback;
  };
  const optionalUrl = (name: string, protocols: string[]) =>
    read<string | null>(
      name,
      null,
      (text) => url(text, protocols),
      `a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );
  return { read, optionalUrl };
}

/** The shared store needs all three servers. */
function sharedStoreErrors(
  { databaseUrl, redisUrl, s3Url }: Record<'databaseUrl' | 'redisUrl' | 's3Url', string | null>,
  severalRedis: boolean,
): string[] {
  const errors: string[] = [];
  const shared = { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, S3_URL: s3Url };
  const missing = Object.keys(shared).filter((name) => !shared[name as keyof typeof shared]);
  if (missing.length > 0 && missing.length < 3 && !severalRedis) {
    errors.push(
      `The shared store needs all of DATABASE_URL, REDIS_URL and S3_URL. Missing: ${missing.join(', ')}.`,
    );
  }
  const ssl = databaseUrl && sslSettingsError(databaseUrl);
  if (ssl) errors.push(ssl);
  return errors;
}

/** For `SOURCES_OFF` and `ADDRESS_<ID>`. */
const SOURCE_IDS = sources.map(({ id }) => id);

/** Those of `SOURCES_FILE`, and the URLs of `ADDRESS_<ID>`. */
function sourceOverrides(env: Env, errors: string[]): Overrides {
  const all = { ...overridesInFile(env, errors) };
  for (const id of SOURCE_IDS) {
    const name = `ADDRESS_${id.toUpperCase()}`;
    const text = env[name]?.trim();
    if (!text) continue;
    const urls = text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    if (urls.length === 0 || !urls.every(isTemplate))
      errors.push(`${name} must be ${TEMPLATE}; separate several with commas.`);
    if (all[id]?.urls)
      errors.push(
        `SOURCES_FILE (${env['SOURCES_FILE']?.trim()}): ${id}.addresses is also set by ${name}. Remove one of them.`,
      );
    all[id] = { ...all[id], urls };
  }
  return all;
}

function overridesInFile(env: Env, errors: string[]): Overrides {
  const file = env['SOURCES_FILE']?.trim();
  if (!file) return {};
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    errors.push(`SOURCES_FILE can't be read: ${(error as Error).message}.`);
    return {};
  }
  const { overrides, faults } = parseOverrides(text, SOURCE_IDS);
  errors.push(...faults.map((fault) => `SOURCES_FILE (${file}): ${fault}`));
  return overrides;
}

function proxies(env: Env, errors: string[]): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
    const text = env[name]?.trim();
    if (!text) continue;
    if (url(text, ['http:', 'https:'])) settings[name] = text;
    // Not quoted, because it may contain a password.
    else errors.push(`${name} must be the URL of a proxy, such as http://proxy.example:3128.`);
  }
  for (const name of ['NO_PROXY', 'no_proxy']) {
    const text = env[name]?.trim();
    if (text) settings[name] = text;
  }
  return settings;
}
