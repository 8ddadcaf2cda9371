import assert from 'node:assert/strict';
import { test } from 'node:test';
import { companyName, inWords, joinWithAnd, money, signedMoney, titleCase, withArticle } from './words.ts';

test('money has cents only where there are some', () => {
  assert.equal(money(6_472_500), '$64,725');
  assert.equal(money(6_472_550), '$64,725.50');
  assert.equal(money(-44_500), '−$445');
  assert.equal(signedMoney(38_500), '+$385');
  assert.equal(signedMoney(-109_500), '−$1,095');
  assert.equal(signedMoney(0), '$0');
});

test('small counts and lists are written in words', () => {
  assert.equal(inWords(2), 'two');
  assert.equal(inWords(20), 'twenty');
  assert.equal(inWords(21), '21');
  assert.equal(joinWithAnd(['Ford', 'Kia', 'Jeep']), 'Ford, Kia and Jeep');
  assert.equal(joinWithAnd(['Ford']), 'Ford');
});

test('a noun gets the article that people say', () => {
  for (const noun of [
    'a Ford',
    'an Audi',
    'an Infiniti',
    'a 2018 Honda',
    'an SUV',
    'an MG',
    'an FCA',
    'a four-door sedan',
  ])
    assert.equal(withArticle(noun.replace(/^an? /, '')), noun);
});

test('makes and companies are capitalized as they write themselves', () => {
  for (const name of ['McLaren', 'KTM', 'VinFast', 'AM General', 'BMW', 'Kia', 'Ram', 'Mercedes-Benz'])
    assert.equal(titleCase(name.toUpperCase()), name);
  for (const name of ['Nissan Motor Company, Ltd', 'FCA US LLC', 'Nissan Mexicana, S.A. de C.V.'])
    assert.equal(companyName(name.toUpperCase()), name);
});
