import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHeldBytes } from '../lib/held-bytes.ts';
import type { Log } from '../lib/log.ts';
import type { Lifecycle } from '../store/contact-store.ts';
import { createCompressor } from './compression.ts';
import { lifecycleFields } from './headers.ts';
import { policyField, type Policy } from './limit.ts';
import type { HttpResponse } from './response.ts';

/** Large texts that their clients haven't received yet. Files share their bytes and aren't counted. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** Smaller ones fit into the buffers of the operating system. */
const MIN_UNREAD_BYTES = 64 * 1024;

export type Send = (request: FastifyRequest, reply: FastifyReply, response: HttpResponse) => Promise<void>;

/** Sends responses, each with the headers of its request: the id, the state of the rate limit, announced changes. */
export function createSender(options: {
  log: Log;
  policy: Policy | undefined;
  lifecycle(route: string): Lifecycle | null;
}): Send {
  const compress = createCompressor();
  const policy = options.policy && policyField(options.policy);
  const unread = createHeldBytes<ServerResponse>(MAX_UNREAD_BYTES, ({ req }) => req.socket.destroy());

  function fieldsOf(request: FastifyRequest, { status, headers, body }: HttpResponse): OutgoingHttpHeaders {
    const fields: OutgoingHttpHeaders = { ...headers, 'x-request-id': request.id };
    if (request.decision) {
      fields['ratelimit-policy'] = policy;
      fields.ratelimit = request.decision.field;
    }
    if (headers['content-length'] === undefined && status !== 204 && status !== 304) {
      if (typeof body === 'string' || Buffer.isBuffer(body)) fields['content-length'] = body.length;
      else if (body === null && request.method !== 'HEAD') fields['content-length'] = 0;
    }
    const change = options.lifecycle(request.row?.template ?? '');
    return change ? { ...fields, ...lifecycleFields(change, [headers.link ?? []].flat()) } : fields;
  }

  return async function send(request, reply, response) {
    const res = reply.raw;
    const ready = compress(request.headers['accept-encoding'], response);
    const sent = ready instanceof Promise ? await ready : ready;
    const { body } = sent;
    if (res.destroyed) {
      // The client left in the meantime.
      sent.onClose?.();
      if (body instanceof Readable) body.destroy();
      return void reply.hijack();
    }
    if (sent.onClose) res.on('close', sent.onClose);
    // Directly: Fastify would add a charset to JSON, and check the length and every header of it again.
    res.writeHead(sent.status, fieldsOf(request, sent));
    reply.hijack();
    if (body === null || request.method === 'HEAD') {
      res.end();
    } else if (typeof body === 'string') {
      if (body.length >= MIN_UNREAD_BYTES) {
        unread.add(res, body.length, request.client);
        res.on('close', () => unread.remove(res));
      }
      res.end(body, 'latin1');
    } else if (Buffer.isBuffer(body)) {
      res.end(body);
    } else {
      // `pipeline` adds seven listeners to those that wait for the end already.
      res.setMaxListeners(20);
      pipeline(body, res, (error) => {
        if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
          options.log.error('response: the file broke off', { id: request.id, error: error.message });
      });
    }
  };
}
