import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { conditionalJson } from './representation.ts';
import {
  type HttpContext,
  CACHE_HEADERS,
  type ApiRoute,
  type DescribedRoute,
  type DescribedResponse,
  type Json,
  type Samples,
} from './operation.ts';
import { etagOf, JSON_TYPE, type HeaderSets, asciiJson, type Document } from './response.ts';
import { isReason, REASONS, type Answer } from './problems.ts';

/** Handlers of URLs that aren't rate limited: documents, health checks and error codes. */

const DEFAULT_CACHE_CONTROL = 'public, max-age=300';

/** Hashing the largest documents takes longer than sending them. */
const etags = new WeakMap<Document, string>();

function sendDocument(request: FastifyRequest, document: Document, headerSets: HeaderSets): Answer {
  const { body, type, cacheControl = DEFAULT_CACHE_CONTROL } = document;
  let etag = etags.get(document);
  if (etag === undefined) etags.set(document, (etag = etagOf(body)));
  return conditionalJson(request, body, cacheControl, headerSets, { etag, type });
}

/** Serves documents at their paths, those of the API in its limit. Each may have to be generated first. */
export function serveDocuments(
  app: FastifyInstance,
  documents: ReadonlyMap<string, () => Document | Promise<Document>>,
): void {
  for (const [template, make] of documents)
    app.serve({
      template,
      limit: template.startsWith('/api/') ? 'api' : 'none',
      isCrossOrigin: true,
      handle: async (request) => sendDocument(request, await make(), app.headerSets),
    });
}

/** When a load balancer should check again. */
const RETRY_SECONDS = 10;

const Health = z
  .object({
    ok: z.boolean().meta({ description: 'Whether the service is OK.' }),
    store: z.string().optional().meta({ description: 'Whether stickers can be stored.' }),
    network: z.string().optional().meta({
      description: "`up`, or `down` if this server can't reach the internet: new stickers then have to wait.",
    }),
    vpic: z.string().optional().meta({ description: "Month of the decoder's data." }),
  })
  .meta({ description: 'Whether the service works.' });

const healthy = (example: (samples: Samples) => Json): DescribedResponse => ({
  description: 'OK.',
  headers: CACHE_HEADERS,
  content: { [JSON_TYPE]: { schema: Health, example } },
});

export const HEALTH_ROUTE: ApiRoute = {
  template: '/healthz',
  limit: 'none',
  operations: {
    get: {
      id: 'getHealth',
      tag: 'Service',
      summary: 'Check liveness',
      description: 'Responds as long as the process runs.',
      responses: { 200: healthy(() => ({ ok: true })) },
    },
  },
  handle: getHealth,
};

/** GET /healthz: the process is alive and responds. */
function getHealth(request: FastifyRequest, { headerSets }: HttpContext): Answer {
  return conditionalJson(request, asciiJson({ ok: true }), 'no-store', headerSets);
}

export const READINESS_ROUTE: ApiRoute = {
  template: '/readyz',
  limit: 'none',
  operations: {
    get: {
      id: 'getReadiness',
      tag: 'Service',
      summary: 'Check readiness',
      description: 'Whether the data is loaded and the store is writable.',
      responses: {
        200: healthy(({ month }) => ({ ok: true, store: 'writable', network: 'up', vpic: month })),
        503: {
          ...healthy(({ month }) => ({ ok: false, store: 'unavailable', network: 'up', vpic: month })),
          description: 'Not ready.',
          headers: ['Retry-After', 'Cache-Control'],
        },
      },
    },
  },
  handle: getReadiness,
};

/** GET /readyz: the decoder's data is loaded, the store is writable and the service isn't stopping. */
async function getReadiness(request: FastifyRequest, context: HttpContext): Promise<Answer> {
  const { headerSets, vpic, store, reportReadiness, drain } = context;
  if (drain.hasBegun()) return notReady('stopping', context);
  try {
    await store.ready();
    reportReadiness(null);
    const body = asciiJson({ ok: true, store: 'writable', network: networkOf(context), vpic: vpic.month });
    return conditionalJson(request, body, 'no-store', headerSets);
  } catch (error) {
    reportReadiness(String(error));
    return notReady('unavailable', context);
  }
}

/** It doesn't decide readiness: stored labels and decodes need no network. */
const networkOf = ({ outages }: HttpContext): 'up' | 'down' =>
  outages.networkDownSince() === null ? 'up' : 'down';

function notReady(store: string, context: HttpContext): Answer {
  const { headerSets, vpic } = context;
  const body = asciiJson({ ok: false, store, network: networkOf(context), vpic: vpic.month });
  const headers = { ...headerSets.json(body, null, 'no-store'), 'retry-after': String(RETRY_SECONDS) };
  return { status: 503, headers, body };
}

/** Whether the client accepts a page: a person's browser gets that instead. */
export function wantsPage({ headers }: FastifyRequest): boolean {
  return /\btext\/(html|markdown)\b/.test(headers.accept ?? '');
}

const ErrorExplanation = z
  .object({
    reason: z.string().meta({ description: 'The stable reason code.' }),
    status: z.int().meta({ description: 'The HTTP status of the error.' }),
    title: z.string().meta({ description: 'The problem in a few words.' }),
    means: z.string().meta({ description: 'What it means.' }),
    todo: z.string().meta({ description: 'What to do about it.' }),
  })
  .meta({ description: 'What an error means and what to do about it.' });

/** Schemas of these operations with a name in OpenAPI. */
export const DOCUMENT_SCHEMAS = { Health, ErrorExplanation };

/** Served with the pages, because it is one for people. */
export const ERROR_ROUTE: DescribedRoute = {
  template: '/errors/{reason}',
  operations: {
    get: {
      id: 'getError',
      tag: 'Service',
      summary: 'Explain an error',
      description: "The URL in a problem's `type`: what the error means and what to do. Browsers get a page.",
      parameters: [
        {
          name: 'reason',
          in: 'path',
          required: true,
          description: "A problem's `reason`.",
          schema: { type: 'string', examples: Object.keys(REASONS) },
          example: 'no-label',
        },
      ],
      responses: {
        200: {
          description: 'The explanation.',
          headers: CACHE_HEADERS,
          content: {
            [JSON_TYPE]: {
              schema: ErrorExplanation,
              example: { reason: 'no-label', ...REASONS['no-label'] },
            },
          },
        },
        404: 'NotFound',
      },
    },
  },
};

/** GET /errors/{reason}: the URL in a problem's `type`, as JSON. Null for an unknown reason. */
export function errorDocument(
  request: FastifyRequest,
  reason: string,
  headerSets: HeaderSets,
): Answer | null {
  if (!isReason(reason)) return null;
  const { status, title, means, todo } = REASONS[reason];
  const body = asciiJson({ reason, status, title, means, todo });
  const answer = sendDocument(request, { type: JSON_TYPE, body }, headerSets);
  if ('reason' in answer) return answer;
  return { ...answer, headers: { ...answer.headers, vary: 'Accept-Encoding, Accept' } };
}
