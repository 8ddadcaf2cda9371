// lane: service
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { createClient, memoryCache, MonroneyError, type ClientOptions } from '@monroney/client';
import { freshIp, startService, type Service } from '../../../test/service.ts';
import { clientTypes, TYPES_FILE, type ApiDescription } from '../../../tools/client-types.ts';
import { makeCount } from '../../../src/makers/index.ts';

const ford = '1FMUK8DH0TG000000';
const nissan = '3N8AP6DA9SL000000';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

/** A client with its own IP address, and a list of the paths it requests. */
function clientOf(options: Partial<ClientOptions> = {}) {
  const requested: string[] = [];
  const ip = freshIp();
  const client = createClient({
    baseUrl: service.origin,
    fetch: (url, init) => {
      requested.push((url as string).slice(service.origin.length));
      const headers = { ...(init?.headers as Record<string, string>), 'x-forwarded-for': ip };
      return fetch(url, { ...init, headers });
    },
    ...options,
  });
  return { client, requested };
}

const rejected = (reason: string, status: number | null) => (error: unknown) => {
  assert.ok(error instanceof MonroneyError, String(error));
  assert.deepEqual([error.reason, error.status], [reason, status]);
  return true;
};

describe('the client and the real service', { concurrency: true }, () => {
  test("the client's types match /openapi.json", async () => {
    const description = await service.json<ApiDescription>('/openapi.json');
    const now = readFileSync(TYPES_FILE, 'utf8');
    assert.equal(now, clientTypes(description), 'run: npm run docs');
  });

  test('many VINs are decoded fifty per request, and a bad one has an error in its place', async () => {
    const { client, requested } = clientOf();
    const vins = [...Array.from({ length: 59 }, () => ford), 'no VIN'];
    const results = await client.decode(vins);
    assert.deepEqual(requested, ['/api/v1/decode', '/api/v1/decode']);
    assert.equal(results.length, 60);
    const [first] = results;
    assert.equal(first?.windowSticker?.available, true);
    const last = results.at(-1)!;
    assert.equal(last.error?.reason, 'bad-vin');
    assert.deepEqual(await client.decode([]), []);
    await assert.rejects(client.decode([ford], { signal: AbortSignal.abort(new Error('stop')) }), /stop/);
  });

  test('a lookup is what the API returns', async () => {
    const { client } = clientOf();
    const lookup = await client.lookup(ford.toLowerCase());
    assert.deepEqual(lookup, await service.json(`/api/v1/vin/${ford}`));
    assert.equal(lookup.windowSticker.paint?.color, 'HARBOR BLUE METALLIC');
    const withoutLabel = await clientOf().client.lookup('1FTFW1E50PFA12345', { sticker: false });
    assert.equal(withoutLabel.windowSticker.available, null);
  });

  test('each VIN is requested once: in turn, concurrently, and by another client with the same cache', async () => {
    const cache = memoryCache();
    const { client, requested } = clientOf({ cache });
    await Promise.all([client.lookup(ford), client.lookup(ford.toLowerCase()), client.lookup(` ${ford} `)]);
    const first = await client.lookup(ford);
    first.vin = 'changed';
    assert.equal((await client.lookup(ford, { sticker: false })).vin, ford);
    await Promise.all([client.sticker(ford), client.sticker(ford)]);
    await client.read(ford);
    await client.read(ford);
    await assert.rejects(client.sticker('1HGCV3F53MA000000'), rejected('make-not-supported', 404));
    await assert.rejects(client.sticker('1HGCV3F53MA000000'), rejected('make-not-supported', 404));
    assert.deepEqual(requested, [
      `/api/v1/vin/${ford}`,
      `/api/sticker/${ford}`,
      `/api/v1/vin/${ford}/label`,
      '/api/sticker/1HGCV3F53MA000000',
    ]);
    const other = clientOf({ cache });
    assert.equal((await other.client.lookup(ford)).vin, ford);
    assert.deepEqual(other.requested, []);
  });

  test('an unknown result is not cached', async () => {
    const { client, requested } = clientOf();
    const failing = 'JF2SKAGC8RH000000';
    assert.equal((await client.lookup(failing)).windowSticker.available, null);
    await client.lookup(failing);
    assert.equal(requested.length, 2);
  });

  test('a label is the PDF, byte for byte', async () => {
    const { client } = clientOf();
    const bytes = await client.sticker(ford);
    const specimen = readFileSync(new URL(`../../../src/lookup/specimens/${ford}.pdf`, import.meta.url));
    assert.ok(specimen.equals(bytes));
    await assert.rejects(clientOf({ maxBytes: 1000 }).client.sticker(ford), rejected('too-large', 200));
  });

  test('a reading has what the label says, and its lines on request', async () => {
    const { client } = clientOf();
    const { label, proof } = await client.label(ford);
    assert.equal(label?.make, 'Ford');
    assert.equal(proof?.closes, true);
    assert.ok((await client.label(ford, { text: true })).text!.flat().length > 20);
    assert.equal((await client.label(nissan)).readable, false);
  });

  test('errors have a reason', async () => {
    const { client, requested } = clientOf();
    await assert.rejects(client.sticker('2LMPJ8J99PB000000'), rejected('no-label', 404));
    await assert.rejects(client.read('5XYP5DGC4PG000000'), rejected('source-off', 404));
    await assert.rejects(client.sticker('JF2SKAGC8RH000000'), (error: MonroneyError) => {
      assert.equal(error.vin, 'JF2SKAGC8RH000000');
      assert.ok(error.retryAfter! > 0 && error.message.includes('Subaru'));
      return rejected('source-failed', 503)(error);
    });
    const before = requested.length;
    for (const text of ['', 'nonsense', '../../status.json']) {
      await assert.rejects(client.lookup(text), rejected('bad-vin', null));
    }
    assert.equal(requested.length, before);
  });

  test('a mistyped VIN is rejected with what the service says about it', async () => {
    const { client } = clientOf();
    await assert.rejects(client.lookup('1FMUK8DH0TGO00000'), (error: MonroneyError) => {
      assert.equal(error.suggestedVin, '1FMUK8DH0TG000000');
      assert.match(error.message, /^Position 12 is the letter O\./);
      return rejected('bad-vin', 400)(error);
    });
  });

  test('there is one row per make', async () => {
    const makes = await clientOf().client.makes();
    assert.equal(makes.length, makeCount);
    const row = makes.find(({ make }) => make === 'Nissan')!;
    assert.deepEqual([row.source, row.kind, row.readable], ['nissan', 'dealer-copy', false]);
  });
});
