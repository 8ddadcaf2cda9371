import { inWords } from '../../lib/words.ts';
import { sources } from '../../makers/index.ts';
import { REASONS } from '../../http/problems.ts';
import { headers, response, serviceFailures, type JsonObject } from './components.ts';
import type { StatusReport } from '../status/report.ts';

/** GET /status.json */
export function getStatus(month: string): JsonObject {
  return {
    operationId: 'getStatus',
    tags: ['Service'],
    summary: 'Get the status of the label sources',
    description:
      'Every label source with its current state, its last 24 hours based on real traffic, and recent changes. Not rate limited; at most a few seconds old.',
    responses: {
      200: {
        description: 'The status.',
        headers: headers('ETag', 'Cache-Control', 'X-Request-Id'),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/StatusReport' },
            example: example(month) as unknown as JsonObject,
          },
        },
      },
      ...serviceFailures(),
    },
  };
}

function example(month: string): StatusReport {
  const counts = { asked: 41, label: 38, none: 2, refused: 0, failed: 1, medianMs: 1800 };
  return {
    ok: true,
    generated: '2026-11-15T14:00:05.000Z',
    headline: `All ${inWords(sources.length)} sources are working`,
    summary:
      'This service is up. Decoding works without the sources, and stickers we already have are always available.',
    labelsHeld: 1204,
    vpic: month,
    sources: [
      {
        source: 'ford',
        name: 'Ford',
        makes: ['Ford', 'Lincoln'],
        kind: 'original',
        thirdParty: false,
        years: 'New cars and many sold ones, some back to 2015',
        readable: true,
        state: 'answering',
        reason: null,
        since: null,
        nextTry: null,
        lastWorked: '2026-11-15T13:58:10.000Z',
        day: { ...counts, answered: 0.975 },
        hours: [{ start: '2026-11-15T14:00:00.000Z', ...counts, off: false }],
      },
    ],
    changes: [
      {
        at: '2026-11-12T09:10:00.000Z',
        source: 'ford',
        name: 'Ford',
        state: 'on',
        reason: null,
        text: 'Lookups for Ford are back on.',
      },
    ],
  };
}

/** GET /errors/{reason} */
export function getError(): JsonObject {
  return {
    operationId: 'getError',
    tags: ['Service'],
    summary: 'Explain an error',
    description: "The URL in a problem's `type`: what the error means and what to do. Browsers get a page.",
    parameters: [
      {
        name: 'reason',
        in: 'path',
        required: true,
        description: "A problem's `reason`.",
        schema: { type: 'string', enum: Object.keys(REASONS) },
        example: 'no-label',
      },
    ],
    responses: {
      200: {
        description: 'The explanation.',
        headers: headers('ETag', 'Cache-Control', 'X-Request-Id'),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/ErrorExplanation' },
            example: { reason: 'no-label', ...REASONS['no-label'] },
          },
        },
      },
      ...serviceFailures(),
      404: response('NotFound'),
    },
  };
}

function health(
  operationId: string,
  summary: string,
  description: string,
  example: JsonObject,
  failures: JsonObject,
): JsonObject {
  return {
    operationId,
    tags: ['Service'],
    summary,
    description,
    responses: {
      200: {
        description: 'OK.',
        headers: headers('ETag', 'Cache-Control', 'X-Request-Id'),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Health' }, example } },
      },
      ...serviceFailures(),
      ...failures,
    },
  };
}

/** GET /healthz */
export const getHealth = (): JsonObject =>
  health('getHealth', 'Check liveness', 'Responds as long as the process runs.', { ok: true }, {});

/** GET /readyz */
export const getReadiness = (month: string): JsonObject => {
  const example = { ok: false, store: 'unavailable', vpic: month };
  const failures = {
    503: {
      description: 'Not ready.',
      headers: headers('Retry-After', 'Cache-Control', 'X-Request-Id'),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Health' }, example } },
    },
  };
  const description = 'Whether the data is loaded and the store is writable.';
  return health(
    'getReadiness',
    'Check readiness',
    description,
    { ok: true, store: 'writable', vpic: month },
    failures,
  );
};

/** Schemas used only by these operations. */
export const SERVICE_SCHEMAS: JsonObject = {
  ErrorExplanation: {
    type: 'object',
    description: 'What an error means and what to do about it.',
    required: ['reason', 'status', 'title', 'means', 'todo'],
    properties: {
      reason: { type: 'string', description: 'The stable reason code.' },
      status: { type: 'integer', description: 'The HTTP status of the error.' },
      title: { type: 'string', description: 'The problem in a few words.' },
      means: { type: 'string', description: 'What it means.' },
      todo: { type: 'string', description: 'What to do about it.' },
    },
  },
  Health: {
    type: 'object',
    description: 'Whether the service works.',
    required: ['ok'],
    properties: {
      ok: { type: 'boolean', description: 'Whether the service is OK.' },
      store: { type: 'string', description: 'Whether labels can be stored.' },
      vpic: { type: 'string', description: "Month of the decoder's data." },
    },
  },
};
