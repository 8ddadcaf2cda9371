import { asciiJson, type Answer, type ApiRequest } from './answer.ts';
import { sendDocument } from './documents.ts';
import { headOf } from './head.ts';
import { JSON_TYPE } from './headers.ts';
import type { Front } from './parts.ts';
import { isReason, REASONS } from './problems.ts';

/** Whether a person's browser asks, which gets a page instead. */
export function wantsPage(request: ApiRequest): boolean {
  return /\btext\/(html|markdown)\b/.test(request.headers.accept ?? '');
}

/** GET /errors/{reason}: what a problem's `type` leads to, for programs. */
export function getError(request: ApiRequest, reason: string, front: Front): Answer | undefined {
  if (!isReason(reason)) return undefined;
  const { status, title, means, todo } = REASONS[reason];
  const body = asciiJson({ reason, status, title, means, todo });
  const answer = sendDocument(request, { type: JSON_TYPE, body }, front);
  return { ...answer, head: answer.head + headOf('Vary', 'Accept') };
}
