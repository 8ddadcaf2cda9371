// lane: service
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import {
  checkDigit,
  isVin,
  loadBundled,
  type Decoded,
  type DecodedColumn,
  type DecodeOptions,
} from '../src/index.ts';
import { hasRightCheckDigit } from '../src/check-digit.ts';
import { readRelease } from '../src/reader.ts';
import { sample, withoutSamples } from '../../../test/samples.ts';
import { isLong } from '../../../test/size.ts';
import { vpic } from '../../../test/decoder.ts';

const now = new Date('2026-11-01T00:00:00Z');
const DECODES = 'samples/vpic-decodes.jsonl.gz';
const FULL = 'samples/vpic-decodes-full.jsonl.gz';

const linesOf = (text: string) => text.trim().split('\n');
const vins = linesOf(readFileSync(new URL('vins.jsonl', import.meta.url), 'utf8')).map(
  (line) => (JSON.parse(line) as { vin: string }).vin,
);
const odd = ['', 'X', '5UXWX7C5*BA', '1m8gdm9axkp042788', '12345678901234567890', '1FTMW1T88MFAO0001'];

function vehicleFields(decoded: Decoded): Record<string, string | null> {
  const { vehicle, codes, suggested, warning, repair, otherYear } = decoded;
  const { engine, ...fields } = vehicle ?? { engine: {} };
  return { ...fields, ...engine, codes: codes.join(','), suggested, warning, repair, otherYear };
}
const FIELDS = Object.keys(vehicleFields(vpic.decode('1M8GDM9AXKP042788')));
const ELEMENTS = Object.keys(vpic.values('')).filter((code) => code !== 'VIN');

/** The rows that the columns stand for. */
function rows(list: string[], fields: string[], options: DecodeOptions): Record<string, string | null>[] {
  const columns = vpic.columns(fields, options)(list);
  return list.map((_, row) =>
    Object.fromEntries(
      fields.map((field, index) => {
        const { indexes, values } = columns[index]!;
        return [field, values[indexes[row]!]!];
      }),
    ),
  );
}

function assertAlike(list: string[], options: DecodeOptions): void {
  const all = rows(list, [...FIELDS, ...ELEMENTS], options);
  const brief = rows(list, FIELDS, options);
  list.forEach((vin, row) => {
    const fields = vehicleFields(vpic.decode(vin, options));
    const elements = vpic.values(vin, options);
    const orNull = (from: Record<string, string | null>, names: string[]) =>
      names.map((name) => `${name}: ${from[name] || null}`).join('\n');
    assert.equal(orNull(brief[row]!, FIELDS), orNull(fields, FIELDS), vin);
    assert.equal(orNull(all[row]!, FIELDS), orNull(fields, FIELDS), vin);
    assert.equal(orNull(all[row]!, ELEMENTS), orNull(elements, ELEMENTS), vin);
  });
}

test('columns have the values of decode and of NHTSA’s flat responses', () => {
  assertAlike([...vins, ...odd], { now });
  assertAlike([...vins, ...odd], { now, modelYear: 2011 });
});

test('so they do for recorded VINs', { skip: withoutSamples(DECODES) }, () => {
  const recorded = [DECODES, FULL].flatMap((path) =>
    linesOf(gunzipSync(readFileSync(sample(path)!)).toString()).map(
      (line) => (JSON.parse(line) as { VIN: string }).VIN,
    ),
  );
  assertAlike(
    recorded.filter((_, index) => isLong || index % 10 === 0),
    { now },
  );
});

test('cars of a kind that was decoded before have values of their own', () => {
  const withSerial = (vin: string, serial: string): string => {
    const other = vin.slice(0, 17 - serial.length) + serial;
    return other.slice(0, 8) + (checkDigit(other) ?? '0') + other.slice(9);
  };
  const exceptions = [...readRelease(loadBundled().data).exceptions()];
  const known = [...vins, ...exceptions.filter((vin, index) => index % 500 === 0 || hasRightCheckDigit(vin))];
  const list = known
    .filter(isVin)
    .flatMap((vin) => [withSerial(vin, '10001'), vin, withSerial(vin, '90002'), `${vin.slice(0, 12)}10001`]);
  assertAlike(list, { now });
  // Later calls know the kinds of earlier ones.
  const fields = [...FIELDS, ...ELEMENTS];
  const decode = vpic.columns(fields, { now });
  const texts = (columns: DecodedColumn[]) =>
    columns.map(({ indexes, values }) => Array.from(indexes, (index) => values[index]));
  const [first, again] = [texts(decode(list)), texts(decode(list))];
  assert.deepEqual(again, first);
});

test('a VIN that is null has no values, and an unknown field is an error', () => {
  const [make] = vpic.columns(['make'], { now })([null, '1M8GDM9AXKP042788', null]);
  assert.deepEqual(make, { indexes: Uint16Array.of(0, 1, 0), values: [null, 'MOTOR COACH INDUSTRIES'] });
  assert.throws(() => vpic.columns(['colour']), /^RangeError: There is no field "colour"\.$/);
});

test('more VINs than 16 bits can count have wider indexes', () => {
  const many = Array.from({ length: 65_536 }, () => null);
  assert.ok(vpic.columns(['make'])(many.slice(1))[0]!.indexes instanceof Uint16Array);
  assert.ok(vpic.columns(['make'])(many)[0]!.indexes instanceof Uint32Array);
});
