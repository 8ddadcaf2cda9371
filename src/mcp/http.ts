import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { classifyInboundRequest, createMcpHandler, type Server } from '@modelcontextprotocol/server';
import { fieldsOf, type Head } from '../http/head.ts';
import { JSON_TYPE } from '../http/headers.ts';
import { contactOf } from '../http/params.ts';
import type { Log } from '../lib/log.ts';
import { MAX_BODY_BYTES, readBody } from '../http/body.ts';
import { answerOne } from './one-message.ts';
import { idOf, rpcError, type RpcAnswer } from './rpc-answer.ts';

/** `/mcp`, Streamable HTTP, stateless, for the 2026-07-28 revision and for clients that still open with `initialize`. */
export interface McpEndpoint {
  /** Answers a request whose common headers (CORS and the rest) are already on `res`. */
  listen(req: IncomingMessage, res: ServerResponse, address: string): Promise<void>;
}

const ALLOW = 'POST, OPTIONS';

export function createMcpEndpoint(parts: {
  baseUrl: string;
  log: Log;
  /** A server for one request from this address. */
  serverFor(address: string): Server;
  /** Takes what a caller sent, valid or not. */
  noteContact(raw: string | undefined, route: string, client: string): void;
  preflight(allow: string): Head;
}): McpEndpoint {
  const { baseUrl, log, serverFor } = parts;
  const hosts = allowedHosts(baseUrl);

  const addresses = new WeakMap<Request, string>();
  const modern = createMcpHandler(({ requestInfo }) => serverFor(addresses.get(requestInfo!) ?? ''), {
    legacy: 'reject',
    maxRequestBodySize: MAX_BODY_BYTES,
    onerror: (error) => log.debug('tool endpoint', { error: error.message }),
  });

  async function answer(req: IncomingMessage, address: string, hungUp: AbortSignal): Promise<RpcAnswer> {
    if (!hosts.has(hostname(req.headers.host ?? '')))
      return rpcError(403, -32600, `This host is not served here. Use ${baseUrl}/mcp.`);
    if (req.method === 'GET' && isBrowser(req.headers.accept))
      return { status: 303, body: null, headers: { Location: `${baseUrl}/connect`, Vary: 'Accept' } };
    if (req.method !== 'POST') {
      const message = 'Send JSON-RPC messages with POST. There is no stream to GET and no session to DELETE.';
      return rpcError(405, -32000, message, { headers: { Allow: ALLOW } });
    }
    if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? ''))
      return rpcError(415, -32600, 'Content-Type must be application/json.');
    const text = await readBody(req);
    if (text === null) {
      const message = `A message may have at most ${MAX_BODY_BYTES} bytes.`;
      return rpcError(413, -32600, message, { headers: { Connection: 'close' } });
    }
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return rpcError(400, -32700, 'The body is not JSON.');
    }
    if (Array.isArray(body))
      return rpcError(400, -32600, 'Batches are not taken. Send one message per request.');
    if (body === null || typeof body !== 'object')
      return rpcError(400, -32600, 'This is not a JSON-RPC 2.0 message.');
    parts.noteContact(contactOf(requestOf(req)), routeOf(body), address);
    const { protocolVersionHeader, ...names } = standardHeaders(req.headers);
    const { kind } = classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader, ...names, body });
    if (!req.headers.accept?.includes('text/event-stream')) withoutProgress(body);
    if (kind === 'legacy') return answerOne(body, protocolVersionHeader, () => serverFor(address), hungUp);
    // The SDK would offer it: but nothing we list ever changes, so there is nothing to wait for.
    if ('method' in body && body.method === 'subscriptions/listen' && 'id' in body)
      return rpcError(404, -32601, 'Method not found', { id: idOf(body) });
    // Without its body, which is read and parsed already, a Request is cheap.
    const headers = headersOf(req.headers);
    const request = new Request(`${baseUrl}/mcp`, { method: 'POST', headers, signal: hungUp });
    addresses.set(request, address);
    const response = await modern.fetch(request, { parsedBody: body });
    const { status } = response;
    if (response.body && response.headers.get('content-type')?.startsWith('text/event-stream'))
      return { status, body: response.body };
    return { status, body: (await response.text()) || null };
  }

  return {
    async listen(req, res, address) {
      if (req.method === 'OPTIONS') {
        res.writeHead(204, fieldsOf(parts.preflight(ALLOW)).flat()).end();
        return;
      }
      const hungUp = new AbortController();
      res.once('close', () => {
        if (!res.writableFinished) hungUp.abort();
      });
      const { status, body, headers } = await answer(req, address, hungUp.signal).catch((error: Error) => {
        // A sender that hung up in the middle is no trouble of ours.
        if (!res.destroyed) log.error('tool endpoint failed', { error: String(error.stack ?? error) });
        return rpcError(500, -32603, 'Something went wrong on our side. Try again.');
      });
      if (res.destroyed) return;
      if (body !== null && typeof body !== 'string') {
        // A proxy that buffers would keep progress until the end.
        const asStream = { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
        res.writeHead(status, { ...asStream, 'Cache-Control': 'no-store' });
        await pipeline(Readable.from(body), res).catch(() => {});
        return;
      }
      res.writeHead(status, {
        ...headers,
        'Cache-Control': 'no-store',
        ...(body === null ? {} : { 'Content-Type': JSON_TYPE, 'Content-Length': Buffer.byteLength(body) }),
      });
      // As a string, so that head and body leave in one piece.
      if (body !== null && req.method !== 'HEAD') res.end(body);
      else res.end();
    },
  };
}

/** Our own names; the machine's own too while the service is run without a public name. Stops DNS rebinding. */
function allowedHosts(baseUrl: string): Set<string> {
  const { hostname: ours } = new URL(baseUrl);
  const local = ['localhost', '127.0.0.1', '[::1]'];
  return new Set(local.includes(ours) ? local : [ours]);
}

const hostname = (host: string): string => host.replace(/:\d+$/, '').toLowerCase();
const first = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;

function standardHeaders(headers: IncomingHttpHeaders) {
  return {
    protocolVersionHeader: first(headers['mcp-protocol-version']),
    mcpMethodHeader: first(headers['mcp-method']),
    mcpNameHeader: first(headers['mcp-name']),
  };
}

/** Leaves out the wish for progress: whoever does not read a stream gets one piece of JSON. */
function withoutProgress(body: object): void {
  const { params } = body as { params?: { _meta?: { progressToken?: unknown } } };
  if (params?._meta && typeof params._meta === 'object') delete params._meta.progressToken;
}

/** A person who opened the address; clients that try for a stream accept `text/event-stream`. */
function isBrowser(accept = ''): boolean {
  return accept.includes('text/html') && !accept.includes('text/event-stream');
}

/** What the SDK looks at. Clients that accept anything at all, or say nothing, mean JSON. */
function headersOf(headers: IncomingHttpHeaders): Record<string, string> {
  const kept: Record<string, string> = {
    'content-type': JSON_TYPE,
    accept: `${JSON_TYPE}, text/event-stream`,
  };
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('mcp-') && value !== undefined) kept[name] = String(value);
  }
  return kept;
}

function requestOf({ url = '', headers }: IncomingMessage) {
  const [path = '', query = ''] = url.split('?', 2);
  return { method: 'POST', path, query, headers };
}

/** The one tool whose use is told to analytics by name; everything else counts for the address. */
function routeOf(body: object): string {
  const { method, params } = body as { method?: unknown; params?: { name?: unknown } };
  return method === 'tools/call' && params?.name === 'get_window_sticker' ? 'get_window_sticker' : '/mcp';
}
