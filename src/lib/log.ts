import { pino } from 'pino';

/** Structured logs: JSON lines on standard output, without IP addresses, VINs and query strings. */

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type LogFields = Record<string, string | number | boolean | null | undefined>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** Logs one request with its route template. */
  request(id: string, method: string, route: string, status: number, ms: number): void;
  /** Writes the buffered lines. */
  flush(): void;
}

/** The text of an error may contain a file name or a key with a VIN. */
const VIN = /\b[A-HJ-NPR-Z0-9]{17}\b/g;

const withoutVins = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(VIN, '[VIN]') : value,
    ]),
  );

/** Lines wait this long for others, so that thousands of requests a second aren't as many writes. */
const FLUSH_MS = 100;
const FLUSH_BYTES = 8 * 1024;

/** Writes synchronously, so that nothing is lost at exit once it is flushed. */
function standardOutput() {
  // pino's own buffer measures all of it again for each line.
  const destination = pino.destination({ dest: 1, sync: true });
  // A full disk or a broken pipe loses lines, not the service.
  destination.on('error', () => {});
  let lines = '';
  const flush = () => {
    if (lines !== '') destination.write(lines);
    lines = '';
  };
  setInterval(flush, FLUSH_MS).unref();
  return {
    flush,
    write(line: string) {
      lines += line;
      if (lines.length > FLUSH_BYTES) flush();
    },
  };
}

let stampedAt = 0;
let stamp = '';

/** The time, as text. Formatting it for each of thousands of requests a second would take a tenth of their time. */
function timestamp(): string {
  const now = Date.now();
  if (now !== stampedAt) stamp = `,"time":"${new Date(now).toISOString()}"`;
  stampedAt = now;
  return stamp;
}

/** By default to standard output. */
export function createLog(level: LogLevel, write?: (line: string) => void): Log {
  const destination = write ? { write, flush() {} } : standardOutput();
  const { flush } = destination;
  const logger = pino(
    {
      level,
      base: null,
      timestamp,
      formatters: { level: (name) => ({ level: name }) },
    },
    destination,
  );
  const logAt = (name: Exclude<LogLevel, 'silent'>) => (message: string, fields?: LogFields) => {
    if (!logger.isLevelEnabled(name)) return;
    logger[name](withoutVins({ message, ...fields }));
    if (name === 'warn' || name === 'error') flush();
  };
  return {
    debug: logAt('debug'),
    info: logAt('info'),
    warn: logAt('warn'),
    error: logAt('error'),
    // The line that pino would write, without the tenth of a request's time that it would take. Nothing in it needs escaping.
    request(id, method, route, status, ms) {
      if (!logger.isLevelEnabled('info')) return;
      const rounded = Math.round(ms * 10) / 10;
      destination.write(
        `{"level":"info"${timestamp()},"message":"request","id":"${id}","method":"${method}","route":"${route}","status":${status},"ms":${rounded}}\n`,
      );
    },
    flush,
  };
}

export const silentLog: Log = createLog('silent', () => {});

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
