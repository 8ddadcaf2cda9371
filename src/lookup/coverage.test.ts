import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sources } from '../makers/index.ts';
import { matchMake } from './coverage.ts';

const makesOf = (text: string) => {
  const meant = matchMake(text, sources);
  return meant.kind === 'covered'
    ? meant.makes.join(', ')
    : meant.kind === 'unknown'
      ? '?'
      : `not ${meant.name}`;
};

const cases: [string, string][] = [
  ['Ford', 'FORD'],
  [' JEEP ', 'JEEP'],
  ['alfa romeo', 'ALFA ROMEO'],
  ['Alfa-Romeo', 'ALFA ROMEO'],
  ['AlfaRomeo', 'ALFA ROMEO'],
  ['alfa', 'ALFA ROMEO'],
  ['chevy', 'CHEVROLET'],
  ['Chevy trucks', 'CHEVROLET'],
  ['GM', 'CHEVROLET, GMC, BUICK, CADILLAC'],
  ['General Motors', 'CHEVROLET, GMC, BUICK, CADILLAC'],
  ['GMC', 'GMC'],
  ['RAM Trucks', 'RAM'],
  ['Dodge Ram', 'DODGE, RAM'],
  ['Stellantis', 'JEEP, RAM, DODGE, CHRYSLER, FIAT, ALFA ROMEO'],
  ['FCA', 'JEEP, RAM, DODGE, CHRYSLER, FIAT, ALFA ROMEO'],
  ['Ford Motor Company', 'FORD'],
  ['Toyota Motor North America', 'TOYOTA'],
  ['Hyundai Motor America', 'HYUNDAI'],
  ['Ford F-150', 'FORD'],
  ['hummer', 'GMC'],
  ['Chevorlet', 'CHEVROLET'],
  ['chrystler', 'CHRYSLER'],
  ['hundai', 'HYUNDAI'],
  ['Hunday', 'HYUNDAI'],
  ['Honday', 'not Honda'],
  ['Subura', 'SUBARU'],
  ['Sonic', '?'],
  ['Infinity', 'INFINITI'],
  ['Niss an', 'NISSAN'],
  ['vw', 'not Volkswagen'],
  ['Mercedes', 'not Mercedes-Benz'],
  ['mercedes benz', 'not Mercedes-Benz'],
  ['Honda', 'not Honda'],
  ['Hoonda', 'not Honda'],
  ['Land Rover', 'not Land Rover'],
  ['Lotus', 'not Lotus'],
  ['Mini Cooper', 'not MINI'],
  ['Silverado', '?'],
  ['', '?'],
  ['👾', '?'],
];

for (const [text, wanted] of cases)
  test(`"${text}" means ${wanted}`, () => assert.equal(makesOf(text), wanted));

test('every covered make and company is found by its own name', () => {
  for (const { name, makes } of sources) {
    assert.equal(matchMake(name, sources).kind, 'covered', name);
    for (const make of makes) assert.equal(makesOf(make), make);
  }
});
