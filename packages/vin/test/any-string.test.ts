// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/property.ts';
import { isVin, parseVin, repairsOf, tidyVin } from '../src/index.ts';
import { isLong } from '../../../test/size.ts';
import { vpic } from '../../../test/decoder.ts';

const RUNS = isLong ? 10_000 : 2_000;
const now = new Date('2026-11-01T00:00:00Z');
const anyText = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: 'binary', maxLength: 100 }) },
  {
    weight: 2,
    arbitrary: fc.string({ unit: fc.constantFrom(...'0123456789ABCDEFGHJKLMNPRSTUVWXYZ'), maxLength: 100 }),
  },
  {
    weight: 2,
    arbitrary: fc.string({
      unit: fc.constantFrom(...'0123456789abcIOQioq -é\u0000\ud800'),
      minLength: 15,
      maxLength: 19,
    }),
  },
);
const seventeen = fc.string({
  unit: fc.constantFrom(...'0123456789ABCDEFGHJKLMNPRSTUVWXYZ'),
  minLength: 17,
  maxLength: 17,
});

test('strings of any kind give a VIN or a typed reason', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const parsed = parseVin(text);
      if (parsed.ok) {
        assert.ok(isVin(parsed.vin));
        assert.equal(vpic.decode(parsed.vin, { now }).vin, parsed.vin);
        return;
      }
      assert.ok(['empty', 'length', 'character'].includes(parsed.reason));
      assert.ok(parsed.message.length > 10 && parsed.message.length < 300);
      assert.match(parsed.message, /^[ -~]+$/);
    }),
    { numRuns: RUNS },
  );
});

test('the decoder survives strings of any kind', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const decoded = vpic.decode(text, { now });
      if (!parseVin(text).ok) assert.ok(decoded.warning && !/undefined/.test(decoded.warning));
    }),
    { numRuns: RUNS },
  );
});

test('a warning names only the VIN that was probably meant', () => {
  const serials = fc.string({
    unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
    minLength: 3,
    maxLength: 5,
  });
  fc.assert(
    fc.property(serials, (serial) => {
      const { warning, repair } = vpic.decode(`1FMUK8DH0TG00${serial}`, { now });
      const [, named = null] = /Did you mean ([A-Z0-9]{17})/.exec(warning ?? '') ?? [];
      assert.equal(named, repair);
    }),
    { numRuns: RUNS },
  );
});

test('lower case is accepted, a shorter VIN is partial, a longer one is invalid', () => {
  const vin = '1M8GDM9AXKP042788';
  assert.deepEqual(vpic.decode(vin.toLowerCase(), { now }), vpic.decode(vin, { now }));
  for (const text of [`${vin}0`, vin.slice(0, 16), '']) {
    const { vehicle, warning } = vpic.decode(text, { now });
    assert.equal(vehicle?.make ?? null, text.length === 16 ? 'MOTOR COACH INDUSTRIES' : null);
    assert.match(warning ?? '', /17/);
  }
});

test('tidyVin and repairsOf never throw', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      assert.equal(tidyVin(tidyVin(text)), tidyVin(text));
      for (const vin of repairsOf(text)) assert.ok(isVin(vin));
    }),
    { numRuns: RUNS },
  );
});

test('every well-formed VIN decodes to codes, with a warning if something is wrong', () => {
  fc.assert(
    fc.property(seventeen, (vin) => {
      const full = vpic.decodeFull(vin, { now });
      assert.equal(full.vin, vin);
      assert.ok(full.codes.length > 0);
      assert.equal(full.vehicle === null, full.codes.includes(7));
      if (full.codes.some((code) => code > 0 && code !== 14)) assert.ok(full.warning);
      assert.doesNotMatch(full.warning ?? '', /undefined|null|NaN/);
      assert.match(full.suggested ?? vin, /^[A-Z0-9_!]{17}$/);
      if (full.repair) assert.ok(isVin(full.repair));
    }),
    { numRuns: RUNS },
  );
});
