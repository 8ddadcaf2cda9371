import assert from 'node:assert/strict';
import test from 'node:test';
import { cachedDecoder } from './decode-cache.ts';
import { vinOf } from '../../tools/bench/filled-store.ts';
import { vpic } from '../../test/decoder.ts';

const MODEL = '1C6SRFFT4TN900000';
const HOUR = 3_600_000;

function counting() {
  let clock = 0;
  const decoded: string[] = [];
  const decode = (vin: string) => {
    decoded.push(vin);
    return vpic.decode(vin);
  };
  const kinds = cachedDecoder({ ...vpic, decode }, () => clock);
  return { kinds, decoded, pass: (ms: number) => (clock += ms) };
}

test('each kind of car is decoded once an hour, and each VIN gets its own result', () => {
  const { kinds, decoded, pass } = counting();
  const vins = [1, 2, 3].map((n) => vinOf(n, MODEL));
  for (const vin of vins) assert.deepEqual(kinds.decode(vin), vpic.decode(vin));
  assert.deepEqual(decoded, [vins[0]]);
  pass(HOUR);
  kinds.decode(vins[1]!);
  assert.deepEqual(decoded, [vins[0], vins[1]]);
});

test('a VIN with an error is not cached', () => {
  const { kinds, decoded } = counting();
  const right = vinOf(1, MODEL);
  const wrong = `${right.slice(0, 8)}${right[8] === '1' ? '2' : '1'}${right.slice(9)}`;
  kinds.decode(right);
  assert.equal(kinds.decode(wrong).codes[0], 1);
  kinds.decode(wrong);
  assert.deepEqual(decoded, [right, wrong, wrong]);
});
