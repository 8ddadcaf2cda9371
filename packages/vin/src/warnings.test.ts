import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningOf, type WarningInput } from './warnings.ts';

const input = (more: Partial<WarningInput>): WarningInput => ({
  vin: '1M8GDM9AXKP042788',
  codes: [0],
  suggested: null,
  wrong: [],
  invalidPositions: [],
  modelYear: 1989,
  otherYear: null,
  incomplete: false,
  ...more,
});
const at = (position: number, valid: string) => ({ position, valid });
const oneWrong = { codes: [1, 2, 14], suggested: '1M8GEM9AXKP042788', wrong: [at(5, 'E')] };
const uses = "This manufacturer doesn't use D at position 5";

const cases: [name: string, Partial<WarningInput>, expected: string | RegExp | null, repair?: string][] = [
  ['a clean decode has none', {}, null],
  ['unused positions are no reason', { codes: [0, 14] }, null],
  [
    'a wrong check digit says that one character is probably wrong, and names no VIN',
    { vin: '1M8GDM9A2KP042788', codes: [1] },
    "The check digit at position 9 doesn't match the rest, so one character is probably wrong. Compare the VIN with the car or its papers.",
  ],
  [
    'a foreign VIN without a check digit gets a mild warning',
    { vin: 'VR3UPHNKZKT000000', codes: [1, 7], modelYear: null, invalidPositions: [9] },
    /VR3 isn't registered with NHTSA.*only North American VINs must have/,
  ],
  [
    'a European VIN is called one, without a list of errors',
    {
      vin: 'WVWZZZ1KZ8W000000',
      codes: [1, 5, 14, 400],
      wrong: [at(4, 'ABC'), at(5, 'ABC'), at(6, 'ABC')],
      invalidPositions: [9],
    },
    'This VIN has ZZZ at positions 4 to 6, as in Europe. NHTSA has no details for such VINs.',
  ],
  ['a letter that VINs never use', { vin: '1M8GDM9AXKPO42788', codes: [1, 400] }, /the letter O/],
  ['no VIN at all', { vin: '', codes: [7] }, /no VIN here/],
  [
    'a wrong character is named with the valid one',
    { ...oneWrong, codes: [2, 14] },
    `${uses}; it could be E.`,
  ],
  [
    'a wrong character is named with the valid ones',
    { codes: [4, 14], suggested: '1M8G!M9AXKP042788', wrong: [at(5, '3EF')] },
    /it could be 3, E or F\./,
  ],
  [
    'of the valid ones, the one that fits the check digit',
    { codes: [3, 14], suggested: '1M8GFM9AXKP042788', wrong: [at(5, '3EF')] },
    /it could be F\./,
  ],
  [
    'a repair instead of other choices',
    oneWrong,
    `${uses}. Did you mean 1M8GEM9AXKP042788, with E at position 5?`,
    '1M8GEM9AXKP042788',
  ],
  [
    'a repair that swaps two characters',
    oneWrong,
    `${uses}. Did you mean 1M8DGM9AXKP042788, with positions 4 and 5 swapped?`,
    '1M8DGM9AXKP042788',
  ],
  [
    'several wrong positions are listed with their valid characters',
    { codes: [5, 14], suggested: '1M8!DM!AXKP042788', wrong: [at(4, 'H'), at(7, '12')] },
    "The characters at positions 4 and 7 aren't valid for this manufacturer: position 4 could be H; position 7 could be 1 or 2.",
  ],
  [
    'letters in the serial number are named',
    { vin: '1M8GDM9AXKP0A2788', codes: [1, 400], invalidPositions: [13] },
    "Position 13 is A but must be a digit. The check digit at position 9 doesn't match either.",
  ],
  [
    'a letter in place of the check digit is named',
    { vin: '1M8GDM9AAKP042788', codes: [1, 400], invalidPositions: [9] },
    'Position 9 is A but must be a digit or X.',
  ],
  [
    'an uncertain year adds one sentence',
    { modelYear: 2026, otherYear: 1996 },
    'The model year could also be 1996.',
  ],
  [
    'an incomplete vehicle may have been altered',
    { incomplete: true },
    /left the factory incomplete and may have been altered since/,
  ],
  // A sentence, without the code.
  ...[1, 7, 8, 9, 10, 11].map((code): [string, Partial<WarningInput>, RegExp] => [
    `code ${code} becomes a sentence`,
    { vin: '1M8GDM9A20P042788', codes: [code], modelYear: null },
    /^(?!.*(?:\b[Ee]rror\b|\b[Cc]ode \d|400))[A-Z].+[.?]$/,
  ]),
];

for (const [name, more, expected, repair = null] of cases)
  test(`warning: ${name}`, () => {
    const warning = warningOf(input(more), repair);
    if (expected instanceof RegExp) assert.match(warning ?? '', expected);
    else assert.equal(warning, expected);
  });
