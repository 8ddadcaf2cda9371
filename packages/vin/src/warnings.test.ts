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

const nothing = { vins: [], repair: null };
const meant = (...vins: string[]) => ({ vins, repair: vins[0] ?? null });

test('a clean decode has no warning, nor have unused positions', () => {
  assert.equal(warningOf(doubts(), nothing), null);
  assert.equal(warningOf(doubts({ codes: [0, 14] }), nothing), null);
});

test('a wrong check digit says what position 9 should be and names the repair', () => {
  const said = warningOf(doubts({ vin: '1M8GDM9A2KP042788', codes: [1] }), meant(vin));
  assert.match(said ?? '', /^Position 9 should be X if the rest is right/);
  assert.match(said ?? '', /Did you mean 1M8GDM9AXKP042788, with X at position 9\?$/);
});

test('a VIN of another continent without check digit gets a mild word', () => {
  const said = warningOf(
    doubts({ vin: 'VR3UPHNKZKT000000', codes: [1, 7], modelYear: null, outOfPlace: [9] }),
    nothing,
  );
  assert.match(said ?? '', /VR3 is not registered with NHTSA/);
  assert.match(said ?? '', /elsewhere it need not be a check digit/);
});

test('the European form is told as such, not as a list of mistakes', () => {
  const wrong = [4, 5, 6].map((position) => ({ position, valid: 'ABC' }));
  assert.equal(
    warningOf(doubts({ vin: 'WVWZZZ1KZ8W000000', codes: [1, 5, 14, 400], wrong, outOfPlace: [9] }), nothing),
    'This VIN has the European form, with ZZZ at positions 4 to 6, of which NHTSA keeps no details.',
  );
});

test('what is no VIN is told so, whatever was decoded of it', () => {
  assert.match(
    warningOf(doubts({ vin: '1M8GDM9AXKPO42788', codes: [1, 400] }), nothing) ?? '',
    /the letter O/,
  );
  assert.match(warningOf(doubts({ vin: '', codes: [7] }), nothing) ?? '', /no VIN here/);
});

test('a position the manufacturer does not use is named with what it should be', () => {
  const one = doubts({
    codes: [2, 14],
    suggested: '1M8GEM9AXKP042788',
    wrong: [{ position: 5, valid: 'E' }],
  });
  assert.equal(
    warningOf(one, nothing),
    'Position 5 holds D, which this manufacturer does not use there; it should be E.',
  );
  const several = doubts({
    codes: [4, 14],
    suggested: '1M8G!M9AXKP042788',
    wrong: [{ position: 5, valid: '3EF' }],
  });
  assert.match(warningOf(several, nothing) ?? '', /it may be 3, E or F\./);
});

test('of several characters the one that fits the check digit is named', () => {
  const said = warningOf(
    doubts({ codes: [3, 14], suggested: '1M8GFM9AXKP042788', wrong: [{ position: 5, valid: '3EF' }] }),
    meant('1M8GFM9AXKP042788'),
  );
  assert.match(said ?? '', /it should be F\. Did you mean 1M8GFM9AXKP042788, with F at position 5\?/);
});

test('several wrong positions are listed, each with what it may be', () => {
  const wrong = [
    { position: 4, valid: 'H' },
    { position: 7, valid: '12' },
  ];
  const said = warningOf(doubts({ codes: [5, 14], suggested: '1M8!DM!AXKP042788', wrong }), nothing);
  assert.match(said ?? '', /positions 4 and 7 are not valid/);
  assert.match(said ?? '', /position 4 may be H; position 7 may be 1 or 2\./);
});

test('letters among the digits of the serial number are pointed at', () => {
  const said = warningOf(doubts({ vin: '1M8GDM9AXKP0A2788', codes: [1, 400], outOfPlace: [13] }), nothing);
  assert.match(said ?? '', /Position 13 holds A, where only a digit can stand/);
  assert.match(said ?? '', /check digit at position 9 does not fit either/);
});

test('no check digit at all is told as such', () => {
  const said = warningOf(doubts({ vin: '1M8GDM9AAKP042788', codes: [1, 400], outOfPlace: [9] }), nothing);
  assert.match(said ?? '', /Position 9 holds A, where only a digit or X can stand; it should be X/);
});

test('of two VINs to offer each is described', () => {
  const said = warningOf(
    doubts({ vin: '1M8GDM9AXKP047288', codes: [1] }),
    meant('1M8GDM9A1KP047288', '1M8GDM9AXKP042788'),
  );
  assert.match(
    said ?? '',
    /Did you mean 1M8GDM9A1KP047288, with 1 at position 9, or 1M8GDM9AXKP042788, with positions 14 and 15 the other way round\?$/,
  );
});

test("vPIC's suggestion is named, and there is one answer", () => {
  const one = doubts({
    codes: [1, 2, 14],
    suggested: '1M8GEM9AXKP042788',
    wrong: [{ position: 5, valid: 'E' }],
  });
  const holds = 'Position 5 holds D, which this manufacturer does not use there';
  assert.equal(
    warningOf(one, { vins: ['1M8GEM9AXKP042788'], repair: null }),
    `${holds}; it should be E. Did you mean 1M8GEM9AXKP042788, with E at position 5?`,
  );
  assert.equal(
    warningOf(one, meant('1M8DGM9AXKP042788')),
    `${holds}. Did you mean 1M8DGM9AXKP042788, with positions 4 and 5 the other way round?`,
  );
});

test('an uncertain year names both, earlier first', () => {
  assert.equal(
    warningOf(doubts({ modelYear: 2026, otherYear: 1996 }), nothing),
    'The model year may be 1996 or 2026.',
  );
});

test('every code that people should hear of becomes a sentence without the code', () => {
  for (const code of [1, 7, 8, 9, 10, 11]) {
    const said = warningOf(doubts({ vin: '1M8GDM9A20P042788', codes: [code], modelYear: null }), nothing);
    assert.match(said ?? '', /^[A-Z].+[.?]$/, `code ${code}`);
    assert.doesNotMatch(said ?? '', /\berror\b|\bcode \d|400/i);
  }
});

test('an incomplete vehicle may have been altered', () => {
  assert.match(
    warningOf(doubts({ incomplete: true }), nothing) ?? '',
    /left the factory incomplete and may have been altered since/,
  );
});
