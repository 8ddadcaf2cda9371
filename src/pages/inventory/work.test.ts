import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { hasRightCheckDigit } from '@monroney/vin/check-digit';
import { fakeTime } from '../../../test/fake-time.ts';
import { listOfText } from './list.ts';
import type { Lot } from './saved.ts';
import { createWork } from './work.ts';

const KIA = 'KNDPM3AC';
const FORD = '1FMUK8DH';

/** Made-up cars of a make. */
const cars = (start: string, count: number): string[] =>
  Array.from({ length: count }, (_, serial) =>
    [...'0123456789X']
      .map((digit) => `${start}${digit}TG${String(serial).padStart(6, '0')}`)
      .find((vin) => hasRightCheckDigit(vin))!,
  );

const json = (status: number, body: object, headers: Record<string, string> = {}): Response =>
  Response.json({ ok: status === 200, ...body }, { status, headers });
const problem = (status: number, reason: string, retryAfter: number): Response =>
  json(status, { reason, detail: reason }, { 'retry-after': String(retryAfter) });
/** Of a sticker that is a picture. */
const reading = (): Response => json(200, { sample: false, reason: 'picture', label: null, proof: null });

interface Service {
  isStored?: boolean;
  label?(vin: string, at: number): Response | Promise<Response>;
  signal?: AbortSignal;
}

/** Works through a list in fake time; each lookup takes half a second. */
async function run(
  t: TestContext,
  vins: readonly string[],
  { isStored = false, label = reading, signal = new AbortController().signal }: Service,
) {
  const { elapsed: now, sleep, during } = fakeTime(t);
  const sent: { vin: string; at: number }[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const work = createWork({
    origin: 'https://stickers.example',
    baseUrl: 'https://stickers.example',
    now,
    sleep: async (ms) => void (await sleep(ms)),
    async fetch(input, init) {
      const [, vin] = /\/vin\/(\w+)\/label$/.exec(input as string) ?? [];
      sent.push({ vin: vin ?? '', at: now() });
      if (vin === undefined) {
        const { vins } = JSON.parse(init!.body as string) as { vins: string[] };
        const windowSticker = { available: isStored ? true : null };
        return json(200, { results: vins.map((vin) => ({ vin, windowSticker, suggestedVin: null })) });
      }
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      await sleep(500);
      atOnce--;
      return label(vin, now());
    },
  });
  const lot: Lot = { list: listOfText(vins.join('\n')), results: new Map(), isPaused: false };
  await during(work(lot, { signal, changed: () => {} }));
  const known = [...lot.results.values()].filter(({ cells }) => cells?.sticker === 'available');
  return { sent, known: known.length, mostAtOnce };
}

test('at most six requests are sent in any ten seconds, four at once, and each car once', async (t) => {
  const { sent, known, mostAtOnce } = await run(t, cars(KIA, 30), { isStored: true });
  assert.equal(known, 30);
  assert.equal(sent.length, 31, 'one decodes them all');
  assert.ok(mostAtOnce <= 4);
  for (const { at } of sent)
    assert.ok(sent.filter((other) => other.at >= at && other.at < at + 10_000).length <= 6);
});

test('new stickers leave the visitor a part of the limit for them', async (t) => {
  const { sent, known } = await run(t, cars(KIA, 40), {});
  assert.equal(known, 40);
  const lookups = sent.filter(({ vin }) => vin !== '');
  for (const { at } of lookups)
    assert.ok(lookups.filter((other) => other.at >= at && other.at < at + 60_000).length <= 15);
});

test('what the service can’t answer now is asked again, and nothing is lost', async (t) => {
  const { known } = await run(t, [...cars(KIA, 4), ...cars(FORD, 4)], {
    label: (vin, at) => {
      if (at > 15_000) return reading();
      return vin.startsWith(KIA) ? problem(429, 'ask-limit', 20) : problem(503, 'still-asking', 5);
    },
  });
  assert.equal(known, 8);
});

test('while the service can’t be reached, nothing is sent', async (t) => {
  const { sent, known } = await run(t, cars(KIA, 8), {
    label: (_, at) => {
      if (at < 1000) throw new TypeError('fetch failed');
      return reading();
    },
  });
  assert.deepEqual(
    sent.filter(({ at }) => at > 600 && at < 10_000),
    [],
  );
  assert.equal(known, 8);
});

test('nothing is sent after the signal', async (t) => {
  const controller = new AbortController();
  const { sent } = await run(t, cars(KIA, 30), {
    signal: controller.signal,
    label() {
      controller.abort();
      return reading();
    },
  });
  assert.ok(sent.length <= 5);
});
