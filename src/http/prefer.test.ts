import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LookupResult } from '../lookup/finding.ts';
import { preferredWaitSeconds } from './request.ts';
import { client, FAILED, HELD, fakeLookup } from './testing.ts';

/** Responds as the routes do. `waits` is how long each lookup may wait. */
async function get(path: string, headers: Record<string, string> = {}) {
  const fake = fakeLookup();
  const waits: (number | undefined)[] = [];
  const lookup = {
    ...fake.lookup,
    async find(vin: string, options: { sticker: boolean; maxWaitMs?: number }): Promise<LookupResult> {
      waits.push(options.maxWaitMs);
      const found = await fake.lookup.find(vin, options);
      if (vin !== FAILED || options.maxWaitMs === undefined) return found;
      return { ...found, finding: { state: 'asking', since: 0, retryAfter: 2 } };
    },
  };
  return { response: await client(lookup).get(path, headers), waits };
}

test('Prefer: wait is parsed as RFC 7240 says, and other values are ignored', () => {
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
  for (const [field, seconds] of read) assert.equal(preferredWaitSeconds(field), seconds, field);
  assert.equal(preferredWaitSeconds(undefined), null);
});

test('with Prefer: wait a lookup says "still asking", the PDF and the label are 503 with Retry-After', async () => {
  const prefer = { prefer: 'wait=3' };
  const lookup = await get(`/api/v1/vin/${FAILED}`, prefer);
  assert.deepEqual(lookup.waits, [3000]);
  assert.equal(lookup.response.statusCode, 200);
  assert.equal(lookup.response.headers['preference-applied'], 'wait=3');
  assert.equal(lookup.response.headers['retry-after'], '2');
  assert.equal(lookup.response.headers['cache-control'], 'no-store');
  assert.equal(lookup.response.json().windowSticker.reason, 'still-asking');
  for (const path of [`/api/sticker/${FAILED}`, `/api/v1/vin/${FAILED}/label`]) {
    const { response } = await get(path, prefer);
    assert.equal(response.statusCode, 503, path);
    assert.equal(response.headers['preference-applied'], 'wait=3');
    assert.equal(response.headers['retry-after'], '2');
    assert.equal(response.json().reason, 'still-asking');
    assert.equal(response.json().retryAfter, 2);
  }
});

test('without a preference, or with an unknown one, there is no Preference-Applied', async () => {
  for (const headers of [{}, { prefer: 'handling=strict' }] as Record<string, string>[]) {
    const { response, waits } = await get(`/api/v1/vin/${FAILED}`, headers);
    assert.deepEqual(waits, [undefined]);
    assert.equal(response.headers['preference-applied'], undefined);
  }
});

test('for a VIN in lower case, Content-Location has the canonical URL', async () => {
  const small = HELD.toLowerCase();
  const where = async (path: string) => (await get(path)).response.headers['content-location'];
  assert.equal(await where(`/api/v1/vin/${small}`), `http://labels.example/api/v1/vin/${HELD}`);
  assert.equal(await where(`/api/sticker/${small}`), `http://labels.example/api/sticker/${HELD}`);
  assert.equal(
    await where(`/api/v1/vin/${small}/label?include=text&contact=a.example`),
    `http://labels.example/api/v1/vin/${HELD}/label?include=text`,
  );
  assert.equal(await where(`/api/v1/vin/${HELD}`), undefined);
  assert.equal(await where('/api/v1/vin/no-vin'), undefined);
});
