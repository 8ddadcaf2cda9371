import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sample, withoutSamples } from '../../../test/samples.ts';
import { isVin, settleYear } from '../src/index.ts';
import { vpic } from '../../../test/decoder.ts';

const now = new Date('2026-11-01T00:00:00Z');
const SENTENCE = /The model year could also be (\d{4})\./;

// Made up, of fifty manufacturers; both years decode without errors to a model.
const AMBIGUOUS = `
  1H9UA2529KH104911 4DHKS5942VSG12673 1C9B13877T1443344 1W9DB5216L1144524 1C9LB2541TW043451
  2D9GF6543P1053038 1G9FD0607PP103851 1B9PC6933KF105502 40TUF9253MAB69441 41UBF6667VJK29730
  1S9BS5814MC253850 1W9H36706WH157211 1T9B74534JF154587 1W9FP1434LH137905 1A9Z16473J1127355
  1C9BS7936T1326015 1N9TD5081HN041921 1T9K62L13C1030416 1M9DS4080TB081841 1R9GA2976MM069258
  1M9FS0393R1306855 1N9CE0101WW118240 1K9HS5137T1094113 4MVEJ2522W7M33163 12JFS2370S1992172
  1B9FE5889TE339941 14XV7FNC4MAM75857 109TS9477TC134284 1G9EH29Z0S1036723 1D9FS1109GC063158
  11JFS7645KB197222 1N9FJ663XT1054786 1J9US4033T1084797 1C9AU2317EC138949 1F9UBEA49W1037824
  1H9GH1214R1095133 1C9PF7451SM250381 1C9F59319E1204201 1S9FS9739RS357646 1C9BP7652NL483149
  1T9PC5213J1187765 1M9WB8148WP538169 1B9RS0153J1110605 1S9F024S4LL112473 1Z9FE25C9GN108569
  1H9SA7335PR113025 4HC400G77W1K99446 1S9N11641SC098225 1UYFS8720FP614400 4KXWD9889W1J02198
`
  .trim()
  .split(/\s+/);

test('a VIN that decodes cleanly to a model in two years says so in one sentence', () => {
  assert.equal(AMBIGUOUS.length, 50);
  for (const vin of AMBIGUOUS) {
    const { vehicle, codes, warning, otherYear, repair } = vpic.decode(vin, { now });
    assert.equal(codes[0], 0, vin);
    assert.ok(vehicle?.model, vin);
    assert.equal(Math.abs(Number(vehicle?.year) - Number(otherYear)), 30, vin);
    assert.equal(SENTENCE.exec(warning ?? '')?.[1], otherYear, vin);
    assert.equal(repair, null);
  }
});

test('pickups and chassis cabs that decode in only one year have no doubt', () => {
  for (const vin of ['1B7HC13YXWJ115340', '1C6RREFT2TN422443', '1FDKF37G5TEB14834', '1GTW7FCA6E1175626']) {
    const { otherYear, warning } = vpic.decode(vin, { now });
    assert.equal(otherYear, null, vin);
    assert.doesNotMatch(warning ?? '', /model year/, vin);
  }
});

test('settleYear removes the doubt', () => {
  const [plain = ''] = AMBIGUOUS;
  const decoded = vpic.decode(plain, { now });
  const settled = settleYear(decoded, decoded.vehicle?.year);
  assert.equal(settled.warning, null);
  assert.equal(settled.otherYear, null);
  assert.deepEqual(settled.vehicle, decoded.vehicle);
  assert.equal(settleYear(decoded, Number(decoded.vehicle?.year)).warning, null);
  for (const year of [null, undefined, '2003', decoded.otherYear])
    assert.equal(settleYear(decoded, year), decoded);
  const incomplete = vpic.decode('14XV7FNC4MAM75857', { now });
  assert.equal(
    settleYear(incomplete, '2021').warning,
    'The vehicle left the factory incomplete and may have been altered since.',
  );
});

const LIVE = 'samples/vpic-live.jsonl';
const LABELS = ['samples/labels/expected.jsonl', 'samples/labels-2/readings.jsonl'];

test('at most one in a hundred real VINs has the sentence', { skip: withoutSamples(LIVE) }, () => {
  const vins = [LIVE, ...LABELS].flatMap((path) =>
    readFileSync(sample(path)!, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { VIN?: string; vin?: string; recorded?: string })
      // Those of October have made-up serial numbers.
      .filter((row) => row.recorded !== '2026-10')
      .map((row) => row.VIN ?? row.vin ?? ''),
  );
  const real = [...new Set(vins)].filter(isVin);
  assert.ok(real.length > 600, `${real.length} VINs`);
  const doubtful = real.filter((vin) => SENTENCE.test(vpic.decode(vin, { now }).warning ?? ''));
  assert.ok(doubtful.length * 100 <= real.length, doubtful.join(' '));
});
