import type { MaybePromise } from '../lib/maybe-promise.ts';
import { asciiJson, type ApiRequest, type ApiResponse, type Document, headOf } from './response.ts';
import { etagOf, JSON_TYPE } from './headers.ts';
import { conditionalResponse } from './conditional.ts';
import type { HttpContext } from './context.ts';
import { isReason, REASONS } from './problems.ts';

/** Handlers of URLs that aren't rate limited: documents, health checks and error codes. */

const DEFAULT_CACHE_CONTROL = 'public, max-age=300';

/** Sends a document that may have to be generated first. */
export async function getDocument(
  request: ApiRequest,
  make: () => MaybePromise<Document>,
  context: HttpContext,
): Promise<ApiResponse> {
  const made = make();
  if (!(made instanceof Promise)) return sendDocument(request, made, context);
  const document = await made;
  // Thousands may have waited for it.
  await context.turn();
  return sendDocument(request, document, context);
}

/** Hashing the largest documents takes longer than sending them. */
const etags = new WeakMap<Document, string>();

function sendDocument(request: ApiRequest, document: Document, context: HttpContext): ApiResponse {
  const { body, type, cacheControl = DEFAULT_CACHE_CONTROL } = document;
  let etag = etags.get(document);
  if (etag === undefined) etags.set(document, (etag = etagOf(body)));
  const validators = {
    etag,
    modified: null,
    unchanged: () => context.headerSets.notModified(etag, cacheControl, null),
  };
  return (
    conditionalResponse(request, validators, context) ?? {
      status: 200,
      head: context.headerSets.json(body, etag, cacheControl, type),
      body,
    }
  );
}

/** When a load balancer should check again. */
const RETRY_SECONDS = 10;

/** GET /healthz: the process is alive and responds. */
export function getHealth(request: ApiRequest, context: HttpContext): ApiResponse {
  return sendJson(request, { ok: true }, context);
}

/** GET /readyz: the decoder's data is loaded and the store is writable. */
export async function getReadiness(request: ApiRequest, context: HttpContext): Promise<ApiResponse> {
  try {
    await context.store.ready();
    context.reportReadiness(null);
    return sendJson(request, { ok: true, store: 'writable', vpic: context.month }, context);
  } catch (error) {
    context.reportReadiness(String(error));
    const body = asciiJson({ ok: false, store: 'unavailable', vpic: context.month });
    const head =
      context.headerSets.json(body, null, 'no-store') + headOf('Retry-After', String(RETRY_SECONDS));
    return { status: 503, head, body };
  }
}

function sendJson(request: ApiRequest, value: unknown, context: HttpContext): ApiResponse {
  return sendDocument(
    request,
    { type: JSON_TYPE, body: asciiJson(value), cacheControl: 'no-store' },
    context,
  );
}

/** Whether the client accepts a page: a person's browser gets that instead. */
export function wantsPage(request: ApiRequest): boolean {
  return /\btext\/(html|markdown)\b/.test(request.headers.accept ?? '');
}

/** GET /errors/{reason}: the URL in a problem's `type`, as JSON. */
export function getError(request: ApiRequest, reason: string, context: HttpContext): ApiResponse | undefined {
  if (!isReason(reason)) return undefined;
  const { status, title, means, todo } = REASONS[reason];
  const body = asciiJson({ reason, status, title, means, todo });
  const response = sendDocument(request, { type: JSON_TYPE, body }, context);
  return { ...response, head: response.head + headOf('Vary', 'Accept') };
}
