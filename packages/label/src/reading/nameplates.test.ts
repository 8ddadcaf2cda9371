import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modelOf, nameplateIn } from './nameplates.ts';

test('the nameplate is the longest known name of the make in the line, as printed', () => {
  for (const [make, line, nameplate] of [
    ['Jeep', 'GRAND CHEROKEE L ALTITUDE 4X4', 'GRAND CHEROKEE L'],
    ['Jeep', 'GRAND CHEROKEE LIMITED 4X4', 'GRAND CHEROKEE'],
    ['Chevrolet', 'COUPE CAMARO 1LT', 'CAMARO'],
    ['Chevrolet', 'SILVERADO EV RST', 'SILVERADO EV'],
    ['Cadillac', 'CT5-V BLACKWING', 'CT5-V'],
    ['Ram', 'RAM 1500 BIG HORN QUAD CAB 4X4', 'RAM 1500'],
    ['Hyundai', 'Santa Fe Limited', 'Santa Fe'],
    ['Dodge', 'SWINGER SPECIAL EDITION', 'SWINGER'],
  ] as const)
    assert.equal(nameplateIn(line, make), nameplate, line);
});

test('a name that is not known, or only the beginning of a word, is no nameplate', () => {
  for (const [make, line] of [
    ['Cadillac', 'MADEUP LUXURY'],
    ['Chevrolet', 'CAMAROS'],
    ['Dodge', 'CAMARO SS'],
    ['Porsche', '911 CARRERA'],
  ] as const)
    assert.equal(nameplateIn(line, make), null, line);
});

test('the model is the nameplate, once, and the description without its year', () => {
  assert.equal(modelOf('MUSTANG', '2025 GT COUPE PREMIUM'), 'MUSTANG GT COUPE PREMIUM');
  assert.equal(modelOf('F-150', '2025 F-150 4X4 SUPERCREW'), 'F-150 4X4 SUPERCREW');
  assert.equal(modelOf('F-150', '2025 F-150LIGHTNING'), 'F-150 F-150LIGHTNING');
  assert.equal(modelOf(null, '2020 MODEL YEAR GIULIA'), 'GIULIA');
});
