import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VinResponse } from '@monroney/client';
import { lookUpWhenAllowed } from './lookup.ts';

const VIN = '1FMUK8DH0TG000000';

/** Looks up a VIN at a service that says `ask-limit` with these times, and then that there is a sticker. */
async function waitsFor(retryAfters: readonly number[], waitSeconds: number) {
  const times = [...retryAfters];
  const slept: number[] = [];
  const lookup = async () => {
    const retryAfter = times.shift();
    const windowSticker = retryAfter
      ? { available: null, reason: 'ask-limit', retryAfter }
      : { available: true };
    return { windowSticker } as VinResponse;
  };
  const how = { sticker: true, signal: new AbortController().signal, waitSeconds };
  const { windowSticker } = await lookUpWhenAllowed(VIN, { lookup }, how, async (ms) => void slept.push(ms));
  return { available: windowSticker.available, slept };
}

test('a lookup waits until the service asks for another new sticker, but no longer than it may', async () => {
  assert.deepEqual(await waitsFor([], 60), { available: true, slept: [] });
  assert.deepEqual(await waitsFor([40, 15], 60), { available: true, slept: [40_000, 15_000] });
  assert.deepEqual(await waitsFor([40, 21], 60), { available: null, slept: [40_000] });
  assert.deepEqual(await waitsFor([1], 0), { available: null, slept: [] });
});
