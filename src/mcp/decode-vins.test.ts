// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLongWork } from '../lib/long-work.ts';
import { StoreUnavailable } from '../store/store.ts';
import { FORD, fakeLookup, held, JEEP, MISTYPED, runTool, TESLA } from '../../test/fake-lookup.ts';

test('VINs are decoded in order, and a bad one does not fail the others', async () => {
  const none = '1C4RJHBR8TC900002';
  const fake = fakeLookup({
    findings: {
      [FORD]: held(FORD),
      [JEEP]: { state: 'not-asked' },
      [none]: { state: 'none', why: 'x', until: 1 },
    },
  });
  const { text, data } = await runTool(
    'decode_vins',
    { vins: [`${FORD}, ${MISTYPED}\n`, JEEP.toLowerCase(), TESLA, none] },
    fake,
  );
  interface Result {
    vin: string;
    suggestedVin: string | null;
    windowSticker?: Record<string, unknown>;
  }
  const results = data.results as Result[];
  assert.deepEqual(
    results.map(({ vin, suggestedVin, windowSticker: sticker }) => [
      vin,
      suggestedVin,
      sticker && [sticker.supported, sticker.available, sticker.reason ?? sticker.kind],
    ]),
    [
      [FORD, null, [true, true, 'original']],
      [MISTYPED, FORD, undefined],
      [JEEP, null, [true, null, 'not-asked']],
      [TESLA, null, [false, false, 'make-not-supported']],
      [none, null, [true, false, 'no-label']],
    ],
  );
  const lines = text.split('\n');
  assert.match(lines[0]!, /^2026 Ford Explorer.*, sticker stored: the manufacturer's original file$/);
  assert.match(lines[1]!, new RegExp(`^${MISTYPED}: Position 17`));
  assert.match(lines[2]!, /, sticker not known yet$/);
  assert.match(lines[3]!, /, no stickers from this make$/);
  assert.match(lines[4]!, /, no window sticker$/);
  assert.ok(
    fake.calls.every(({ sticker }) => !sticker),
    'no manufacturer is contacted',
  );
});

test('a list may be text: JSON, or pasted with commas or spaces, or URLs of listings', async () => {
  for (const vins of [
    JSON.stringify([FORD, JEEP]),
    `${FORD}, ${JEEP}`,
    [`${FORD} ${JEEP}`],
    `${FORD}\n${JEEP}`,
  ]) {
    const { data } = await runTool('decode_vins', { vins });
    assert.deepEqual(
      (data.results as { vin: string }[]).map(({ vin }) => vin),
      [FORD, JEEP],
    );
  }
  const urls = `https://dealer.example/${FORD}/a,b; ${JEEP},\nhttps://dealer.example/?id=7;vin=${TESLA}`;
  const listings = await runTool('decode_vins', { vins: urls });
  assert.deepEqual(
    (listings.data.results as { vin: string }[]).map(({ vin }) => vin),
    [FORD, JEEP, TESLA],
  );
  const { data } = await runTool('decode_vins', { vins: [`${FORD.slice(0, 8)} ${FORD.slice(8)}`] });
  assert.equal((data.results as { vin: string }[])[0]!.vin, FORD);
});

test('a list with an empty item, or with a VIN that the store fails on, has a result for each', async () => {
  const fake = fakeLookup();
  const find: typeof fake.lookup.find = async (vin, options) => {
    if (vin === JEEP) throw new StoreUnavailable('down');
    return fake.lookup.find(vin, options);
  };
  const { data } = await runTool(
    'decode_vins',
    { vins: [FORD, ' ', JEEP] },
    { ...fake, lookup: { ...fake.lookup, find } },
  );
  const results = data.results as { vin: string; error?: { reason: string } }[];
  assert.deepEqual(
    results.map(({ vin, error }) => [vin, error?.reason]),
    [
      [FORD, undefined],
      [' ', 'bad-vin'],
      [JEEP, 'store-unavailable'],
    ],
  );
});

test('bad input is a tool error', async () => {
  const cases: [unknown, RegExp][] = [
    [[' ; '], /^"vins" takes 1 or more VINs, got 0\.$/],
    [[Array.from({ length: 51 }, () => FORD).join(',')], /^"vins" takes at most 50 VINs, got 51\.$/],
    [Array.from({ length: 51 }, () => FORD), /"vins" takes at most 50 VINs, got 51/],
    // Too long to be split and tidied.
    [Array.from({ length: 20_000 }, () => ''), /"vins" takes at most 50 VINs, got 20000/],
    [','.repeat(2).padEnd(60_000, 'a,'), /"vins" takes at most 50 VINs, got \d{5}/],
    [7, /^"vins" must be a list of strings\.$/],
    [undefined, /^"vins" must be a list of strings\.$/],
    [null, /^"vins" is missing; it must be a list of strings\.$/],
    [[5], /^"vins\.0" must be a string\.$/],
  ];
  for (const [vins, message] of cases) {
    const { text, isError } = await runTool('decode_vins', { vins });
    assert.equal(isError, true);
    assert.match(text, message);
  }
});

test('a long list is decoded in pieces, with a rest after each', async () => {
  let ms = 0;
  let rests = 0;
  const longWork = createLongWork({ now: () => ms++, rest: async () => void rests++ });
  const vins = Array.from({ length: 50 }, () => FORD.slice(1));
  const { data } = await runTool('decode_vins', { vins }, { ...fakeLookup(), longWork });
  assert.equal((data.results as unknown[]).length, 50);
  assert.ok(rests > 10, `${rests} rests`);
});

test('when too many lists wait, an assistant is told to try again', async () => {
  // It rests for ever after the first job, and the second fills it.
  const longWork = createLongWork({ now: () => 0, rest: () => new Promise(() => {}), maxWaiting: 1 });
  await longWork.map('192.0.2.1', [1], () => {});
  void longWork.map('192.0.2.1', [2], () => {});
  const { isError, text } = await runTool('decode_vins', { vins: [FORD] }, { ...fakeLookup(), longWork });
  assert.deepEqual([isError, text], [true, 'Too many lists of VINs are waiting. Try again in 5 seconds.']);
});

test('the rest of a list is not decoded for a client that has left', async () => {
  const { lookup, calls } = fakeLookup();
  const leaving = new AbortController();
  const vins = Array.from({ length: 50 }, () => FORD);
  const find: typeof lookup.find = (...args) => (leaving.abort(), lookup.find(...args));
  const { isError } = await runTool('decode_vins', { vins }, { lookup: { ...lookup, find } }, leaving.signal);
  assert.equal(isError, true);
  assert.equal(calls.length, 1);
});
