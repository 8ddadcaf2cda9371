import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createClient, memoryCache, MonroneyError, type ClientOptions } from '@monroney/client';
import { freshAddress, startService, type Service } from '../../../test/service.ts';
import { clientTypes, TYPES_FILE, type ApiDescription } from '../../../tools/client-types.ts';
import { makeCount } from '../../../src/makers/index.ts';

const ford = '1FMUK8DH0TG000000';
const nissan = '3N8AP6DA9SL000000';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

/** A client that looks like another address to the service, and a list of what it asks for. */
function clientOf(options: Partial<ClientOptions> = {}) {
  const asked: string[] = [];
  const address = freshAddress();
  const client = createClient({
    baseUrl: service.origin,
    fetch: (url, init) => {
      asked.push((url as string).slice(service.origin.length));
      const headers = { ...(init?.headers as Record<string, string>), 'x-forwarded-for': address };
      return fetch(url, { ...init, headers });
    },
    ...options,
  });
  return { client, asked };
}

const rejected = (reason: string, status: number | null) => (error: unknown) => {
  assert.ok(error instanceof MonroneyError, String(error));
  assert.deepEqual([error.reason, error.status], [reason, status]);
  return true;
};

describe('the client and the real service', { concurrency: true }, () => {
  test('its types are those of the description that the service serves', async () => {
    const description = await service.json<ApiDescription>('/openapi.json');
    const now = readFileSync(TYPES_FILE, 'utf8');
    assert.equal(now, clientTypes(description), 'run: node tools/client-types.ts');
  });

  test('many VINs are decoded fifty in a request, and a bad one is told in its place', async () => {
    const { client, asked } = clientOf();
    const vins = [...Array.from({ length: 59 }, () => ford), 'no VIN'];
    const results = await client.decode(vins);
    assert.deepEqual(asked, ['/api/v1/decode', '/api/v1/decode']);
    assert.equal(results.length, 60);
    const [first] = results;
    assert.ok(first && !('error' in first) && first.windowSticker.available === true);
    const last = results.at(-1)!;
    assert.equal('error' in last && last.error.reason, 'bad-vin');
    assert.deepEqual(await client.decode([]), []);
    await assert.rejects(client.decode([ford], { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
  });

  test('a lookup is what the API answers', async () => {
    const { client } = clientOf();
    const found = await client.lookup(ford.toLowerCase());
    assert.deepEqual(found, await service.json(`/api/v1/vin/${ford}`));
    assert.equal(found.windowSticker.paint?.color, 'HARBOR BLUE METALLIC');
    const quick = await clientOf().client.lookup('1FTFW1E50PFA12345', { sticker: false });
    assert.equal(quick.windowSticker.available, null);
  });

  test('each VIN is asked for once: one after the other, side by side, and by another client with the same cache', async () => {
    const cache = memoryCache();
    const { client, asked } = clientOf({ cache });
    await Promise.all([client.lookup(ford), client.lookup(ford.toLowerCase()), client.lookup(` ${ford} `)]);
    const first = await client.lookup(ford);
    first.vin = 'spoilt';
    assert.equal((await client.lookup(ford, { sticker: false })).vin, ford);
    await Promise.all([client.label(ford), client.label(ford)]);
    await client.read(ford);
    await client.read(ford);
    await assert.rejects(client.label('1HGCV3F53MA000000'), rejected('make-not-supported', 404));
    await assert.rejects(client.label('1HGCV3F53MA000000'), rejected('make-not-supported', 404));
    assert.deepEqual(asked, [
      `/api/v1/vin/${ford}`,
      `/api/sticker/${ford}`,
      `/api/v1/vin/${ford}/label`,
      '/api/sticker/1HGCV3F53MA000000',
    ]);
    const other = clientOf({ cache });
    assert.equal((await other.client.lookup(ford)).vin, ford);
    assert.deepEqual(other.asked, []);
  });

  test('what is not known is asked for again', async () => {
    const { client, asked } = clientOf();
    const failing = 'JF2SKAGC8RH000000';
    assert.equal((await client.lookup(failing)).windowSticker.available, null);
    await client.lookup(failing);
    assert.equal(asked.length, 2);
  });

  test('a label is the PDF, byte for byte', async () => {
    const { client } = clientOf();
    const bytes = await client.label(ford);
    const drawn = readFileSync(new URL(`../../../src/lookup/specimens/${ford}.pdf`, import.meta.url));
    assert.ok(drawn.equals(bytes));
    await assert.rejects(clientOf({ maxBytes: 1000 }).client.label(ford), rejected('too-large', 200));
  });

  test('a reading says what the label says, with its lines when asked for', async () => {
    const { client } = clientOf();
    const { label, proof } = await client.read(ford);
    assert.equal(label?.make, 'Ford');
    assert.equal(proof?.closes, true);
    assert.ok((await client.read(ford, { text: true })).text!.flat().length > 20);
    assert.equal((await client.read(nissan)).readable, false);
  });

  test('errors come by their reason', async () => {
    const { client, asked } = clientOf({ budgetMs: 15_000 });
    await assert.rejects(client.label('2LMPJ8J99PB000000'), rejected('no-label', 404));
    await assert.rejects(client.read('5XYP5DGC4PG000000'), rejected('source-off', 404));
    await assert.rejects(client.label('JF2SKAGC8RH000000'), (error: MonroneyError) => {
      assert.equal(error.vin, 'JF2SKAGC8RH000000');
      assert.ok(error.retryAfter! > 0 && error.message.includes('Subaru'));
      return rejected('source-failed', 503)(error);
    });
    const before = asked.length;
    for (const text of ['', 'nonsense', '1FMUK8DH0TGO00000', '../../status.json']) {
      await assert.rejects(client.lookup(text), rejected('bad-vin', null));
    }
    assert.equal(asked.length, before);
  });

  test('makes are one row each, with what their labels are', async () => {
    const makes = await clientOf().client.makes();
    assert.equal(makes.length, makeCount);
    const row = makes.find(({ make }) => make === 'Nissan')!;
    assert.deepEqual([row.source, row.thirdParty, row.readable], ['nissan', true, false]);
  });

  test('past the limit it waits as long as it is told, and everybody gets an answer', async () => {
    const statuses: number[] = [];
    const address = freshAddress();
    const client = createClient({
      baseUrl: service.origin,
      requests: 0,
      fetch: async (url, init) => {
        const response = await fetch(url, { ...init, headers: { 'x-forwarded-for': address } });
        statuses.push(response.status);
        return response;
      },
    });
    const vins = Array.from({ length: 12 }, (_, at) => `1FTFW1E50PFA123${10 + at}`);
    const found = await Promise.all(vins.map((vin) => client.lookup(vin, { sticker: false })));
    assert.deepEqual(
      found.map(({ vin }) => vin),
      vins,
    );
    assert.ok(statuses.includes(429));
  });

  test('left to itself it stays within the limit', async () => {
    const { client, asked } = clientOf();
    const statuses: number[] = [];
    const paced = clientOf({
      fetch: async (url, init) => {
        const response = await fetch(url, { ...init, headers: { 'x-forwarded-for': '198.51.100.7' } });
        statuses.push(response.status);
        return response;
      },
    });
    const vins = Array.from({ length: 12 }, (_, at) => `1FTFW1E50PFA124${10 + at}`);
    await Promise.all(vins.map((vin) => paced.client.lookup(vin, { sticker: false })));
    assert.deepEqual(statuses, Array(12).fill(200));
    await client.makes();
    assert.deepEqual(asked, ['/status.json']);
  });
});
