/** Structured logs: JSON lines on standard output. No address, no VIN beside an address, no query string ever goes in. */

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export const LOG_LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error', 'silent'];

export type LogFields = Record<string, string | number | boolean | null | undefined>;

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  /** One answered request, by its route template. On the hot path: built by hand, written in batches. */
  request(id: string, method: string, route: string, status: number, ms: number): void;
  /** Writes what is still waiting. */
  flush(): void;
}

/** An error's text may name a file or a key, and that a VIN. */
const VIN = /\b[A-HJ-NPR-Z0-9]{17}\b/g;

const FLUSH_MS = 100;
const FLUSH_BYTES = 32 * 1024;

export function createLog(
  level: LogLevel,
  write: (lines: string) => void = (lines) => void process.stdout.write(lines),
): Log {
  const least = LOG_LEVELS.indexOf(level);
  let waiting = '';
  let timer: NodeJS.Timeout | null = null;

  const flush = () => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (waiting === '') return;
    const lines = waiting;
    waiting = '';
    write(lines);
  };

  const add = (line: string, now: boolean) => {
    waiting += line;
    if (now || waiting.length > FLUSH_BYTES) flush();
    else timer ??= setTimeout(flush, FLUSH_MS).unref();
  };

  const at = (which: LogLevel) => {
    if (LOG_LEVELS.indexOf(which) < least) return () => {};
    const urgent = which === 'warn' || which === 'error';
    return (message: string, fields?: LogFields) => {
      const line = JSON.stringify({ time: new Date().toISOString(), level: which, message, ...fields });
      add(`${line.replace(VIN, '[VIN]')}\n`, urgent);
    };
  };

  // Making the date anew for each of thousands of requests a second would cost more than the line.
  let second = 0;
  let millisecond = 0;
  let day = '';
  let stamp = '';
  const request: Log['request'] =
    least > LOG_LEVELS.indexOf('info')
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

  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), request, flush };
}

export const silentLog: Log = createLog('silent');
