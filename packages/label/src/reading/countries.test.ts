import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endsInCountry, isCountry } from './countries.ts';

test('countries as labels print them', () => {
  for (const name of [
    'UNITED STATES',
    'U.S.A.',
    'USA',
    'MX',
    'KOREA',
    'South Korea',
    'Czech Republic',
    'ÉTATS-UNIS',
    'ETATS UNIS',
    'Mexique',
    'JAPAN/UNITED STATES',
    'Canada and Mexico',
    'Bosnia & Herzegovina',
  ])
    assert.ok(isCountry(name), name);
  for (const name of ['', 'FLEET SPECIAL', 'UNITED STATES 7', 'KOREA HOUSTON, TX', 'N/A', '0123456'])
    assert.ok(!isCountry(name), name);
});

test('a place is a town and its country', () => {
  for (const place of [
    'LANSING, MI U.S.A.',
    'ULSAN, KOREA',
    'STERLING HTS, MICH., U.S.A.',
    'Oshawa, ON Canada',
  ])
    assert.ok(endsInCountry(place), place);
  for (const place of ['U.S.A.', 'FLEET SPECIAL', 'HOUSTON, TX', 'ULSAN, KOREA DEMO', 'ULSAN, KOREA 7'])
    assert.ok(!endsInCountry(place), place);
});
