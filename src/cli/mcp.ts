import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { type Config, ConfigError, readConfig } from '../config.ts';
import { createLog, type Log } from '../lib/log.ts';
import { localBackends } from '../mcp/local-backend.ts';
import { remoteBackend } from '../mcp/remote-backend.ts';
import { idOf, rpcError } from '../mcp/rpc-response.ts';
import { type ToolBackend, createMcpServer } from '../mcp/server.ts';
import { openRuntime } from '../runtime.ts';

const USAGE = `Usage: monroney mcp [--remote URL | --local]

The tools for AI assistants over standard input and output. With --remote, MONRONEY_URL or BASE_URL they ask the Monroney
at that address. Otherwise, or with --local, they look up with the store in DATA_DIR, also beside a service that uses it.
`;

/** `monroney mcp`, which is `npm run -s mcp`: messages on standard output, everything else on standard error. */
export async function run(args: string[]): Promise<number> {
  let remote: string | null;
  let config: Config;
  try {
    const { values } = parseArgs({
      args,
      options: {
        remote: { type: 'string' },
        local: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help) {
      process.stderr.write(USAGE);
      return 0;
    }
    remote = values.local
      ? null
      : originOf(values.remote ?? (process.env.MONRONEY_URL || process.env.BASE_URL));
    config = readConfig(process.env);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (!(error instanceof ConfigError) && !code?.startsWith('ERR_PARSE_ARGS')) throw error;
    process.stderr.write(`${message}\n\n${USAGE}`);
    return 2;
  }
  const log = createLog(config.logLevel, (lines) => void process.stderr.write(lines));
  if (remote !== null) {
    await serve(remoteBackend(remote), remote, log);
    return 0;
  }
  const runtime = await openRuntime(config, log, { exclusive: false });
  try {
    const { lookup } = runtime;
    const { baseUrl } = config;
    await serve(localBackends({ lookup, baseUrl, log })('standard input'), baseUrl, log);
    return 0;
  } finally {
    await runtime.close();
    log.flush();
  }
}

/** Until the other side closes standard input, or somebody stops us. */
async function serve(backend: ToolBackend, baseUrl: string, log: Log): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const watched = <T>(answer: Promise<T>): Promise<T> => {
    const done: Promise<void> = answer.then(
      () => void underWay.delete(done),
      () => void underWay.delete(done),
    );
    underWay.add(done);
    return answer;
  };
  const counted: ToolBackend = {
    call: (tool, args) => watched(backend.call(tool, args)),
    read: (uri) => watched(backend.read(uri)),
  };
  // The SDK drops what is under way when its input ends; a program that pipes its questions in wants the answers.
  const input = new PassThrough();
  const incoming = createInterface({ input: process.stdin });
  incoming.on('line', (line) => {
    const refusal = refusalOf(line);
    if (refusal !== null) process.stdout.write(`${refusal}\n`);
    else input.write(`${line}\n`);
  });
  const handle = serveStdio(() => createMcpServer(counted, baseUrl), {
    transport: new StdioServerTransport(input, process.stdout),
    maxSubscriptions: 0,
    onerror: (error) => log.debug('tools', { error: error.message }),
  });
  await new Promise<void>((resolve) => {
    incoming.once('close', () => resolve());
    process.stdout.once('error', () => resolve());
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  await wait(50);
  await Promise.all(underWay);
  await wait(50);
  await handle.close();
  input.destroy();
}

/** The error that answers a line which is no message; null for a message. The SDK would leave its sender waiting. */
function refusalOf(line: string): string | null {
  if (line.trim() === '') return null;
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return rpcError(400, -32700, 'This line is not JSON. Send one message per line.').body;
  }
  if (Array.isArray(message))
    return rpcError(400, -32600, "Batches aren't supported. Send one message per line.").body;
  try {
    parseJSONRPCMessage(message);
    return null;
  } catch {
    const id = message === null || typeof message !== 'object' ? null : idOf(message);
    return rpcError(400, -32600, 'This is not a JSON-RPC 2.0 message.', { id }).body;
  }
}

/** `https://example.org/mcp` is what people copy; its origin is what is meant. */
function originOf(text: string | undefined): string | null {
  if (!text?.trim()) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new ConfigError(`"${text.slice(0, 80)}" is not a URL. It should look like https://example.org.`);
  return url.origin + url.pathname.replace(/\/(mcp)?\/?$/, '');
}
