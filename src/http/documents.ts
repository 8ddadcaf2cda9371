import type { MaybePromise } from '../lib/maybe-promise.ts';
import type { Answer, ApiRequest, Document } from './answer.ts';
import { etagOf } from './headers.ts';
import { ifChanged } from './if-changed.ts';
import type { Front } from './parts.ts';

const CONTROL = 'public, max-age=300';

/** Answers a document that may still have to be made. */
export async function getDocument(
  request: ApiRequest,
  make: () => MaybePromise<Document>,
  front: Front,
): Promise<Answer> {
  return sendDocument(request, await make(), front);
}

export function sendDocument(request: ApiRequest, document: Document, front: Front): Answer {
  const { body, type, cacheControl = CONTROL } = document;
  const etag = etagOf(body);
  const unchanged = () => front.sets.notModified(etag, cacheControl, null);
  return (
    ifChanged(request, { etag, modified: null, unchanged }, front) ?? {
      status: 200,
      head: front.sets.json(body, etag, cacheControl, type),
      body,
    }
  );
}
