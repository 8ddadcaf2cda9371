import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vinsIn } from './vins-in.ts';

const VIN = '1M8GDM9AXKP042788';
const OTHER = '1C4RJHBR7TC000000';

test('a VIN is found in all kinds of pasted text', () => {
  for (const text of [
    VIN,
    `VIN: ${VIN}`,
    `VIN:${VIN}`,
    `VIN${VIN}`,
    `vin#${VIN.toLowerCase()}.`,
    `Clean title, one owner. VIN ${VIN}, stock 5521, $34,990.`,
    `https://dealer.example/inventory/2024-Jeep-Gladiator-${VIN}/?utm_source=x`,
    `https://dealer.example/?vin=${VIN}&zip=48201`,
    'VIN: 1M8G DM9A XKP0 42788 (see the door)',
    'VIN 1M8-GDM9AX-KP042788',
    `(${VIN})\n${VIN}`,
  ]) {
    assert.deepEqual(vinsIn(text), [VIN], text);
  }
});

test('several VINs are found in order, each once', () => {
  assert.deepEqual(vinsIn(`${OTHER} or ${VIN}, not ${OTHER}`), [OTHER, VIN]);
});

test('words, numbers and longer codes are not VINs', () => {
  for (const text of [
    '',
    'my car was made a long time ago',
    'abcdefghjklmnprst',
    '12345678901234567',
    `X${VIN}`,
    `${VIN}9`,
    '3f9a1c77b0d2e4455667788990011223344556677889900aabbccddeeff00112',
    'call 248 555 0100 or 313 555 0199 today',
  ]) {
    assert.deepEqual(vinsIn(text), [], text);
  }
});

test('a long text is fast', () => {
  assert.deepEqual(vinsIn('A1 '.repeat(100_000)), []);
});
