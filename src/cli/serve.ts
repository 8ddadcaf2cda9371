import { start } from '../main.ts';
import { ConfigError, readConfig } from '../config.ts';
import { createLog, type Log } from '../lib/log.ts';
import { takeArguments, wrongUse } from './arguments.ts';
import { specimens } from '../lookup/specimens/index.ts';

const USAGE = `Runs the service.

  monroney serve

  PORT=9000 DATA_DIR=/srv/monroney monroney serve     settings are environment variables; the README lists them

It runs until it is told to end, by Ctrl-C or SIGTERM.
`;

/** Read at load: the parent may end while the service starts. */
const parent = process.ppid;

/** `monroney serve`, which is `npm start`. */
export async function run(args: string[]): Promise<number> {
  const taken = takeArguments(args, { help: { type: 'boolean', short: 'h' } }, USAGE);
  if (typeof taken === 'number') return taken;
  const [extra] = taken.positionals;
  if (extra !== undefined) return wrongUse(`Unexpected argument: "${extra.slice(0, 40)}".`, USAGE);
  let config;
  try {
    config = readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`Monroney can't start:\n${error.message}\n`);
    return 2;
  }
  const log = createLog(config.logLevel);
  logWarnings(log);
  let service;
  try {
    service = await start(config, log);
  } catch (error) {
    process.stderr.write(`Monroney can't start: ${(error as Error).message}\n`);
    log.flush();
    return 1;
  }
  // Before the message below: whoever reads it may send a signal at once.
  const stopSignal = toldToStop();
  const [first] = specimens;
  process.stderr.write(
    `\nMonroney listens on ${service.origin}. Try these URLs:\n\n` +
      `  ${service.origin}/\n` +
      `  ${service.origin}/api/v1/vin/${first!.vin}\n` +
      `  ${service.origin}/api/sticker/${first!.vin}\n\n`,
  );
  await stopSignal;
  await service.close();
  log.flush();
  return 0;
}

/** Warnings of Node and of libraries go into the log like everything else, not to standard error as they are. */
function logWarnings(log: Log): void {
  const unwanted = process.execArgv.flatMap((word) => /^--disable-warning=(.+)/.exec(word)?.[1] ?? []);
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { code?: string }) => {
    const { name, code, message } = warning;
    if (unwanted.includes(code ?? '') || unwanted.includes(name)) return;
    log.warn('warning', { name, code, text: message });
  });
}

const PARENT_POLL_MS = 200;

/**
 * npm forwards signals to the shell that runs the script, and most shells die of SIGTERM without passing it on.
 * So under npm the end of the parent process counts as SIGTERM.
 */
function toldToStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    if (!process.env.npm_lifecycle_event) return;
    const timer = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(timer);
      resolve();
    }, PARENT_POLL_MS).unref();
  });
}
