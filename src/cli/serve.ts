import { resolve } from 'node:path';
import { start } from '../main.ts';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { createLog, type Log } from '../lib/log.ts';
import { parseArguments } from './command-line.ts';
import { specimens } from '../lookup/specimens/index.ts';

const USAGE = `Runs the service.

  monroney serve

  PORT=9000 DATA_DIR=/srv/monroney monroney serve     settings are environment variables: see docs/configuration.md

It creates its store if there is none, and runs until Ctrl-C or SIGTERM.
`;

/** Read at load: the parent may exit while the service starts. */
const parentPid = process.ppid;

export const options = { help: { type: 'boolean', short: 'h' } } as const;

/** `monroney serve`, which is `npm start`. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseArguments(args, options, USAGE, 0);
  if (typeof parsed === 'number') return parsed;
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
  logRejections(log);
  if (!process.permission)
    log.warn(
      "Node's permission model is off, so the service may write outside DATA_DIR; see docs/security.md",
    );
  let service;
  try {
    service = await start(config, log);
  } catch (error) {
    process.stderr.write(`Monroney can't start: ${startProblem(error as Error, config)}\n`);
    log.flush();
    return 1;
  }
  // Before the message below, because its reader may send a signal at once.
  const stopSignal = waitForStopSignal();
  const [first] = specimens;
  process.stderr.write(
    `\nMonroney listens on ${service.origin}. Try these URLs:\n\n` +
      `  ${service.origin}/\n` +
      `  ${service.origin}/api/v1/vin/${first!.vin}\n` +
      `  ${service.origin}/api/sticker/${first!.vin}\n\n`,
  );
  // Whoever presses Ctrl-C waits for it.
  await service.close((await stopSignal) === 'SIGINT' ? 0 : undefined);
  log.flush();
  return 0;
}

/** Why the service could not start, with the setting to change where the system's own message names none. */
function startProblem(
  error: Error,
  config: Pick<Config, 'dataDir' | 'host' | 'port' | 'adminPort' | 'adminHost'>,
): string {
  const {
    code = '',
    syscall,
    path,
    port,
    hostname,
  } = error as NodeJS.ErrnoException & {
    port?: number;
    hostname?: string;
  };
  if (syscall === 'getaddrinfo') {
    const variable = hostname === config.host ? 'HOST' : 'ADMIN_HOST';
    return `No IP address found for ${hostname}. Set ${variable} to an IP address of this machine, or to 0.0.0.0 for all.`;
  }
  if (syscall === 'listen') {
    const isAdmin = port !== undefined && port === config.adminPort;
    const [variable, address] = isAdmin ? ['ADMIN_PORT', config.adminHost] : ['PORT', config.host];
    if (code === 'EADDRINUSE')
      return `Port ${port} is already in use. Stop the program that uses it, or set ${variable} to another port.`;
    if (code === 'EACCES')
      return `This user may not listen on port ${port}. Set ${variable} to a port above 1023, or use a reverse proxy.`;
    if (code === 'EADDRNOTAVAIL')
      return `${address} isn't an IP address of this machine. Set ${isAdmin ? 'ADMIN_HOST' : 'HOST'} to one, or to 0.0.0.0 for all.`;
  }
  // Other problems with it may pass while the service runs.
  if (['EEXIST', 'ENOTDIR'].includes(code) && path && resolve(config.dataDir).startsWith(resolve(path)))
    return `DATA_DIR ${config.dataDir} is a file, not a folder: ${error.message}.`;
  return error.message;
}

/** Logs warnings of Node and of libraries instead of printing them to standard error. */
function logWarnings(log: Log): void {
  const disabled = process.execArgv.flatMap((arg) => /^--disable-warning=(.+)/.exec(arg)?.[1] ?? []);
  process.removeAllListeners('warning');
  process.on('warning', (warning: Error & { code?: string }) => {
    const { name, code, message } = warning;
    if (disabled.includes(code ?? '') || disabled.includes(name)) return;
    log.warn('warning', { name, code, text: message });
  });
}

/** Node would end the process because of one request whose promise nobody waits for. */
function logRejections(log: Log): void {
  process.on('unhandledRejection', (reason) =>
    log.error('unhandled rejection', { error: reason instanceof Error ? reason.stack : String(reason) }),
  );
}

const PARENT_POLL_MS = 200;

/**
 * npm forwards signals to the shell that runs the script, and most shells exit on SIGTERM without forwarding it.
 * So under npm the end of the parent process counts as SIGTERM.
 */
function waitForStopSignal(): Promise<'SIGTERM' | 'SIGINT'> {
  return new Promise((stop) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop(signal));
    if (!process.env.npm_lifecycle_event) return;
    const timer = setInterval(() => {
      if (process.ppid === parentPid) return;
      clearInterval(timer);
      stop('SIGTERM');
    }, PARENT_POLL_MS).unref();
  });
}
