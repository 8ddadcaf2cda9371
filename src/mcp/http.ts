import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { classifyInboundRequest, createMcpHandler, type Server } from '@modelcontextprotocol/server';
import type { HeaderFields } from '../http/response.ts';
import { JSON_TYPE } from '../http/headers.ts';
import { contactOf, MAX_BODY_BYTES } from '../http/request.ts';
import { ClientDisconnected, readBody } from './read-body.ts';
import type { Log } from '../lib/log.ts';
import { createOpenCounts } from '../lib/open-counts.ts';
import { createTurns } from '../lib/turns.ts';
import type { DirectCall, StandardHeaders } from './direct-call.ts';
import type { AttachFile } from './resources.ts';
import { answerLegacyMessage, complexityError, idOf, rpcError, type RpcResponse } from './json-rpc.ts';

/** `/mcp`, Streamable HTTP, stateless, for the 2026-07-28 revision and for clients that still open with `initialize`. */
interface McpEndpoint {
  /** Answers a request. `res` already has the common headers, such as CORS. */
  listen(req: IncomingMessage, res: ServerResponse, clientIp: string): Promise<void>;
}

const ALLOW = 'POST, OPTIONS';

export function createMcpEndpoint(options: {
  baseUrl: string;
  log: Log;
  /** A server for one request of this client. It gives the bytes of a file to `attach` instead of sending them in base64. */
  serverFor(clientIp: string, disconnected: AbortSignal, attach: AttachFile): Server;
  /** Answers what doesn't need a server. */
  directCall?: DirectCall;
  /** Takes whatever the client sent, valid or not. */
  noteContact(raw: string | undefined, route: string, client: string): void;
  preflight(allow: string): HeaderFields;
}): McpEndpoint {
  const { baseUrl, log, serverFor } = options;
  const hosts = allowedHosts(baseUrl);

  const servers = new WeakMap<Request, () => Server>();
  const handler = createMcpHandler(({ requestInfo }) => servers.get(requestInfo!)!(), {
    legacy: 'reject',
    maxRequestBodySize: MAX_BODY_BYTES,
    onerror: (error) => log.debug('tool endpoint', { error: error.message }),
  });

  const reads = createReadLimit();

  async function handle(
    req: IncomingMessage,
    res: ServerResponse,
    clientIp: string,
    disconnected: AbortSignal,
  ): Promise<RpcResponse> {
    const rejected = rejectionOf(req, hosts, baseUrl);
    if (rejected) return rejected;
    const read = await readMessage(req, disconnected);
    if ('error' in read) return read.error;
    const body = read.message;
    options.noteContact(contactOf(requestOf(req)), routeOf(body), clientIp);
    const names = standardHeaders(req.headers);
    const classified = classifyInboundRequest({ httpMethod: 'POST', ...names, body });
    if (!req.headers.accept?.includes('text/event-stream')) dropProgressToken(body);
    if ('method' in body && body.method === 'resources/read' && !reads.start(clientIp, res))
      return rpcError(503, -32000, TOO_MANY_READS, { id: idOf(body), headers: { 'Retry-After': '5' } });
    const answer = options.directCall?.(body, classified, names, clientIp, disconnected);
    if (answer) return { status: 200, body: await whileConnected(answer, disconnected) };
    let file: Buffer | undefined;
    const createServer = () => serverFor(clientIp, disconnected, (bytes) => (file = bytes));
    if (classified.kind === 'legacy') {
      const version = names.protocolVersionHeader;
      const response = await answerLegacyMessage(body, version, createServer, disconnected);
      return { ...response, file };
    }
    // The SDK supports it, but our lists never change, so there is nothing to subscribe to.
    if ('method' in body && body.method === 'subscriptions/listen' && 'id' in body)
      return rpcError(404, -32601, 'Method not found', { id: idOf(body) });
    // Without the body, which is already parsed, a Request is cheap.
    const headers = sdkHeaders(req.headers);
    const request = new Request(`${baseUrl}/mcp`, { method: 'POST', headers, signal: disconnected });
    servers.set(request, createServer);
    const response = await handler.fetch(request, { parsedBody: body });
    const { status } = response;
    if (response.body && response.headers.get('content-type')?.startsWith('text/event-stream'))
      return { status, body: response.body };
    return { status, body: (await response.text()) || null, file };
  }

  return {
    async listen(req, res, clientIp) {
      if (req.method === 'OPTIONS') {
        res.writeHead(204, options.preflight(ALLOW)).end();
        return;
      }
      const disconnected = new AbortController();
      res.once('close', () => {
        if (!res.writableFinished) disconnected.abort();
      });
      const response = await handle(req, res, clientIp, disconnected.signal).catch((error: Error) => {
        // A client that disconnects while sending is not our error.
        if (!res.destroyed && !(error instanceof ClientDisconnected))
          log.error('tool endpoint failed', { error: String(error.stack ?? error) });
        return rpcError(500, -32603, 'Something went wrong on our side. Try again.');
      });
      if (!res.destroyed) await sendResponse(res, response, req.method === 'HEAD', disconnected.signal);
    },
  };
}

/** Stops waiting when the client has left. */
function whileConnected<T>(result: Promise<T>, disconnected: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    disconnected.addEventListener('abort', () => reject(new Error('the client left')), { once: true });
    result.then(resolve, reject);
  });
}

/** A file of up to 4 MB stays in memory until its client has read it. */
const MAX_READS = 16;
const MAX_READS_PER_CLIENT = 4;
const TOO_MANY_READS =
  'Too many files are being read right now. Try again in 5 seconds, or download the file from its URL.';

/**
 * Bounds the memory of `resources/read`, also for clients that don't read their responses. If others have taken all places, a
 * client without one gets the oldest of a client with several: four clients that read slowly must not keep out everyone.
 */
function createReadLimit() {
  const counts = createOpenCounts();
  const reads = new Map<ServerResponse, { client: string; uncount(): void }>();

  function end(res: ServerResponse): void {
    reads.get(res)?.uncount();
    reads.delete(res);
  }

  /** Closes the connection of the oldest read whose client has several. False if there is none. */
  function giveUpOne(): boolean {
    for (const [res, { client }] of reads) {
      if (counts.of(client) === 1) continue;
      end(res);
      res.req.socket.destroy();
      return true;
    }
    return false;
  }

  return {
    /** Counts one until the response is sent. False if there are too many. */
    start(client: string, res: ServerResponse): boolean {
      const own = counts.of(client);
      if (res.closed || own >= MAX_READS_PER_CLIENT) return false;
      if (counts.total() >= MAX_READS && (own > 0 || !giveUpOne())) return false;
      reads.set(res, { client, uncount: counts.add(client) });
      res.once('close', () => end(res));
      return true;
    },
  };
}

/** The response to a request that isn't a JSON-RPC message; null when it may be one. */
function rejectionOf(req: IncomingMessage, hosts: ReadonlySet<string>, baseUrl: string): RpcResponse | null {
  if (!hosts.has(hostname(req.headers.host ?? '')))
    return rpcError(403, -32600, `Unknown host. Use ${baseUrl}/mcp.`);
  if (req.method === 'GET' && isBrowser(req.headers.accept))
    return { status: 303, body: null, headers: { Location: `${baseUrl}/connect`, Vary: 'Accept' } };
  if (req.method !== 'POST') {
    const message = 'Send JSON-RPC messages with POST. There is no stream to GET and no session to DELETE.';
    return rpcError(405, -32000, message, { headers: { Allow: ALLOW } });
  }
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? ''))
    return rpcError(415, -32600, 'Content-Type must be application/json.');
  return null;
}

/** Some messages take 15 ms. Clients can send the last bytes of many in one turn of the event loop. */
const { next: messageTurn } = createTurns();

/** The message in the body, or the response that says why there is none. */
async function readMessage(
  req: IncomingMessage,
  disconnected: AbortSignal,
): Promise<{ message: object } | { error: RpcResponse }> {
  const failed = (...args: Parameters<typeof rpcError>) => ({ error: rpcError(...args) });
  const text = await readBody(req);
  if (text === null) {
    const message = `A message can have at most ${MAX_BODY_BYTES} bytes.`;
    return failed(413, -32600, message, { headers: { Connection: 'close' } });
  }
  await messageTurn();
  if (disconnected.aborted) throw new ClientDisconnected('the client disconnected');
  const complexity = complexityError(text);
  if (complexity !== null) return failed(400, -32600, complexity);
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return failed(400, -32700, 'The body is not JSON. Send one JSON-RPC 2.0 message.');
  }
  if (Array.isArray(message))
    return failed(400, -32600, "Batches aren't supported. Send one message per request.");
  if (message === null || typeof message !== 'object')
    return failed(400, -32600, 'This is not a JSON-RPC 2.0 message.');
  return { message };
}

async function sendResponse(
  res: ServerResponse,
  { status, body, headers, file }: RpcResponse,
  isHead: boolean,
  disconnected: AbortSignal,
): Promise<void> {
  if (body !== null && typeof body !== 'string') {
    // A buffering proxy would hold back progress until the end.
    const streamHeaders = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
    res.writeHead(status, { ...streamHeaders, 'Cache-Control': 'no-store' });
    await pipeline(Readable.from(body), res).catch(() => {});
    return;
  }
  if (file && body?.includes(EMPTY_BLOB)) return sendWithFile(res, { status, body, file }, disconnected);
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  res.writeHead(status, {
    ...headers,
    'Cache-Control': 'no-store',
    ...(body === null ? {} : { 'Content-Type': JSON_TYPE, 'Content-Length': bytes }),
  });
  // As a string, so that Node sends head and body in one packet. Pure ASCII, as most, is sent faster as latin1.
  if (body !== null && !isHead) res.end(body, bytes === body.length ? 'latin1' : 'utf8');
  else res.end();
}

/** Where a file belongs. It can't occur in a value: there its quotes would be escaped. */
const EMPTY_BLOB = '"blob":""';
/** Divisible by 3, so that base64 pads only the last piece. */
const PIECE_BYTES = 96 * 1024;

/**
 * Sends a file inside the JSON, each piece when the client has read those before: 4 MB at once would take 50 to 100 ms of the
 * main thread.
 */
async function sendWithFile(
  res: ServerResponse,
  { status, body: json, file }: { status: number; body: string; file: Buffer },
  disconnected: AbortSignal,
): Promise<void> {
  const start = json.indexOf(EMPTY_BLOB) + EMPTY_BLOB.length - 1;
  const bytes = Buffer.byteLength(json) + Math.ceil(file.length / 3) * 4;
  res.writeHead(status, {
    'Cache-Control': 'no-store',
    'Content-Type': JSON_TYPE,
    'Content-Length': bytes,
  });
  res.write(json.slice(0, start));
  for (let at = 0; at < file.length && !res.destroyed; at += PIECE_BYTES) {
    const piece = file.subarray(at, at + PIECE_BYTES).toString('base64');
    if (!res.write(piece, 'latin1')) await once(res, 'drain', { signal: disconnected }).catch(() => {});
  }
  res.end(json.slice(start));
}

/** Our host name, or the local ones while the service has no public name. Prevents DNS rebinding. */
function allowedHosts(baseUrl: string): Set<string> {
  const { hostname: ours } = new URL(baseUrl);
  const local = ['localhost', '127.0.0.1', '[::1]'];
  return new Set(local.includes(ours) ? local : [ours]);
}

const hostname = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();
const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

function standardHeaders(headers: IncomingHttpHeaders): StandardHeaders {
  return {
    protocolVersionHeader: first(headers['mcp-protocol-version']),
    mcpMethodHeader: first(headers['mcp-method']),
    mcpNameHeader: first(headers['mcp-name']),
  };
}

/** Drops the request for progress: a client that doesn't accept a stream gets plain JSON. */
function dropProgressToken(body: object): void {
  const { params } = body as { params?: { _meta?: { progressToken?: unknown } } };
  if (params?._meta && typeof params._meta === 'object') delete params._meta.progressToken;
}

/** Whether a person opened the URL; clients that try to open a stream accept `text/event-stream`. */
function isBrowser(accept = ''): boolean {
  return accept.includes('text/html') && !accept.includes('text/event-stream');
}

/** The headers that the SDK reads. We accept any `Accept` header, or none. */
function sdkHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const selected: Record<string, string> = {
    'content-type': JSON_TYPE,
    accept: `${JSON_TYPE}, text/event-stream`,
  };
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('mcp-') && value !== undefined) selected[name] = String(value);
  }
  return selected;
}

function requestOf({ url = '', headers }: IncomingMessage) {
  const [path = '', query = ''] = url.split('?', 2);
  return { method: 'POST', path, queryText: query, headers };
}

/** The route for analytics, which counts one tool by name and everything else as `/mcp`. */
function routeOf(body: object): string {
  const { method, params } = body as { method?: unknown; params?: { name?: unknown } };
  return method === 'tools/call' && params?.name === 'get_window_sticker' ? 'get_window_sticker' : '/mcp';
}
