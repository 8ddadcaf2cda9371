import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorDocument, wantsPage } from './documents.ts';
import { lifecycleFields } from './headers.ts';
import type { HttpOptions } from './app.ts';
import { clientsOfPages, refusedPages } from './page-limit.ts';
import { problemResponse, type ProblemOptions } from './problems.ts';
import { tooManyPages, wrongMethod } from './refusals.ts';
import { contactOf, hasUnsupportedExpect, isValidHost, withoutBrokenEscapes } from './request.ts';
import type { HttpResponse } from './response.ts';
import { createSender } from './send.ts';

/** Passes pages and tools to Hono and the MCP endpoint, until they are plugins. */
export function serveFallback(
  app: FastifyInstance,
  options: HttpOptions & { routeOf(path: string): string },
  fallback: (req: IncomingMessage, res: ServerResponse, client: string) => unknown,
): void {
  const { pageLimit, log } = options;
  const { headerSets, baseUrl } = app;

  const sendTo = createSender({ log, policy: undefined, lifecycle: options.lifecycle });
  const send = async (request: FastifyRequest, reply: FastifyReply, response: HttpResponse) => {
    await sendTo(request, reply, response);
    return reply;
  };
  const problem = (request: FastifyRequest, reply: FastifyReply, what: ProblemOptions) =>
    send(request, reply, problemResponse({ headerSets, baseUrl }, what, request.id));

  async function onRequest(request: FastifyRequest, reply: FastifyReply) {
    const { raw: req, method, headers } = request;
    const path = request.path === '/mcp/' ? '/mcp' : request.path;
    const template = options.routeOf(path);
    request.row = { template, handle: () => ({ reason: 'internal', detail: '' }) };
    if (hasUnsupportedExpect(req))
      return problem(request, reply, {
        reason: 'expectation-failed',
        detail: 'The only supported expectation is 100-continue.',
      });
    const isReadOnly = method === 'GET' || method === 'HEAD';
    const preflight = { status: 204, headers: headerSets.preflight('GET, HEAD, OPTIONS'), body: null };
    if (path.startsWith('/errors/') && !wantsPage(request)) {
      const answer = errorDocument(request, path.slice('/errors/'.length), headerSets);
      if (answer && method === 'OPTIONS') return send(request, reply, preflight);
      if (answer && !('reason' in answer) && isReadOnly) return send(request, reply, answer);
      if (answer && !isReadOnly)
        return problem(request, reply, wrongMethod(method, ['GET', 'HEAD', 'OPTIONS']));
    }
    const isCrossOrigin =
      path === '/mcp' || path.startsWith('/.well-known/') || /\.(json|txt|xml|yaml|md)$/.test(path);
    if (isCrossOrigin && method === 'OPTIONS' && path !== '/mcp') return send(request, reply, preflight);
    const isAsset = isReadOnly && path.startsWith('/assets/');
    const wait = isAsset || !pageLimit ? null : pageLimit.enter(request.client);
    if (wait === null && pageLimit && !isAsset)
      reply.raw.once('close', () => pageLimit.leave(request.client));
    if (wait !== null && (isCrossOrigin || !/\btext\/html\b/.test(headers.accept ?? '')))
      return problem(request, reply, tooManyPages(wait));
    if (wait !== null) refusedPages.set(req, wait);
    clientsOfPages.set(req, request.client);
    if (!isValidHost(headers.host))
      return problem(request, reply, { reason: 'bad-request', detail: INVALID_HOST });
    const set = isCrossOrigin ? headerSets.crossOrigin : isAsset ? headerSets.common : headerSets.page;
    const change = options.lifecycle(template);
    const changed = change ? { ...set, ...lifecycleFields(change, [set.link ?? []].flat()) } : set;
    for (const [name, value] of Object.entries(changed)) reply.raw.setHeader(name, value);
    reply.raw.setHeader('X-Request-Id', request.id);
    const contact = path !== '/mcp' && wait === null ? contactOf(request) : undefined;
    if (contact) options.noteContact(contact, template, request.client);
    const escaped = path.replaceAll('\\', '%5C');
    req.url = withoutBrokenEscapes(request.queryText === '' ? escaped : `${escaped}?${request.queryText}`);
    reply.hijack();
    try {
      await fallback(req, reply.raw, request.client);
    } catch (error) {
      log.error('request failed', { id: request.id, error: String((error as Error).stack ?? error) });
      reply.raw.destroy();
    }
    return undefined;
  }

  app.route({
    method: app.supportedMethods,
    url: '/*',
    onRequest,
    handler: async () => {},
  });
}

const INVALID_HOST =
  'The Host header must be a host name or an IP address, with or without a port, such as example.com:8080.';
