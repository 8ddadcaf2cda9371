import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parameters, withoutBrokenEscapes } from './request.ts';

const PIECES = [
  'a',
  'vin',
  '%',
  '%2',
  '%zz',
  '%20',
  '%41',
  '%c3%a9',
  '%c3',
  '%a9',
  '%ff',
  '%ed%a0%80',
  '%f0%9f%9a%97',
];

/** Every combination of up to three pieces. */
function* texts(): Generator<string> {
  const upToThree = [...PIECES, ''];
  for (const a of upToThree) for (const b of upToThree) for (const c of upToThree) yield a + b + c;
}

function decodeURIComponentOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

test('parameters are decoded as decodeURIComponent does, without its exceptions', () => {
  for (const text of texts()) {
    const expected = decodeURIComponentOrNull(text);
    assert.deepEqual(parameters(`x=%&name=${text}`, 'name'), [expected], text);
    assert.equal(parameters(`${text}=1`, 'vin').length, expected === 'vin' ? 1 : 0, text);
  }
  assert.deepEqual(parameters('n%61me=a+b&%6eame=c', 'name'), ['a b', 'c']);
  const single = {
    'name=a': ['a'],
    'name=a=b': ['a=b'],
    'name=': [''],
    name: [''],
    'names=a': [],
    'x=name=a': [],
  };
  for (const [query, values] of Object.entries(single))
    assert.deepEqual(parameters(query, 'name'), values, query);
});

test('broken percent-encoding is escaped, and everything else stays as it is', () => {
  for (const text of texts()) {
    const repaired = withoutBrokenEscapes(text);
    assert.notEqual(decodeURIComponentOrNull(repaired), null, text);
    if (decodeURIComponentOrNull(text) !== null) assert.equal(repaired, text);
  }
  assert.equal(withoutBrokenEscapes('/find?q=100%&vin=a%20b'), '/find?q=100%25&vin=a%20b');
});
