import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isVin, parseVin, tidyVin, vinsIn } from './syntax.ts';

const message = (text: string): string => {
  const parsed = parseVin(text);
  assert.equal(parsed.ok, false, `${text} should not be a VIN`);
  return parsed.ok ? '' : parsed.message;
};

test('a lower-case VIN is accepted and returned in upper case', () => {
  assert.deepEqual(parseVin('1fm5k7b82dga00000'), { ok: true, vin: '1FM5K7B82DGA00000' });
});

test('letters that become A to Z only in upper case are rejected', () => {
  // Long s, dotless i, Kelvin sign.
  for (const letter of ['\u017f', '\u0131', '\u212a']) {
    const parsed = parseVin(`${letter}FM5K7B82DGA00000`);
    assert.equal(parsed.ok, false);
    assert.equal(!parsed.ok && parsed.position, 1);
    assert.equal(isVin(`${letter}FM5K7B82DGA00000`), false);
  }
});

test('the message for a wrong length says how many are missing or too many', () => {
  assert.match(message('1FM5K7B82DGA0000'), /17 characters\. This has 16, so one is missing/);
  assert.match(message('1FM5K7B82DGA000000'), /This has 18, which is one too many/);
  assert.match(message(''), /no VIN here/);
});

test('full-width letters and digits become ASCII, and other alphabets stay', () => {
  assert.equal(tidyVin('１ＦＭ　５ｋ７－Ｂ'), '1FM5K7B');
  assert.equal(tidyVin('1FМ'), '1FМ', 'a Cyrillic letter');
});

test('spaces and dashes are not counted as too many characters', () => {
  // Also a line break from a file or an invisible character from a spreadsheet, which "spaces and dashes" wouldn't describe.
  for (const text of ['1FM5K7B82-DGA-00000', '1FM5K7B82DGA00000\n', '\ufeff1FM5K7B82DGA00000']) {
    assert.match(message(text), /Leave out everything but the letters and digits: 1FM5K7B82DGA00000/);
  }
  assert.match(message('1FM5K7B82DGA0000-'), /this has 16 characters/);
});

test('an ending after the VIN is to be left out', () => {
  assert.match(
    message('1fm5k7b82dga00000.pdf'),
    /This has 21\. Leave out what follows the VIN: 1FM5K7B82DGA00000\.$/,
  );
});

test('I, O and Q are explained, with the digit that was probably meant', () => {
  const parsed = parseVin('1FM5K7B82DGAo0000');
  assert.equal(!parsed.ok && parsed.position, 13);
  assert.equal(!parsed.ok && parsed.character, 'o');
  assert.match(message('1FM5K7B82DGAO0000'), /Position 13 is the letter O.*never use.*the digit 0\./);
  assert.match(message('IFM5K7B82DGA00000'), /Position 1 is the letter I.*the digit 1\./);
});

test('every other wrong position is named too', () => {
  assert.match(message('1FM5K7B82DGAO0Q0I'), /Positions 15 and 17 are wrong too/);
});

test('an emoji counts as one character', () => {
  assert.match(message('1FM5K7B82DGA0000\u{1F600}'), /Position 17 is.*U\+1F600/);
});

test('messages are short and never repeat control characters', () => {
  for (const text of [
    '\u001b[31m1FM5K7B82DGA',
    '\u0000'.repeat(17),
    'x'.repeat(1_000_000),
    '\ud800'.repeat(17),
  ]) {
    const result = message(text);
    assert.ok(result.length < 300, result);
    assert.ok(/^[ -~]*$/.test(result), result);
  }
});

test('tidyVin removes separators that people and word processors add', () => {
  assert.equal(tidyVin(' 1fm5k-7b82\u2013dga\u00a000000\u200b\n'), '1FM5K7B82DGA00000');
});

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
