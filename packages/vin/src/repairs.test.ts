import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDigit, hasRightCheckDigit } from './check-digit.ts';
import { meantBy, repairsOf, type Wrong } from './repairs.ts';

const right = '1M8GDM9AXKP042788';
const wrong = (vin: string, more: Partial<Wrong> = {}): Wrong => ({
  vin,
  codes: [1],
  suggested: null,
  wrong: [],
  outOfPlace: [],
  ...more,
});
const only =
  (...vins: string[]) =>
  (vin: string): boolean =>
    vins.includes(vin);

const repairOf = (doubt: Wrong, isClean: (vin: string) => boolean) => meantBy(doubt, isClean).repair;
const vinsOf = (doubt: Wrong, isClean: (vin: string) => boolean) => meantBy(doubt, isClean).vins;

const never = (): boolean => assert.fail('decoded');

test('a clean VIN needs no repair, and nothing is decoded for it', () => {
  for (const codes of [[0], [0, 14], [0, 10]]) assert.equal(repairOf(wrong(right, { codes }), never), null);
});

test("vPIC's own suggestion comes first, when it decodes cleanly", () => {
  const at7 = '1M8GDM8AXKP042788';
  const doubt = wrong(at7, { codes: [1, 2, 14], suggested: right, wrong: [{ position: 7, valid: '9' }] });
  assert.equal(repairOf(doubt, only(right)), right);
  assert.equal(repairOf(doubt, only()), null);
});

test("vPIC's own suggestion is offered even when it does not decode cleanly, and no swap beside it", () => {
  const swapped = '1M8GDMA9XKP042788';
  const suggested = '1M8GDM99XKP042788';
  const doubt = wrong(swapped, { codes: [1, 2, 14], suggested, wrong: [{ position: 7, valid: '9' }] });
  assert.deepEqual(meantBy(doubt, only(right)), { vins: [suggested], repair: null });
  const misread = '1MBGDM9AXKP042788';
  const alike = wrong(misread, { codes: [1, 2, 14], suggested, wrong: [{ position: 3, valid: '8' }] });
  assert.deepEqual(meantBy(alike, only(right)), { vins: [right, suggested], repair: right });
});

test('a suggestion that is no VIN is not offered', () => {
  for (const suggested of ['1M8GDM9AXKPO42788', '1M8GDM9AXK_042788', '1M8GDM9!XKP042788']) {
    const doubt = wrong('1M8GDM8AXKP042788', { codes: [1, 2], suggested });
    assert.deepEqual(vinsOf(doubt, only()), []);
  }
});

const withX = (vin: string, digit: string) => `${vin.slice(0, 8)}${digit}${vin.slice(9)}`;

test('when only the check digit is wrong, the right one is offered, whatever else fits', () => {
  const vin = '1M8GDM9A2KP042788';
  assert.deepEqual(meantBy(wrong(vin), only()), { vins: [right], repair: right });
  assert.deepEqual(meantBy(wrong(vin, { codes: [1, 10, 14] }), only()), { vins: [right], repair: right });
  const letter = wrong('1M8GDM9AAKP042788', { codes: [1, 400], outOfPlace: [9] });
  assert.deepEqual(meantBy(letter, only()), { vins: [right], repair: right });
});

test('the one look-alike that decodes cleanly is offered beside the right check digit', () => {
  const misread = '1MBGDM9AXKP042788';
  const digit = withX(misread, checkDigit(misread)!);
  assert.deepEqual(meantBy(wrong(misread), only(right, digit)), { vins: [digit, right], repair: digit });
});

test('so is the one swap of neighbours, when no look-alike is', () => {
  const swapped = '1M8GDM9AXKP047288';
  const digit = withX(swapped, checkDigit(swapped)!);
  assert.deepEqual(vinsOf(wrong(swapped), only(right)), [digit, right]);
});

test('of several that fit none is offered beside it', () => {
  const vin = '1M8GDM9AXKP000844';
  const digit = withX(vin, checkDigit(vin)!);
  const tried: string[] = [];
  meantBy(wrong(vin), (candidate) => tried.push(candidate) < 0);
  const likes = tried.filter((candidate) => candidate[8] === 'X');
  assert.equal(likes.length, 2);
  assert.deepEqual(vinsOf(wrong(vin), only(...likes)), [digit]);
  assert.deepEqual(vinsOf(wrong(vin), only(...likes.slice(1))), [digit, likes[1]]);
});

test('where more is wrong, only one clean reading of a kind is a repair', () => {
  const misread = wrong('1MBGDM9AXKP042788', { codes: [1, 7] });
  assert.equal(repairOf(misread, only(right)), right);
  const swapped = wrong('1M8GDM9AXKP047288', { codes: [1, 8] });
  assert.equal(repairOf(swapped, only(right)), right);
  assert.equal(repairOf(wrong('1M8GDM9A2KP042788', { codes: [1, 8] }), only(right)), null);
  const vin = '1M8GDM9AXKP000844';
  const tried: string[] = [];
  meantBy(wrong(vin, { codes: [1, 8] }), (candidate) => tried.push(candidate) < 0);
  assert.equal(repairOf(wrong(vin, { codes: [1, 8] }), only(...tried)), null);
});

test('a repair changes one of the positions that are known to be wrong', () => {
  const misread = '1MBGDM9AXKP042788';
  const elsewhere = wrong(misread, {
    codes: [1, 5],
    wrong: [
      { position: 4, valid: 'H' },
      { position: 5, valid: 'E' },
    ],
  });
  assert.equal(repairOf(elsewhere, only(right)), right, 'the manufacturer may be what is misread');
  const serial = '1M8GDM9AXKP04Z788';
  const doubt = wrong(serial, { codes: [1, 4, 14], wrong: [{ position: 5, valid: 'EF' }] });
  assert.equal(repairOf(doubt, only(right)), null);
});

test('the manufacturer of a small series stands at positions 12 to 14 too', () => {
  const small = '1G91D8093EA004654';
  const misread = '1G91D8093EAD04654';
  assert.equal(repairOf(wrong(misread, { codes: [1, 7] }), only(small)), small);
  assert.equal(repairOf(wrong('1G81D8093EAD04654', { codes: [1, 7] }), only(small)), null);
});

test('no more than a few dozen candidates are decoded, all with a right check digit', () => {
  let decoded = 0;
  for (const vin of ['00000000000000000', 'B8S5Z2D01L6GU4AV8', '1M8GDM9A2KP042788']) {
    meantBy(wrong(vin, { codes: [1, 8] }), (candidate) => {
      decoded++;
      assert.ok(hasRightCheckDigit(candidate));
      return false;
    });
  }
  assert.ok(decoded < 50);
});

test('I, O and Q become the characters they look like', () => {
  assert.deepEqual(repairsOf('1M8GDM9AXKPO42788'), [right]);
  assert.equal(repairsOf('im8gdm9axkpo42788')[0], right, 'the plainest reading comes first');
});

test('nothing is made of a text that is hardly anything but I, O and Q', () => {
  assert.equal(repairsOf('1FMUK8DH0TGOOOOOO')[0], '1FMUK8DH0TG000000');
  assert.deepEqual(repairsOf('QQQQQQQQQQQQQQQQQ'), []);
  assert.deepEqual(repairsOf('1FMUK8DHOTGOOOOOO'), []);
});

test('where no reading of I, O and Q checks out, the plain one is offered', () => {
  assert.deepEqual(repairsOf('1M8GDM9A1KPO42788'), ['1M8GDM9A1KP042788']);
});

test('a list to choose from starts with the right check digit and holds whole VINs only', () => {
  const [first, ...rest] = repairsOf('1M8GDM9A2KP042788');
  assert.equal(first, right);
  assert.ok(rest.length <= 5);
  for (const vin of rest) assert.ok(hasRightCheckDigit(vin));
});

test('what is no seventeen letters and digits has no repairs', () => {
  for (const text of ['', 'OOO', '1M8GDM9AXKP0427-8', 'é'.repeat(17), 'O'.repeat(100_000)]) {
    assert.deepEqual(repairsOf(text), []);
  }
});
