import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasRightCheckDigit } from './check-digit.ts';
import { meantBy, meantByText, repairsOf, type Wrong } from './repairs.ts';

const right = '1M8GDM9AXKP042788';
const wrong = (vin: string, more: Partial<Wrong> = {}): Wrong => ({
  vin,
  codes: [1],
  wrong: [],
  invalidPositions: [],
  ...more,
});
const only =
  (...vins: string[]) =>
  (vin: string): boolean =>
    vins.includes(vin);
const never = (): boolean => assert.fail('decoded');
const always = (): boolean => true;

test('a clean VIN has no repair, and nothing is decoded', () => {
  for (const codes of [[0], [0, 14], [0, 10]]) assert.equal(meantBy(wrong(right, { codes }), never), null);
});

test('a wrong check digit alone gives no repair', () => {
  for (const codes of [[1], [1, 14], [1, 10, 14]]) {
    assert.equal(meantBy(wrong('1M8GDM9A2KP042788', { codes }), never), null);
    assert.equal(meantBy(wrong('1M8GDM9AXKP047288', { codes }), never), null);
  }
});

test('a wrong check digit gives a repair if one change also removes something odd', () => {
  const letter = '1M8GDM9A1K0P42788';
  const swapped = '1M8GDM9A1KP042788';
  assert.equal(meantBy(wrong(letter), only(swapped)), null, 'the check digit must be right');
  const fitting = '1C6SRFFT4TN900000';
  const odd = '1C6SRFFT4T9N00000';
  assert.equal(meantBy(wrong(odd), only(fitting)), fitting);
  assert.equal(meantBy(wrong(odd), only()), null);
  const unexplained = wrong('1M8GD9MAXKP042788', { codes: [1, 14], unused: [6] });
  assert.equal(meantBy(unexplained, always, only(right)), right);
  assert.equal(meantBy(unexplained, always, only()), null, 'it must explain every position');
  assert.equal(
    meantBy(wrong('1M8GD9MAXKP042788', { codes: [1, 14], unused: [4] }), always, only(right)),
    null,
  );
  assert.equal(meantBy(wrong('1M8GD9MAXKP042788', { hasModel: false }), always, only(right)), right);
  const otherYear = wrong('1M8GDM9AKXP042788', { codes: [1, 14], unused: [4] });
  assert.equal(meantBy(otherYear, always, only(right)), right, 'the year decides which patterns apply');
});

test('if no pattern matches, vehicle and plant are suspect', () => {
  assert.equal(meantBy(wrong('1M8GD9MAXKP042788', { codes: [1, 8] }), only(right)), right);
});

test('one look-alike or one swap at a wrong position is the repair', () => {
  const misread = wrong('1MBGDM9AXKP042788', { codes: [1, 7] });
  assert.equal(meantBy(misread, only(right)), right);
  const swapped = wrong('1M8GDMA9XKP042788', { codes: [1, 5, 14], wrong: [{ position: 7, valid: '9' }] });
  assert.equal(meantBy(swapped, only(right)), right);
  assert.equal(meantBy(swapped, only()), null);
});

test('several look-alikes or swaps that fit give no repair', () => {
  const invalidPositions = Array.from({ length: 17 }, (_, index) => index + 1);
  const doubt = wrong('1M8GDM9AXKP000844', { codes: [1, 400], invalidPositions });
  const tried: string[] = [];
  meantBy(doubt, (candidate) => tried.push(candidate) < 0);
  assert.ok(tried.length > 1);
  assert.equal(meantBy(doubt, only(...tried)), null);
});

test('a repair changes a wrong position, the manufacturer or the year', () => {
  const elsewhere = wrong('1MBGDM9AXKP042788', {
    codes: [1, 5],
    wrong: [
      { position: 4, valid: 'H' },
      { position: 5, valid: 'E' },
    ],
  });
  assert.equal(meantBy(elsewhere, only(right)), right, 'the manufacturer may be misread');
  const serial = wrong('1M8GDM9AXKP04Z788', { codes: [1, 4, 14], wrong: [{ position: 5, valid: 'EF' }] });
  assert.equal(meantBy(serial, only(right)), null);
});

test('the only character that fits a wrong position is the repair', () => {
  const at7 = wrong('1M8GDM8AXKP042788', { codes: [1, 2, 14], wrong: [{ position: 7, valid: '9' }] });
  assert.equal(meantBy(at7, only(right)), right);
  const letter = wrong('1M8GDM9AXKP0K2788', { codes: [1, 400], invalidPositions: [13] });
  assert.equal(meantBy(letter, only(right)), right);
  const ninth = wrong('1M8GDM9AEKP042788', { codes: [1, 400], invalidPositions: [9] });
  assert.equal(meantBy(ninth, only(right)), right);
});

test('there is no repair if the manufacturer or the year may be wrong instead', () => {
  const at7 = wrong('1M8GDM8AXKP042788', { codes: [1, 2, 14], wrong: [{ position: 7, valid: '9' }] });
  assert.equal(meantBy(at7, always), null);
  // With another year code instead.
  const other: string[] = [];
  meantBy(at7, (to) => to[9] !== 'K' && other.push(to) < 0);
  assert.ok(other.length > 0);
  assert.equal(meantBy(at7, only(right, other[0]!)), null);
  assert.equal(meantBy(at7, only(other[0]!)), null);
});

test('another position of the description may be wrong instead of the one that vPIC names', () => {
  const at7 = wrong('1M8GDM8AXKP042788', { codes: [1, 2, 14], wrong: [{ position: 7, valid: '9' }] });
  const tried: string[] = [];
  meantBy(at7, (to) => to[6] === '8' && to.startsWith('1M8') && to[9] === 'K' && tried.push(to) < 0);
  assert.ok(tried.length > 0);
  assert.equal(meantBy(at7, only(right, tried[0]!)), null);
});

test('a VIN with an unexplained position is named only if nothing else fits', () => {
  const at7 = wrong('1M8GDM8AXKP042788', { codes: [1, 2, 14], wrong: [{ position: 7, valid: '9' }] });
  assert.equal(meantBy(at7, only(right), only()), null);
  const swapped = wrong('1M8GDMA9XKP042788', { codes: [1, 5, 14], wrong: [{ position: 7, valid: '9' }] });
  const other: string[] = [];
  meantBy(swapped, (to) => to[6] !== 'A' && other.push(to) < 0);
  const changed = other.find((to) => to[6] !== '9')!;
  assert.equal(meantBy(swapped, only(right), only()), right);
  assert.equal(meantBy(swapped, only(right, changed), only()), null);
  assert.equal(meantBy(swapped, only(right, changed), only(right)), right);
});

test('an unknown manufacturer may be a foreign one, so only look-alikes and swaps count', () => {
  const doubt = wrong('1MXGDM9AXKP042788', { codes: [1, 7] });
  assert.equal(meantBy(doubt, only(right)), null);
});

test("positions 12 to 14 are part of a small manufacturer's identifier", () => {
  const small = '1G91D8093EA004654';
  assert.equal(meantBy(wrong('1G91D8093EAD04654', { codes: [1, 7] }), only(small)), small);
  assert.equal(meantBy(wrong('1G81D8093EAD04654', { codes: [1, 7] }), only(small)), null);
});

test('at most a hundred candidates are decoded, all with a right check digit', () => {
  let decoded = 0;
  for (const vin of ['00000000000000000', 'B8S5Z2D01L6GU4AV8', '1M8GDM9A2KP042788']) {
    meantBy(wrong(vin, { codes: [1, 4], wrong: [{ position: 5, valid: 'EF' }] }), (candidate) => {
      decoded++;
      assert.ok(hasRightCheckDigit(candidate));
      return false;
    });
  }
  assert.ok(decoded < 100);
});

test('I, O and Q, a missing or a doubled character are repaired if one VIN fits', () => {
  assert.equal(meantByText('1m8gdm9axkpo42788', only(right)), right);
  assert.equal(meantByText('1M8GDM9AXKP42788', only(right)), right);
  assert.equal(meantByText('1M8GDM9AXXKP042788', only(right)), right);
  assert.equal(meantByText('1M8GDM9AXKP0427888', only(right)), right);
  assert.equal(meantByText('1M8GDM9AXKP42788', always), null, 'many fit');
  for (const text of ['', '1M8GDM9AXKP0427', '1M8GDM9AXKP0427880', 'é'.repeat(16), 'O'.repeat(18)])
    assert.equal(meantByText(text, always), null, text);
});

test('I, O and Q become the characters they look like', () => {
  assert.deepEqual(repairsOf('1M8GDM9AXKPO42788'), [right]);
  assert.equal(repairsOf('im8gdm9axkpo42788')[0], right, 'the likeliest comes first');
});

test('a text of mostly I, O and Q has no repairs', () => {
  assert.equal(repairsOf('1FMUK8DH0TGOOOOOO')[0], '1FMUK8DH0TG000000');
  assert.deepEqual(repairsOf('QQQQQQQQQQQQQQQQQ'), []);
  assert.deepEqual(repairsOf('1FMUK8DHOTGOOOOOO'), []);
});

test('without a right check digit, the likeliest replacement of I, O and Q is listed', () => {
  assert.deepEqual(repairsOf('1M8GDM9A1KPO42788'), ['1M8GDM9A1KP042788']);
});

test('the list of repairs has VINs with a right check digit, including the right one', () => {
  for (const typed of ['1M8GDM9A2KP042788', '1M8GDM9AXKP047288', '1M8GDM9AXKP042783', '1M8GDM9AXXKP042788']) {
    const listed = repairsOf(typed, (vin) => vin.slice(0, 8) === right.slice(0, 8));
    assert.ok(listed.includes(right), typed);
    assert.ok(listed.length <= 20);
    assert.equal(new Set(listed).size, listed.length);
    for (const vin of listed) assert.ok(hasRightCheckDigit(vin));
  }
  assert.deepEqual(repairsOf('1M8GDM9AXKP42788', only(right)), [right]);
});

test('the last character of a VIN that was cut off is listed first', () => {
  assert.equal(repairsOf(right.slice(0, 16))[0], right);
});

test('other texts have no repairs', () => {
  for (const text of ['', 'OOO', '1M8GDM9AXKP0427-8', 'é'.repeat(17), 'O'.repeat(100_000)]) {
    assert.deepEqual(repairsOf(text), []);
  }
});
