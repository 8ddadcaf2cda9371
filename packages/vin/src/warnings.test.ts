import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningOf, type Doubts } from './warnings.ts';

const vin = '1M8GDM9AXKP042788';
const doubts = (more: Partial<Doubts> = {}): Doubts => ({
  vin,
  codes: [0],
  suggested: null,
  wrong: [],
  outOfPlace: [],
  modelYear: 1989,
  otherYear: null,
  incomplete: false,
  ...more,
});

test('a clean decode has no warning, nor have unused positions', () => {
  assert.equal(warningOf(doubts(), null), null);
  assert.equal(warningOf(doubts({ codes: [0, 14] }), null), null);
});

test('a wrong check digit says that one character is probably wrong, and names no VIN', () => {
  assert.equal(
    warningOf(doubts({ vin: '1M8GDM9A2KP042788', codes: [1] }), null),
    "The check digit at position 9 doesn't match the rest, so one character is probably wrong. Compare the VIN with the car or its papers.",
  );
});

test('a VIN of another continent without check digit gets a mild word', () => {
  const said = warningOf(
    doubts({ vin: 'VR3UPHNKZKT000000', codes: [1, 7], modelYear: null, outOfPlace: [9] }),
    null,
  );
  assert.match(said ?? '', /VR3 isn't registered with NHTSA/);
  assert.match(said ?? '', /only North American VINs must have/);
});

test('the European form is told as such, not as a list of mistakes', () => {
  const wrong = [4, 5, 6].map((position) => ({ position, valid: 'ABC' }));
  assert.equal(
    warningOf(doubts({ vin: 'WVWZZZ1KZ8W000000', codes: [1, 5, 14, 400], wrong, outOfPlace: [9] }), null),
    'This VIN has ZZZ at positions 4 to 6, as in Europe. NHTSA has no details for such VINs.',
  );
});

test('what is no VIN is told so, whatever was decoded of it', () => {
  assert.match(warningOf(doubts({ vin: '1M8GDM9AXKPO42788', codes: [1, 400] }), null) ?? '', /the letter O/);
  assert.match(warningOf(doubts({ vin: '', codes: [7] }), null) ?? '', /no VIN here/);
});

test('a position the manufacturer does not use is named with what it could be', () => {
  const one = doubts({
    codes: [2, 14],
    suggested: '1M8GEM9AXKP042788',
    wrong: [{ position: 5, valid: 'E' }],
  });
  assert.equal(warningOf(one, null), "This manufacturer doesn't use D at position 5; it could be E.");
  const several = doubts({
    codes: [4, 14],
    suggested: '1M8G!M9AXKP042788',
    wrong: [{ position: 5, valid: '3EF' }],
  });
  assert.match(warningOf(several, null) ?? '', /it could be 3, E or F\./);
  const fitting = doubts({
    codes: [3, 14],
    suggested: '1M8GFM9AXKP042788',
    wrong: [{ position: 5, valid: '3EF' }],
  });
  assert.match(warningOf(fitting, null) ?? '', /it could be F\./);
});

test('with a VIN to offer there is one answer', () => {
  const one = doubts({
    codes: [1, 2, 14],
    suggested: '1M8GEM9AXKP042788',
    wrong: [{ position: 5, valid: 'E' }],
  });
  const uses = "This manufacturer doesn't use D at position 5.";
  assert.equal(
    warningOf(one, '1M8GEM9AXKP042788'),
    `${uses} Did you mean 1M8GEM9AXKP042788, with E at position 5?`,
  );
  assert.equal(
    warningOf(one, '1M8DGM9AXKP042788'),
    `${uses} Did you mean 1M8DGM9AXKP042788, with positions 4 and 5 swapped?`,
  );
});

test('several wrong positions are listed, each with what it could be', () => {
  const wrong = [
    { position: 4, valid: 'H' },
    { position: 7, valid: '12' },
  ];
  const said = warningOf(doubts({ codes: [5, 14], suggested: '1M8!DM!AXKP042788', wrong }), null);
  assert.equal(
    said,
    "The characters at positions 4 and 7 aren't valid for this manufacturer: position 4 could be H; position 7 could be 1 or 2.",
  );
});

test('letters among the digits of the serial number are pointed at', () => {
  const said = warningOf(doubts({ vin: '1M8GDM9AXKP0A2788', codes: [1, 400], outOfPlace: [13] }), null);
  assert.equal(
    said,
    "Position 13 is A but must be a digit. The check digit at position 9 doesn't match either.",
  );
});

test('no check digit at all is told as such', () => {
  const said = warningOf(doubts({ vin: '1M8GDM9AAKP042788', codes: [1, 400], outOfPlace: [9] }), null);
  assert.equal(said, 'Position 9 is A but must be a digit or X.');
});

test('an uncertain year is told in one sentence', () => {
  assert.equal(
    warningOf(doubts({ modelYear: 2026, otherYear: 1996 }), null),
    'The model year could also be 1996.',
  );
});

test('every code that people should hear of becomes a sentence without the code', () => {
  for (const code of [1, 7, 8, 9, 10, 11]) {
    const said = warningOf(doubts({ vin: '1M8GDM9A20P042788', codes: [code], modelYear: null }), null);
    assert.match(said ?? '', /^[A-Z].+[.?]$/, `code ${code}`);
    assert.doesNotMatch(said ?? '', /\berror\b|\bcode \d|400/i);
  }
});

test('an incomplete vehicle may have been altered', () => {
  assert.match(
    warningOf(doubts({ incomplete: true }), null) ?? '',
    /left the factory incomplete and may have been altered since/,
  );
});
