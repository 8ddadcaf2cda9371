import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { createHeldBytes } from '../lib/limits.ts';
import { hasBody, MAX_BODY_BYTES } from './request.ts';
import type { Hook } from './route.ts';

/** Each may take up to 64 KB. Beyond this, the client with most of them loses one. */
const MAX_ARRIVING_BYTES = 32 * 1024 * 1024;

/** Bodies are text in `request.body`, and bounded in total while they arrive. */
export function receiveBodies(app: FastifyInstance): { prepare: Hook; received(req: IncomingMessage): void } {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_, body, done) =>
    done(null, withoutMark(String(body))),
  );
  const arriving = createHeldBytes<IncomingMessage>(MAX_ARRIVING_BYTES, (req) => req.destroy());

  return {
    prepare(request, _, done) {
      const { raw: req, method } = request;
      if (method === 'GET' || method === 'HEAD') return done();
      if (hasBody(req)) {
        arriving.add(req, MAX_BODY_BYTES, request.client);
        req.on('close', () => arriving.remove(req));
      } else {
        // Node has ended it (`optimizeEmptyRequests`), and the parser of bodies would wait for the end.
        delete request.headers['content-type'];
      }
      done();
    },
    received: arriving.remove,
  };
}

/** UTF-8 without the byte order mark that .NET and PowerShell like to send. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);
