import { inWords } from '../../lib/words.ts';
import { sources } from '../../makers/index.ts';
import type { JsonObject } from './schemas.ts';
import type { StatusReport } from '../status/report.ts';

/** GET /status.json */
export function getStatus(month: string, failures: JsonObject): JsonObject {
  return {
    operationId: 'getStatus',
    tags: ['Service'],
    summary: 'Get the status of the label sources',
    description:
      'Every label source with its current state, its last 24 hours based on real traffic, and recent changes. Not rate limited; at most a few seconds old.',
    responses: {
      200: {
        description: 'The status.',
        headers: Object.fromEntries(
          ['ETag', 'Cache-Control', 'X-Request-Id'].map((name) => [
            name,
            { $ref: `#/components/headers/${name}` },
          ]),
        ),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/StatusReport' },
            example: example(month) as unknown as JsonObject,
          },
        },
      },
      ...failures,
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
        thirdParty: false,
        years: 'New cars; most stickers are removed after the sale',
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
