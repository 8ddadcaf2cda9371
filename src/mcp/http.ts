import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import {
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  isJSONRPCRequest,
  isLegacyRequest,
  type JSONRPCMessage,
  localhostAllowedHostnames,
  parseJSONRPCMessage,
  PerRequestHTTPServerTransport,
  type RequestId,
  type Server,
  SUPPORTED_PROTOCOL_VERSIONS,
  validateHostHeader,
} from '@modelcontextprotocol/server';
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { JSON_TYPE, type HeaderFields, type HttpResponse } from '../http/response.ts';
import type { Answer, ProblemOptions } from '../http/problems.ts';
import { contactOf, disconnectionOf, MAX_BODY_BYTES } from '../http/request.ts';
import type { Log } from '../lib/log.ts';
import { createReadLimit, withFile } from './bounds.ts';
import { errorJson, idOf, type Message, messageIn, NO_MESSAGE } from './message.ts';
import type { AttachFile } from './resources.ts';

interface McpOptions {
  log: Log;
  /** A server for one request of this client. It gives the bytes of a file to `attach` instead of sending them in base64. */
  serverFor(client: string, disconnected: AbortSignal, attach: AttachFile): Server;
  /** Takes whatever the client sent, valid or not. */
  noteContact(raw: string | undefined, route: string): void;
}

const TOO_MANY_READS =
  'Too many files are being read right now. Try again in 5 seconds, or download the file from its URL.';

/**
 * `/mcp`, Streamable HTTP, stateless, for the 2026-07-28 revision and for clients that still open with `initialize`. The SDK
 * speaks both; a request gets plain JSON unless there is progress to report before its result.
 */
export const mcp: FastifyPluginCallback<McpOptions> = (app, { log, serverFor, noteContact }, done) => {
  const { baseUrl, headerSets } = app;
  const hosts = allowedHosts(baseUrl);
  const reads = createReadLimit();
  const headers = { ...headerSets.crossOrigin, 'cache-control': 'no-store' };

  const servers = new WeakMap<Request, () => Server>();
  const modern = createMcpHandler(({ requestInfo }) => servers.get(requestInfo!)!(), {
    legacy: 'reject',
    onerror: (error) => log.debug('tool endpoint', { error: error.message }),
  });

  function rpcError(status: number, code: number, message: string, options: RpcErrorOptions = {}) {
    const body = sendable(errorJson(code, message, options.id));
    return { status, headers: { ...headers, 'content-type': JSON_TYPE, ...options.headers }, body };
  }

  async function handle(request: FastifyRequest, response: ServerResponse): Promise<Answer> {
    const { client } = request;
    if (!validateHostHeader(request.headers.host, hosts).ok)
      return rpcError(403, -32600, `Unknown host. Use ${baseUrl}/mcp.`);
    if (request.body !== undefined && !isJsonContentType(request.headers['content-type'] ?? null))
      return rpcError(415, -32600, 'Content-Type must be application/json.');
    const read = messageIn(request.body as string);
    if ('wrong' in read) return rpcError(400, read.code, read.wrong);
    const { message } = read;
    noteContact(contactOf(request), routeOf(message));
    if (!request.headers.accept?.includes('text/event-stream')) dropProgressToken(message);
    if (message.method === 'resources/read' && !reads.start(client, response))
      return rpcError(503, -32000, TOO_MANY_READS, { id: idOf(message), headers: { 'retry-after': '5' } });

    const signal = disconnectionOf(response);
    // Without the body, which is already parsed, a Request is cheap.
    const forSdk = new Request(`${baseUrl}/mcp`, {
      method: 'POST',
      headers: sdkHeaders(request.headers),
      signal,
    });
    let file: Buffer | undefined;
    const createServer = () => serverFor(client, signal, (bytes) => (file = bytes));
    if (await isLegacyRequest(forSdk, message)) {
      const wrong = legacyError(message, forSdk.headers.get('mcp-protocol-version'));
      if (wrong) return rpcError(400, wrong.code, wrong.message, { id: idOf(message) });
      const sent = await answerLegacy(message as unknown as JSONRPCMessage, forSdk, createServer);
      // Older clients take a 404 for the end of their session.
      return httpResponse(sent, sent.status === 404 ? 200 : sent.status, file);
    }
    // The SDK supports it, but our lists never change, so there is nothing to subscribe to.
    if (message.method === 'subscriptions/listen' && 'id' in message)
      return rpcError(404, -32601, 'Method not found', { id: idOf(message) });
    servers.set(forSdk, createServer);
    const sent = await modern.fetch(forSdk, { parsedBody: message });
    return httpResponse(sent, sent.status, file);
  }

  async function httpResponse(sent: Response, status: number, file?: Buffer): Promise<HttpResponse> {
    if (sent.body === null) return { status, headers, body: null };
    if (sent.headers.get('content-type') === EVENTS) {
      // A buffering proxy would hold back progress until the end.
      const streamed = { ...headers, 'content-type': EVENTS, 'x-accel-buffering': 'no' };
      return { status, headers: streamed, body: Readable.fromWeb(sent.body as ReadableStream) };
    }
    const json = await sent.text();
    const typed = { ...headers, 'content-type': JSON_TYPE };
    const filled = file && withFile(json, file);
    if (!filled) return { status, headers: typed, body: sendable(json) };
    return { status, headers: { ...typed, 'content-length': String(filled.bytes) }, body: filled.body };
  }

  /** JSON-RPC errors in place of problem documents. */
  function present(problem: ProblemOptions, request: FastifyRequest): Answer {
    switch (problem.reason) {
      case 'method-not-allowed': {
        if (request.method === 'GET' && isBrowser(request.headers.accept))
          return {
            status: 303,
            headers: { ...headers, location: `${baseUrl}/connect`, vary: 'Accept' },
            body: null,
          };
        const message =
          'Send JSON-RPC messages with POST. There is no stream to GET and no session to DELETE.';
        return rpcError(405, -32000, message, { headers: problem.headers });
      }
      case 'body-too-large': {
        const message = `A message can have at most ${MAX_BODY_BYTES} bytes.`;
        return rpcError(413, -32600, message, { headers: { connection: 'close' } });
      }
      case 'unsupported-media-type':
        return rpcError(415, -32600, 'Content-Type must be application/json.');
      case 'internal':
        return rpcError(500, -32603, 'Something went wrong on our side. Try again.');
      default:
        return problem;
    }
  }

  // Clients that join URLs add a slash, and few follow a redirect of a POST.
  for (const template of ['/mcp', '/mcp/'])
    app.serve({
      template,
      methods: ['POST'],
      limit: 'page',
      isCrossOrigin: true,
      notesContact: true,
      handle,
      present,
    });
  done();
};

interface RpcErrorOptions {
  id?: RequestId | null;
  headers?: HeaderFields | undefined;
}

const EVENTS = 'text/event-stream';

/** Pure ASCII, as most of it is, stays a string: Node sends that with its headers in one write. */
function sendable(json: string): string | Buffer {
  return Buffer.byteLength(json) === json.length ? json : Buffer.from(json);
}

/** What is wrong with a message of an older revision. The oldest clients don't send their version. */
function legacyError(message: Message, version: string | null): { message: string; code: number } | null {
  try {
    parseJSONRPCMessage(message);
  } catch {
    return { message: NO_MESSAGE, code: -32600 };
  }
  if (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version) || isInitializeRequest(message))
    return null;
  const supported = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  return { message: `Unsupported protocol version. Supported: ${supported} and 2026-07-28.`, code: -32000 };
}

/** There is no session, so notifications and replies have no effect. */
async function answerLegacy(
  message: JSONRPCMessage,
  request: Request,
  createServer: () => Server,
): Promise<Response> {
  if (!isJSONRPCRequest(message)) return new Response(null, { status: 202 });
  const transport = new PerRequestHTTPServerTransport({ classification: { era: 'legacy' } });
  await createServer().connect(transport);
  return transport.handleMessage(message, { request }).catch((error: unknown) => {
    // Nobody reads it.
    if (request.signal.aborted) return new Response(null, { status: 499 });
    throw error;
  });
}

/** Our host name, or the local ones while the service has no public name. Prevents DNS rebinding. */
function allowedHosts(baseUrl: string): string[] {
  const { hostname } = new URL(baseUrl);
  const local = localhostAllowedHostnames();
  return local.includes(hostname) ? local : [hostname];
}

/** Drops the request for progress: a client that doesn't accept a stream gets plain JSON. */
function dropProgressToken({ params }: Message): void {
  const { _meta } = (params ?? {}) as { _meta?: { progressToken?: unknown } };
  if (_meta && typeof _meta === 'object') delete _meta.progressToken;
}

/** Whether a person opened the URL; clients that try to open a stream accept `text/event-stream`. */
function isBrowser(accept = ''): boolean {
  return accept.includes('text/html') && !accept.includes(EVENTS);
}

/** The headers that the SDK reads. We accept any `Accept` header, or none. */
function sdkHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const selected: Record<string, string> = { 'content-type': JSON_TYPE, accept: `${JSON_TYPE}, ${EVENTS}` };
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('mcp-') && value !== undefined) selected[name] = String(value);
  }
  return selected;
}

/** The route for analytics, which counts one tool by name and everything else as `/mcp`. */
function routeOf({ method, params }: Message): string {
  const { name } = (params ?? {}) as { name?: unknown };
  return method === 'tools/call' && name === 'get_window_sticker' ? 'get_window_sticker' : '/mcp';
}
