import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Log } from '../log.ts';
import type { Lookup } from '../lookup.ts';
import type { AskingLimit } from './asking-limit.ts';
import { createMcpServer } from './server.ts';
import type { ToolParts } from './tool.ts';

/** `/mcp`, Streamable HTTP, stateless, for the 2026-07-28 revision and for clients that still open with `initialize`. */
export interface McpEndpoint {
  fetch(request: Request, caller: { address: string }): Promise<Response>;
  close(): Promise<void>;
}

const MOST_BODY = 64 * 1024;
const ALLOW = 'POST, OPTIONS';

export function createMcpEndpoint(parts: {
  lookup: Lookup;
  baseUrl: string;
  log: Log;
  limit: AskingLimit;
  /** Takes what a caller sent, valid or not. */
  noteContact(raw: string | undefined, route: string): void;
  /** CORS and the rest, from the one place where headers are made. */
  headers: readonly string[];
  preflight: readonly string[];
}): McpEndpoint {
  const { baseUrl, lookup } = parts;
  const hosts = allowedHosts(baseUrl);

  const toolParts = (address: string): ToolParts => ({
    lookup,
    baseUrl,
    mayAsk: () => parts.limit.take(address),
  });
  const onerror = (error: Error) => parts.log.debug('tool endpoint', { error: error.message });

  const addresses = new WeakMap<Request, string>();
  const modern = createMcpHandler(
    (context) => createMcpServer(toolParts(addresses.get(context.requestInfo!) ?? '')),
    {
      legacy: 'reject',
      maxRequestBodySize: MOST_BODY,
      maxSubscriptions: 0,
      onerror,
    },
  );

  async function legacy(request: Request, body: unknown, address: string): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    const server = createMcpServer(toolParts(address));
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: body });
    } finally {
      void server.close();
    }
  }

  async function answer(request: Request, address: string): Promise<Response> {
    if (!hosts.has(hostOf(request)))
      return rpcError(403, -32600, `This host is not served here. Use ${baseUrl}/mcp.`);
    if (request.method !== 'POST') {
      const response = rpcError(
        405,
        -32000,
        'Send JSON-RPC messages with POST. There is no stream to GET and no session to DELETE.',
      );
      response.headers.set('Allow', ALLOW);
      return response;
    }
    if (!/^application\/json\s*(;|$)/i.test(request.headers.get('content-type') ?? '')) {
      return rpcError(415, -32600, 'Content-Type must be application/json.');
    }
    const text = await readText(request);
    if (text === null) return rpcError(413, -32600, `A message may have at most ${MOST_BODY} bytes.`);
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      return rpcError(400, -32700, 'The body is not JSON.');
    }
    if (Array.isArray(body))
      return rpcError(400, -32600, 'Batches are not taken. Send one message per request.');
    noteContact(request, body);
    // Clients that ask for anything at all, or for nothing, mean JSON.
    const headers = new Headers(request.headers);
    headers.set('accept', 'application/json, text/event-stream');
    const normal = new Request(request.url, { method: 'POST', headers, body: text });
    if (await isLegacyRequest(normal, body)) return legacy(normal, body, address);
    addresses.set(normal, address);
    return modern.fetch(normal, { parsedBody: body });
  }

  function noteContact(request: Request, body: unknown): void {
    const raw = request.headers.get('x-contact') ?? new URL(request.url).searchParams.get('contact');
    if (raw === null) return;
    const call = body as { method?: string; params?: { name?: string } } | null;
    const tool = call?.method === 'tools/call' ? call.params?.name : undefined;
    parts.noteContact(raw, tool === 'get_window_sticker' ? tool : '/mcp');
  }

  return {
    async fetch(request, { address }) {
      const response =
        request.method === 'OPTIONS'
          ? new Response(null, { status: 204 })
          : await answer(request, address).catch((error: Error) => {
              parts.log.error('tool endpoint failed', { error: String(error.stack ?? error) });
              return rpcError(500, -32603, 'Something went wrong on our side. Try again.');
            });
      const ours = request.method === 'OPTIONS' ? parts.preflight : parts.headers;
      const headers = new Headers(response.headers);
      for (let at = 0; at < ours.length; at += 2) headers.set(ours[at]!, ours[at + 1]!);
      headers.set('Cache-Control', 'no-store');
      return new Response(response.body, { status: response.status, headers });
    },
    close: () => modern.close(),
  };
}

/** Our own names; the machine's own too while the service is run without a public name. Stops DNS rebinding. */
function allowedHosts(baseUrl: string): Set<string> {
  const { hostname } = new URL(baseUrl);
  const local = ['localhost', '127.0.0.1', '[::1]'];
  return new Set(local.includes(hostname) ? local : [hostname]);
}

function hostOf(request: Request): string {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  return host.replace(/:\d+$/, '').toLowerCase();
}

async function readText(request: Request): Promise<string | null> {
  if (Number(request.headers.get('content-length') ?? 0) > MOST_BODY) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > MOST_BODY) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function rpcError(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status });
}
