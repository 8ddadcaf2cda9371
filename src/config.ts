import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { LOG_LEVELS, type LogLevel } from './lib/log.ts';
import { sources } from './makers/index.ts';
import { parseOverrides, type Overrides } from './makers/overrides.ts';
import { sslSettingsError } from './store/shared/postgres-url.ts';
import { isRedisClusterUrl, REDIS_CLUSTER_UNSUPPORTED } from './store/shared/redis-url.ts';

/** Everything the environment decides, validated once at start and handed in from then on. */
export interface Config {
  readonly port: number;
  readonly host: string;
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly trustedProxies: readonly string[];
  /** The API's limit; null switches all limits off. */
  readonly limit: { readonly requests: number; readonly seconds: number } | null;
  readonly sourcesOff: readonly string[];
  readonly sourceOrigin: string | null;
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` as given, in either case. */
  readonly proxyEnv: Readonly<Record<string, string>>;
  /** Milliseconds between two requests to one host. */
  readonly sourcePaceMs: number;
  /** Address templates by source id, from `ADDRESS_<ID>`. */
  readonly addresses: Readonly<Record<string, readonly string[]>>;
  /** From `SOURCES_FILE`. */
  readonly sourceOverrides: Overrides;
  /** Whether one held label of each source is asked for again every day. */
  readonly canary: boolean;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly s3Url: string | null;
  readonly smtpUrl: string | null;
  readonly smtpFrom: string | null;
  readonly analyticsUrl: string | null;
  readonly analyticsKind: 'json' | 'plausible' | 'umami';
  readonly analyticsSite: string | null;
  readonly noticeDays: number;
  readonly contactDays: number;
  readonly adminPort: number | null;
  /** Where the admin port listens. */
  readonly adminHost: string;
  readonly logLevel: LogLevel;
  /** Where traces are sent; null for none. */
  readonly otlpEndpoint: string | null;
  readonly vpicLive: boolean;
  readonly vpicOrigin: string;
  readonly pdfCacheMb: number;
  readonly securityContact: string | null;
}

/** A value that cannot be used, with the variable's name and what it should be. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

type Env = Readonly<Record<string, string | undefined>>;

/** Reads and checks the environment; throws `ConfigError` naming every variable that is wrong. */
export function readConfig(env: Env): Config {
  const wrong: string[] = [];
  const take = <T>(name: string, fallback: T, parse: (text: string) => T | null, expected: string): T => {
    const text = env[name]?.trim();
    if (!text) return fallback;
    const value = parse(text);
    if (value !== null) return value;
    wrong.push(`${name} is ${JSON.stringify(text.slice(0, 80))}; it should be ${expected}.`);
    return fallback;
  };
  const maybeUrl = (name: string, protocols: string[]) =>
    take<string | null>(
      name,
      null,
      (text) => url(text, protocols),
      `an address that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`,
    );

  const port = take('PORT', 8080, whole(0, 65535), 'a port number from 0 to 65535');
  const severalRedis = isRedisClusterUrl(env.REDIS_URL ?? '');
  if (severalRedis) wrong.push(REDIS_CLUSTER_UNSUPPORTED);
  const config: Config = {
    port,
    host: take('HOST', '0.0.0.0', ipOrName, 'an address to listen on, such as 0.0.0.0'),
    baseUrl: take(
      'BASE_URL',
      `http://localhost:${port}`,
      baseUrl,
      'the public address, such as https://example.org, without a path or a query',
    ),
    dataDir: take('DATA_DIR', './var', (text) => text, 'a folder'),
    trustedProxies: take(
      'TRUSTED_PROXIES',
      [],
      list(isNetwork),
      'addresses or CIDRs separated by commas, such as 10.0.0.0/8 or fd00::/8',
    ),
    limit: take<{ value: Config['limit'] }>(
      'LIMIT',
      { value: { requests: 10, seconds: 10 } },
      limit,
      'requests and seconds, such as 10/10s and at most 1000/60s, or off',
    ).value,
    sourcesOff: take(
      'SOURCES_OFF',
      [],
      list((id) => SOURCE_IDS.includes(id)),
      `source ids separated by commas, of ${SOURCE_IDS.join(', ')}`,
    ),
    sourceOrigin: maybeUrl('SOURCE_ORIGIN', ['http:', 'https:']),
    proxyEnv: proxies(env, wrong),
    sourcePaceMs: take('SOURCE_PACE_MS', 1000, whole(0, 60_000), 'milliseconds from 0 to 60000'),
    addresses: addresses(env, wrong),
    sourceOverrides: sourceOverrides(env, wrong),
    canary: take('CANARY', false, onOrOff, 'on or off'),
    databaseUrl: maybeUrl('DATABASE_URL', ['postgres:', 'postgresql:']),
    redisUrl: severalRedis ? null : maybeUrl('REDIS_URL', ['redis:', 'rediss:']),
    s3Url: take<string | null>(
      'S3_URL',
      null,
      bucketUrl,
      's3+https://key:secret@host/bucket, with ?region=… and ?style=path or virtual where they are needed',
    ),
    smtpUrl: maybeUrl('SMTP_URL', ['smtp:', 'smtps:']),
    smtpFrom: take(
      'SMTP_FROM',
      null,
      (text) => (/^[^\r\n]+@[^\r\n]+$/.test(text) ? text : null),
      'the sender, such as Monroney <notices@example.org>',
    ),
    analyticsUrl: maybeUrl('ANALYTICS_URL', ['http:', 'https:']),
    analyticsKind: take(
      'ANALYTICS_KIND',
      'json',
      oneOf('json', 'plausible', 'umami'),
      'json, plausible or umami',
    ),
    analyticsSite: take(
      'ANALYTICS_SITE',
      null,
      (text) => text,
      'the site or website id at the analytics service',
    ),
    noticeDays: take('NOTICE_DAYS', 180, whole(1, 3650), 'days from 1 to 3650'),
    contactDays: take('CONTACT_DAYS', 400, whole(1, 3650), 'days from 1 to 3650'),
    adminPort: take('ADMIN_PORT', null, whole(0, 65535), 'a port number from 0 to 65535'),
    adminHost: take('ADMIN_HOST', '127.0.0.1', ipOrName, 'an IP address to listen on, such as 0.0.0.0'),
    otlpEndpoint: maybeUrl('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    logLevel: take<LogLevel>('LOG_LEVEL', 'info', oneOf(...LOG_LEVELS), LOG_LEVELS.join(', ')),
    vpicLive: take('VPIC_LIVE', false, onOrOff, 'on or off'),
    vpicOrigin: take(
      'VPIC_ORIGIN',
      'https://vpic.nhtsa.dot.gov',
      (text) => url(text, ['https:']),
      'a URL that begins with https://',
    ),
    pdfCacheMb: take('PDF_CACHE_MB', 32, whole(0, 4096), 'megabytes from 0 to 4096'),
    securityContact: take(
      'SECURITY_CONTACT',
      null,
      (text) => (/^(mailto:|https:)\S+$/.test(text) ? text : null),
      'mailto:… or https://…',
    ),
  };
  const shared = { DATABASE_URL: config.databaseUrl, REDIS_URL: config.redisUrl, S3_URL: config.s3Url };
  const missing = Object.keys(shared).filter((name) => !shared[name as keyof typeof shared]);
  if (missing.length > 0 && missing.length < 3 && !severalRedis) {
    wrong.push(
      `The shared store needs DATABASE_URL, REDIS_URL and S3_URL together; missing: ${missing.join(', ')}.`,
    );
  }
  const ssl = config.databaseUrl && sslSettingsError(config.databaseUrl);
  if (ssl) wrong.push(ssl);
  if (wrong.length) throw new ConfigError(wrong.join('\n'));
  return Object.freeze(config);
}

/** For `SOURCES_OFF` and `ADDRESS_<ID>`. */
const SOURCE_IDS = sources.map(({ id }) => id);

function addresses(env: Env, wrong: string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const id of SOURCE_IDS) {
    const name = `ADDRESS_${id.toUpperCase()}`;
    const text = env[name]?.trim();
    if (!text) continue;
    const templates = text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean);
    if (templates.every((template) => template.includes('{VIN}') && url(template, ['https:'])))
      found[id] = templates;
    else wrong.push(`${name} should be https addresses with {VIN} in them, separated by commas.`);
  }
  return found;
}

function sourceOverrides(env: Env, wrong: string[]): Overrides {
  const file = env['SOURCES_FILE']?.trim();
  if (!file) return {};
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    wrong.push(`SOURCES_FILE can't be read: ${(error as Error).message}.`);
    return {};
  }
  const { overrides, faults } = parseOverrides(text, SOURCE_IDS);
  for (const id of SOURCE_IDS) {
    const name = `ADDRESS_${id.toUpperCase()}`;
    if (overrides[id]?.addresses && env[name]?.trim())
      faults.push(`${id}.addresses is set by ${name} too. Remove one of them.`);
  }
  wrong.push(...faults.map((fault) => `SOURCES_FILE (${file}): ${fault}`));
  return overrides;
}

function proxies(env: Env, wrong: string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy']) {
    const text = env[name]?.trim();
    if (!text) continue;
    if (url(text, ['http:', 'https:'])) found[name] = text;
    // Not quoted: it may have a password in it.
    else wrong.push(`${name} should be the URL of a proxy, such as http://proxy.example:3128.`);
  }
  for (const name of ['NO_PROXY', 'no_proxy']) {
    const text = env[name]?.trim();
    if (text) found[name] = text;
  }
  return found;
}

/** `10/10s`, or `off`. */
function limit(text: string): { value: Config['limit'] } | null {
  if (text === 'off') return { value: null };
  const [, requests, seconds] = (/^(\d{1,4})\/(\d{1,2})s$/.exec(text) ?? []).map(Number);
  if (!requests || !seconds || requests > 1000 || seconds > 60) return null;
  return { value: { requests, seconds } };
}

function onOrOff(text: string): boolean | null {
  return text === 'on' ? true : text === 'off' ? false : null;
}

function whole(least: number, most: number) {
  return (text: string) => {
    const value = Number(text);
    return /^\d+$/.test(text) && value >= least && value <= most ? value : null;
  };
}

function oneOf<T extends string>(...values: T[]) {
  return (text: string) => ((values as string[]).includes(text) ? (text as T) : null);
}

function list(fits: (item: string) => boolean) {
  return (text: string) => {
    const items = text.split(/[\s,]+/).filter(Boolean);
    return items.every(fits) ? items : null;
  };
}

function url(text: string, protocols: string[]): string | null {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text.replace(/\/$/, '') : null;
}

function bucketUrl(text: string): string | null {
  if (!url(text, ['s3+http:', 's3+https:'])) return null;
  const { pathname, searchParams } = new URL(text);
  const style = searchParams.get('style') ?? 'path';
  return /^\/[^/]+\/?$/.test(pathname) && ['path', 'virtual'].includes(style) ? text : null;
}

/** As it goes into headers and links: a name in other letters in its ASCII form. Pages link from the root, so it has no path. */
function baseUrl(text: string): string | null {
  if (!url(text, ['http:', 'https:']) || /[?#@]/.test(text)) return null;
  const { origin, pathname } = new URL(text);
  return pathname === '/' ? origin : null;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  if (rest.length || family === 0 || address.includes('%')) return false;
  if (bits === undefined) return true;
  // An IPv4 network in IPv6 dress is counted as IPv4, where its bits would mean something else.
  if (family === 6 && /^\[::ffff:[\da-f]+:[\da-f]+\]$/.test(new URL(`http://[${address}]`).hostname))
    return false;
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32);
}

function ipOrName(text: string): string | null {
  return /^[\w.:-]+$/.test(text) ? text : null;
}
