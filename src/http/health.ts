import { asciiJson, type Answer, type ApiRequest } from './answer.ts';
import { sendDocument } from './documents.ts';
import { headOf } from './head.ts';
import { JSON_TYPE } from './headers.ts';
import type { Front } from './parts.ts';

/** What a load balancer waits before it looks again. */
const LOOK_AGAIN_SECONDS = 10;

/** GET /healthz: the process is alive and answers. */
export function getHealth(request: ApiRequest, front: Front): Answer {
  return sendJson(request, { ok: true }, front);
}

/** GET /readyz: the decoder's data is loaded and the store can be written. */
export async function getReadiness(request: ApiRequest, front: Front): Promise<Answer> {
  try {
    await front.store.ready();
    front.readiness(null);
    return sendJson(request, { ok: true, store: 'writable', vpic: front.month }, front);
  } catch (error) {
    front.readiness(String(error));
    const body = asciiJson({ ok: false, store: 'unavailable', vpic: front.month });
    const head = front.sets.json(body, null, 'no-store') + headOf('Retry-After', String(LOOK_AGAIN_SECONDS));
    return { status: 503, head, body };
  }
}

function sendJson(request: ApiRequest, value: unknown, front: Front): Answer {
  return sendDocument(request, { type: JSON_TYPE, body: asciiJson(value), cacheControl: 'no-store' }, front);
}
