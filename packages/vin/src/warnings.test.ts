import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningOf, type WarningInput } from './warnings.ts';

const vin = '1M8GDM9AXKP042788';
const input = (more: Partial<WarningInput> = {}): WarningInput => ({
  vin,
  codes: [0],
  suggested: null,
  wrong: [],
  invalidPositions: [],
  modelYear: 1989,
  otherYear: null,
  incomplete: false,
  ...more,
});

test('a clean decode has no warning, with or without unused positions', () => {
  assert.equal(warningOf(input(), null), null);
  assert.equal(warningOf(input({ codes: [0, 14] }), null), null);
});

test('a wrong check digit says that one character is probably wrong, and names no VIN', () => {
  assert.equal(
    warningOf(input({ vin: '1M8GDM9A2KP042788', codes: [1] }), null),
    "The check digit at position 9 doesn't match the rest, so one character is probably wrong. Compare the VIN with the car or its papers.",
  );
});

test('a foreign VIN without a check digit gets a mild warning', () => {
  const warning = warningOf(
    input({ vin: 'VR3UPHNKZKT000000', codes: [1, 7], modelYear: null, invalidPositions: [9] }),
    null,
  );
  assert.match(warning ?? '', /VR3 isn't registered with NHTSA/);
  assert.match(warning ?? '', /only North American VINs must have/);
});

test('a European VIN is called one, without a list of errors', () => {
  const wrong = [4, 5, 6].map((position) => ({ position, valid: 'ABC' }));
  assert.equal(
    warningOf(
      input({ vin: 'WVWZZZ1KZ8W000000', codes: [1, 5, 14, 400], wrong, invalidPositions: [9] }),
      null,
    ),
    'This VIN has ZZZ at positions 4 to 6, as in Europe. NHTSA has no details for such VINs.',
  );
});

test('the warning for an invalid VIN says what is wrong with it', () => {
  assert.match(warningOf(input({ vin: '1M8GDM9AXKPO42788', codes: [1, 400] }), null) ?? '', /the letter O/);
  assert.match(warningOf(input({ vin: '', codes: [7] }), null) ?? '', /no VIN here/);
});

test('an invalid character is named with the valid ones', () => {
  const one = input({
    codes: [2, 14],
    suggested: '1M8GEM9AXKP042788',
    wrong: [{ position: 5, valid: 'E' }],
  });
  assert.equal(warningOf(one, null), "This manufacturer doesn't use D at position 5; it could be E.");
  const several = input({
    codes: [4, 14],
    suggested: '1M8G!M9AXKP042788',
    wrong: [{ position: 5, valid: '3EF' }],
  });
  assert.match(warningOf(several, null) ?? '', /it could be 3, E or F\./);
  const fitting = input({
    codes: [3, 14],
    suggested: '1M8GFM9AXKP042788',
    wrong: [{ position: 5, valid: '3EF' }],
  });
  assert.match(warningOf(fitting, null) ?? '', /it could be F\./);
});

test('with a repair, the warning lists no other choices', () => {
  const one = input({
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

test('several wrong positions are listed with their valid characters', () => {
  const wrong = [
    { position: 4, valid: 'H' },
    { position: 7, valid: '12' },
  ];
  const warning = warningOf(input({ codes: [5, 14], suggested: '1M8!DM!AXKP042788', wrong }), null);
  assert.equal(
    warning,
    "The characters at positions 4 and 7 aren't valid for this manufacturer: position 4 could be H; position 7 could be 1 or 2.",
  );
});

test('letters in the serial number are named', () => {
  const warning = warningOf(
    input({ vin: '1M8GDM9AXKP0A2788', codes: [1, 400], invalidPositions: [13] }),
    null,
  );
  assert.equal(
    warning,
    "Position 13 is A but must be a digit. The check digit at position 9 doesn't match either.",
  );
});

test('a letter in place of the check digit is named', () => {
  const warning = warningOf(
    input({ vin: '1M8GDM9AAKP042788', codes: [1, 400], invalidPositions: [9] }),
    null,
  );
  assert.equal(warning, 'Position 9 is A but must be a digit or X.');
});

test('an uncertain year adds one sentence', () => {
  assert.equal(
    warningOf(input({ modelYear: 2026, otherYear: 1996 }), null),
    'The model year could also be 1996.',
  );
});

test('every relevant code becomes a sentence without the code', () => {
  for (const code of [1, 7, 8, 9, 10, 11]) {
    const warning = warningOf(input({ vin: '1M8GDM9A20P042788', codes: [code], modelYear: null }), null);
    assert.match(warning ?? '', /^[A-Z].+[.?]$/, `code ${code}`);
    assert.doesNotMatch(warning ?? '', /\berror\b|\bcode \d|400/i);
  }
});

test('an incomplete vehicle may have been altered', () => {
  assert.match(
    warningOf(input({ incomplete: true }), null) ?? '',
    /left the factory incomplete and may have been altered since/,
  );
});
