import type { CounterName, Metrics } from './metrics.ts';

/** Structured logs: JSON lines on standard output, without IP addresses, VINs and query strings. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

type LogFields = Record<string, string | number | boolean | null | undefined>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Logs one request with its route template. On the hot path: built by hand, written in batches. */
  request(id: string, method: string, route: string, status: number, ms: number): void;
  /** Writes the buffered lines. */
  flush(): void;
}

/** The text of an error may contain a file name or a key with a VIN. */
const VIN = /\b[A-HJ-NPR-Z0-9]{17}\b/g;

/** Before the text is escaped: in JSON, a VIN that follows a line break follows the letter n. */
const withoutVins = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(VIN, '[VIN]') : value;

const FLUSH_MS = 100;
const FLUSH_BYTES = 32 * 1024;

export function createLog(
  level: LogLevel,
  write: (lines: string) => void = (lines) => void process.stdout.write(lines),
): Log {
  const minLevel = LOG_LEVELS.indexOf(level);
  let buffer = '';
  let timer: NodeJS.Timeout | null = null;

  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (buffer === '') return;
    const lines = buffer;
    buffer = '';
    write(lines);
  };

  const add = (line: string, flushNow: boolean) => {
    buffer += line;
    if (flushNow || buffer.length > FLUSH_BYTES) flush();
    else timer ??= setTimeout(flush, FLUSH_MS).unref();
  };

  const logAt = (name: LogLevel) => {
    if (LOG_LEVELS.indexOf(name) < minLevel) return () => {};
    const urgent = name === 'warn' || name === 'error';
    return (message: string, fields?: LogFields) => {
      const line = { time: new Date().toISOString(), level: name, message, ...fields };
      add(`${JSON.stringify(line, withoutVins)}\n`, urgent);
    };
  };

  // Formatting the date for each of thousands of requests a second would cost more than the rest of the line.
  let second = 0;
  let millisecond = 0;
  let day = '';
  let stamp = '';
  const request: Log['request'] =
    minLevel > LOG_LEVELS.indexOf('info')
      ? () => {}
      : (id, method, route, status, ms) => {
          const now = Date.now();
          if (now !== millisecond) {
            millisecond = now;
            if (now < second || now - second >= 1000) {
              second = now - (now % 1000);
              day = new Date(second).toISOString().slice(0, 19);
            }
            stamp = `{"time":"${day}.${String(now - second).padStart(3, '0')}Z","level":"info","message":"request","id":"`;
          }
          add(
            `${stamp}${id}","method":"${method}","route":"${route}","status":${status},"ms":${Math.round(ms * 10) / 10}}\n`,
            false,
          );
        };

  return {
    debug: logAt('debug'),
    info: logAt('info'),
    warn: logAt('warn'),
    error: logAt('error'),
    request,
    flush,
  };
}

export const silentLog: Log = createLog('silent');

/** Logs one line when something starts to fail and one when it recovers; repeated failures are logged at `debug`. */
export function createFailureLog(
  log: Log,
  failureMessage: string,
  recoveryMessage: string,
): (error: string | null) => void {
  let isFailing = false;
  return (error) => {
    if (error === null) {
      if (isFailing) log.info(recoveryMessage);
      isFailing = false;
      return;
    }
    if (isFailing) log.debug(failureMessage, { error });
    else log.warn(failureMessage, { error });
    isFailing = true;
  };
}

const LOG_INTERVAL_MS = 60_000;

/** Counts dropped items in a metric, and logs them at most once a minute. */
export function countDropped(
  { log, metrics, now }: { log: Log; metrics: Metrics; now(): number },
  metric: CounterName,
  message: string,
): (count: number, error?: string) => void {
  let unlogged = 0;
  let loggedAt = -Infinity;
  return (count, error) => {
    if (count === 0) return;
    metrics.count(metric, undefined, count);
    unlogged += count;
    if (now() - loggedAt < LOG_INTERVAL_MS) return;
    log.warn(message, { dropped: unlogged, ...(error ? { error } : {}) });
    unlogged = 0;
    loggedAt = now();
  };
}
