import type { ApiRequest, ApiResponse, Validators } from './response.ts';
import { precondition } from './conditional.ts';
import type { HttpContext } from './context.ts';
import { problem } from './problems.ts';

/** The 304 or 412 that the request's conditions ask for; null when the response itself is wanted. */
export function conditionalResponse(
  request: ApiRequest,
  { etag, modified, unchanged }: Validators,
  context: HttpContext,
  vin?: string,
): ApiResponse | null {
  const outcome = precondition(request.headers, etag, modified);
  if (outcome === 'go') return null;
  if (outcome === 'not-modified') {
    return { status: 304, head: typeof unchanged === 'function' ? unchanged() : unchanged, body: null };
  }
  const detail = `The current ETag is ${etag}, which doesn't match the request's condition.`;
  return problem(context, { reason: 'precondition-failed', detail, vin });
}
