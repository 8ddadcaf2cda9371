import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createLog, type Log } from '../lib/log.ts';
import { localBackends, remoteBackend, type ToolBackend } from '../mcp/backends.ts';
import { errorJson, idOf, messageIn, NO_MESSAGE } from '../mcp/message.ts';
import { createMcpServer } from '../mcp/server.ts';
import { openRuntime } from '../runtime.ts';
import { openStatusBoard } from '../site/status/board.ts';
import { urlError } from './client.ts';
import { parseArguments, storeError, usageError } from './command-line.ts';
import { storeConfig } from './store-config.ts';

const USAGE = `Usage: monroney mcp [--remote URL | --local]

The tools for AI assistants over standard input and output. With --remote, MONRONEY_URL or BASE_URL they use the service
at that URL. Otherwise, or with --local, they use the store in DATA_DIR, which is created if there is none; a running
service may use it at the same time.
`;

export const options = {
  remote: { type: 'string' },
  local: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `monroney mcp`, which is `npm run -s mcp`: messages on standard output, everything else on standard error. */
export async function run(args: string[]): Promise<number> {
  const parsed = parseArguments(args, options, USAGE, 0);
  if (typeof parsed === 'number') return parsed;
  const { remote: given, local } = parsed.values;
  const url = local ? undefined : (given ?? (process.env.MONRONEY_URL || process.env.BASE_URL))?.trim();
  const wrong = url ? urlError(url) : null;
  if (wrong) return usageError(wrong, USAGE);
  const remote = url ? withoutEndpoint(url) : null;
  const config = storeConfig({ hasFiles: remote !== null });
  if (typeof config === 'string') return usageError(config, USAGE);
  const log = createLog(config.logLevel, (lines) => void process.stderr.write(lines));
  if (remote !== null) {
    await serve(remoteBackend(remote), remote, log);
    return 0;
  }
  let runtime;
  try {
    runtime = await openRuntime(config, log, { exclusive: false });
  } catch (error) {
    return storeError(error);
  }
  try {
    const { lookup, longWork, vpic } = runtime;
    // Only a service has pages, and only `BASE_URL` says where one runs.
    const baseUrl = process.env.BASE_URL ? config.baseUrl : null;
    const { report } = openStatusBoard({ ...runtime, month: vpic.month, now: Date.now });
    const backendFor = localBackends({ lookup, longWork, baseUrl, status: report, log });
    await serve(backendFor('standard input'), baseUrl, log);
    return 0;
  } finally {
    await runtime.close();
    log.flush();
  }
}

/** Serves until standard input is closed or a signal stops the process. */
async function serve(backend: ToolBackend, baseUrl: string | null, log: Log): Promise<void> {
  const running = new Set<Promise<void>>();
  const track = <T>(result: Promise<T>): Promise<T> => {
    const done: Promise<void> = result.then(
      () => void running.delete(done),
      () => void running.delete(done),
    );
    running.add(done);
    return result;
  };
  const trackedBackend: ToolBackend = {
    call: (tool, args) => track(backend.call(tool, args)),
    read: (uri) => track(backend.read(uri)),
  };
  // When its input ends, the SDK drops running calls; a program that pipes its requests in wants the responses.
  const input = new PassThrough();
  const incoming = createInterface({ input: process.stdin });
  incoming.on('line', (line) => {
    if (line.trim() === '') return;
    const checked = checkedLine(line);
    if ('error' in checked) process.stdout.write(`${checked.error}\n`);
    else input.write(`${JSON.stringify(checked.message)}\n`);
  });
  const handle = serveStdio(() => createMcpServer(trackedBackend, baseUrl), {
    transport: new StdioServerTransport(input, process.stdout),
    maxSubscriptions: 0,
    onerror: (error) => log.debug('tools', { error: error.message }),
  });
  await new Promise<void>((resolve) => {
    incoming.once('close', () => resolve());
    process.stdout.once('error', () => resolve());
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  // After a signal the input may still be open, which would keep the process alive.
  incoming.close();
  await wait(50);
  await Promise.all(running);
  await wait(50);
  await handle.close();
  input.destroy();
}

/** The message in a line, or the error response to an invalid one: the SDK would not respond at all. */
function checkedLine(line: string): { message: object } | { error: string } {
  const read = messageIn(line);
  if ('wrong' in read) return { error: errorJson(read.code, read.wrong) };
  try {
    parseJSONRPCMessage(read.message);
    return read;
  } catch {
    return { error: errorJson(-32600, NO_MESSAGE, idOf(read.message)) };
  }
}

/** People paste `https://example.org/mcp`; we need the URL without `/mcp`. */
function withoutEndpoint(text: string): string {
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/(mcp)?\/?$/, '');
}
