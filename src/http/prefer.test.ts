import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LookupResult } from '../lookup/finding.ts';
import { headerOf } from './answer.ts';
import { waitOf } from './params.ts';
import { apiRoute } from './routes.ts';
import { FAILED, frontWith, HELD, pretendLookup, request, textOf } from './testing.ts';

/** Answers as the routes do. `asked` is how long each lookup would have waited. */
async function ask(path: string, headers: Record<string, string> = {}) {
  const pretend = pretendLookup();
  const asked: (number | undefined)[] = [];
  const lookup = {
    ...pretend.lookup,
    async find(vin: string, how: { sticker: boolean; patienceMs?: number }): Promise<LookupResult> {
      asked.push(how.patienceMs);
      const found = await pretend.lookup.find(vin, how);
      if (vin !== FAILED || how.patienceMs === undefined) return found;
      return { ...found, finding: { state: 'asking', since: 0, retryAfter: 2 } };
    },
  };
  const front = frontWith(lookup);
  const { handle } = apiRoute(path.split('?')[0]!)!;
  return { answer: await handle(request(path, headers), front), asked };
}

test('Prefer: wait is read as RFC 7240 writes it, and nothing else is', () => {
  const read: [string, number | null][] = [
    ['wait=5', 5],
    ['wait=0', 0],
    ['respond-async, wait=10', 10],
    ['WAIT = "7"', 7],
    ['wait=3; foo=bar, wait=9', 3],
    ['wait=300', 20],
    ['wait=-1', null],
    ['wait=1.5', null],
    ['wait', null],
    ['await=5', null],
    ['handling=lenient', null],
  ];
  for (const [field, seconds] of read) assert.equal(waitOf(field), seconds, field);
  assert.equal(waitOf(undefined), null);
});

test('with Prefer: wait a lookup says "still asking", the PDF and the label are 503 with Retry-After', async () => {
  const prefer = { prefer: 'wait=3' };
  const lookup = await ask(`/api/v1/vin/${FAILED}`, prefer);
  assert.deepEqual(lookup.asked, [3000]);
  assert.equal(lookup.answer.status, 200);
  assert.equal(headerOf(lookup.answer, 'preference-applied'), 'wait=3');
  assert.equal(headerOf(lookup.answer, 'retry-after'), '2');
  assert.equal(headerOf(lookup.answer, 'cache-control'), 'no-store');
  assert.equal(JSON.parse(textOf(lookup.answer)).windowSticker.reason, 'still-asking');
  for (const path of [`/api/sticker/${FAILED}`, `/api/v1/vin/${FAILED}/label`]) {
    const { answer } = await ask(path, prefer);
    assert.equal(answer.status, 503, path);
    assert.equal(headerOf(answer, 'preference-applied'), 'wait=3');
    assert.equal(headerOf(answer, 'retry-after'), '2');
    assert.equal(JSON.parse(textOf(answer)).reason, 'still-asking');
    assert.equal(JSON.parse(textOf(answer)).retryAfter, 2);
  }
});

test('without a preference, or with one we do not know, nothing is said of it', async () => {
  for (const headers of [{}, { prefer: 'handling=strict' }] as Record<string, string>[]) {
    const { answer, asked } = await ask(`/api/v1/vin/${FAILED}`, headers);
    assert.deepEqual(asked, [undefined]);
    assert.equal(headerOf(answer, 'preference-applied'), undefined);
  }
});

test('a VIN in lower case is answered with the canonical URL in Content-Location', async () => {
  const small = HELD.toLowerCase();
  const where = async (path: string) => headerOf((await ask(path)).answer, 'content-location');
  assert.equal(await where(`/api/v1/vin/${small}`), `http://labels.example/api/v1/vin/${HELD}`);
  assert.equal(await where(`/api/sticker/${small}`), `http://labels.example/api/sticker/${HELD}`);
  assert.equal(
    await where(`/api/v1/vin/${small}/label?include=text&contact=a.example`),
    `http://labels.example/api/v1/vin/${HELD}/label?include=text`,
  );
  assert.equal(await where(`/api/v1/vin/${HELD}`), undefined);
  assert.equal(await where('/api/v1/vin/no-vin'), undefined);
});
