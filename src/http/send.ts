import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { pipeline, Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { createHeldBytes } from '../lib/held-bytes.ts';
import type { Log } from '../lib/log.ts';
import type { MemoryCache } from '../lib/memory-cache.ts';
import type { Lifecycle } from '../store/contact-store.ts';
import { createCompressor } from './compression.ts';
import { lifecycleFields, type HttpResponse } from './response.ts';
import { limitField, policyField, type Policy } from './limit.ts';

/** Bodies that clients haven't received yet. Beyond this, the client with most of them loses the slowest. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

interface Download {
  socket: Socket;
  bytes: number;
  since: number;
}

/** Bytes per millisecond that the operating system took. A body is one write, so Node itself shows no progress of it. */
function speedOf({ socket, bytes, since }: Download): number {
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null };
  const left = handle?.writeQueueSize ?? socket.writableLength;
  return (bytes - left) / (performance.now() - since + 1);
}

export type Send = (
  request: FastifyRequest,
  res: ServerResponse,
  response: HttpResponse,
) => void | Promise<void>;

/** Sends responses, each with the headers of its request: the id, the state of the rate limit, announced changes. */
export function createSender(options: {
  log: Log;
  memory: MemoryCache;
  policy: Policy | undefined;
  lifecycle(route: string): Lifecycle | null;
  /** Whether its connection is closed after this response. */
  isLast(res: ServerResponse): boolean;
}): Send {
  const compress = createCompressor(options.memory);
  const policy = options.policy && policyField(options.policy);
  const unread = createHeldBytes<Download>(MAX_UNREAD_BYTES, ({ socket }) => socket.destroy(), speedOf);

  function fieldsOf(request: FastifyRequest, { status, headers, body }: HttpResponse): OutgoingHttpHeaders {
    const fields: OutgoingHttpHeaders = { ...headers, 'x-request-id': request.id };
    if (request.decision) {
      fields['ratelimit-policy'] = policy;
      fields.ratelimit = limitField(request.decision);
    }
    // RFC 9530: Content-Digest is about the content, and HEAD has none; Repr-Digest is about what GET would send.
    if (request.method === 'HEAD' && headers['content-digest'] !== undefined) {
      fields['repr-digest'] = headers['repr-digest'] ?? headers['content-digest'];
      delete fields['content-digest'];
    }
    if (headers['content-length'] === undefined && status !== 204 && status !== 304) {
      if (typeof body === 'string' || Buffer.isBuffer(body)) fields['content-length'] = body.length;
      else if (body === null && request.method !== 'HEAD') fields['content-length'] = 0;
    }
    const change = options.lifecycle(request.row?.template ?? '');
    return change ? { ...fields, ...lifecycleFields(change, [headers.link ?? []].flat()) } : fields;
  }

  function write(request: FastifyRequest, res: ServerResponse, response: HttpResponse): void {
    const { status, body } = response;
    if (res.destroyed || res.headersSent) {
      // The client left in the meantime, or the service stops and couldn't wait.
      if (body instanceof Readable) body.destroy();
      return;
    }
    if (options.isLast(res)) res.setHeader('connection', 'close');
    // Directly: Fastify would add a charset to JSON, and check the length and every header of it again.
    res.writeHead(status, fieldsOf(request, response));
    if (body === null || request.method === 'HEAD') {
      if (body instanceof Readable) body.destroy();
      return void res.end();
    }
    if (body instanceof Readable) {
      // `pipeline` adds seven listeners to those that wait for the end already.
      res.setMaxListeners(20);
      return void pipeline(body, res, (error) => {
        if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
          options.log.error('response: the body broke off', { id: request.id, error: error.message });
      });
    }
    res.end(body, 'latin1');
    // The operating system has taken all of a small one.
    if (res.writableLength === 0) return;
    // All of a file, though only a part of it may be sent. Several clients may receive the same.
    const download = { socket: request.socket, bytes: body.length, since: performance.now() };
    if (typeof body === 'string') unread.add(download, body.length, request.client);
    else unread.add(download, body.buffer.byteLength, request.client, body.buffer);
    res.on('close', () => unread.remove(download));
  }

  return function send(request, res, response) {
    const ready = compress(request.headers['accept-encoding'], response);
    if (ready instanceof Promise) return ready.then((compressed) => write(request, res, compressed));
    return write(request, res, ready);
  };
}
