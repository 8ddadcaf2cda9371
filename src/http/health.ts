import { asciiJson, type Answer } from './answer.ts';
import type { Front } from './parts.ts';

/** GET /healthz: the process is alive and answers. */
export function getHealth(front: Front): Answer {
  return json(front, 200, { ok: true });
}

/** GET /readyz: the decoder's data is loaded and the store can be written. */
export async function getReadiness(front: Front): Promise<Answer> {
  try {
    await front.store.ready();
    return json(front, 200, { ok: true, store: 'writable', vpic: front.month });
  } catch (error) {
    front.log.warn('not ready', { error: String(error) });
    return json(front, 503, { ok: false, store: 'unavailable', vpic: front.month });
  }
}

function json(front: Front, status: number, value: unknown): Answer {
  const body = asciiJson(value);
  return { status, head: front.sets.json(body, null, 'no-store'), body };
}
