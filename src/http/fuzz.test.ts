// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../test/property.ts';
import { client, FAILED, HELD, NO_SOURCE, NONE, OFF, pdfOf, fakeLookup } from './testing.ts';

const STATUSES = new Set([200, 206, 304, 400, 404, 412, 416, 503]);

const vins = fc.constantFrom(HELD, HELD.toLowerCase(), NONE, OFF, FAILED, NO_SOURCE);
const piece = fc.oneof(
  vins,
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 5 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.constantFrom('%00', '%', '%2F', '..', '', 'A'.repeat(5000), 'label', 'preview'),
);
const path = fc
  .tuple(
    fc.constantFrom('/api/v1/vin/', '/api/sticker/'),
    piece,
    fc.constantFrom('', '', '/label', '/preview', '/', '//'),
  )
  .map((parts) => parts.join(''));
const query = fc
  .array(
    fc.tuple(
      fc.constantFrom('sticker', 'download', 'include', 'width', 'contact', '__proto__', 'x'),
      fc.constantFrom('=true', '=0', '=1', '=text', '=640', '=', '', '=%zz', '=constructor', '==', '=a+b'),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => (pairs.length ? `?${pairs.map((pair) => pair.join('')).join('&')}` : ''));
const headers = fc.record(
  {
    'if-none-match': fc.oneof(fc.constant('*'), fc.string()),
    'if-match': fc.oneof(fc.constant('*'), fc.string()),
    'if-modified-since': fc.oneof(fc.constant('Sun, 15 Nov 2026 08:30:12 GMT'), fc.string()),
    range: fc.oneof(fc.constantFrom('bytes=0-', 'bytes=-1', 'bytes=99999-'), fc.string()),
    'if-range': fc.string(),
    'x-contact': fc.string(),
  },
  { requiredKeys: [] },
);

test('every request under /api/ gets a documented response', async () => {
  const { get } = client(fakeLookup(pdfOf(2000)).lookup);
  await fc.assert(
    fc.asyncProperty(
      path,
      query,
      headers,
      fc.constantFrom('GET' as const, 'HEAD' as const),
      async (where, what, sent, method) => {
        const { statusCode, headers: received, body, rawPayload } = await get(where + what, sent, method);
        assert.ok(STATUSES.has(statusCode), String(statusCode));
        assert.equal(received['access-control-allow-origin'], '*');
        if (body === '') return;
        assert.equal(received['content-length'], String(rawPayload.length));
        if (String(received['content-type']).includes('json'))
          assert.equal(JSON.parse(body).ok, statusCode === 200);
      },
    ),
    { numRuns: 1000 },
  );
});
