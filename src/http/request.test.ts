import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextRequestId, parameters, preferredWaitSeconds, withoutBrokenEscapes } from './request.ts';

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

test("the client's request id is used if it is well-formed and can't be an address", () => {
  const idOf = (given: string) => nextRequestId({ headers: { 'x-request-id': given } });
  for (const id of ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', 'A_1', 'x'.repeat(128)])
    assert.equal(idOf(id), id);
  for (const id of ['', 'a b', '203.0.113.9', '2001:db8::1', 'me@example.org', '<b>', 'x'.repeat(129)])
    assert.match(idOf(id), /^[0-9a-z]{6}-[0-9a-z]{7}$/);
});

test('Prefer: wait is parsed as RFC 7240 says, and other values are ignored', () => {
  for (const [field, seconds] of [
    [undefined, null],
    ['wait=5', 5],
    ['wait=0', 0],
    ['respond-async, wait=10', 10],
    ['WAIT = "7"', 7],
    ['wait=3; foo=bar, wait=9', 3],
    ['wait=300', 20],
    ['wait=-1', null],
    ['wait=1.5', null],
    ['wait', null],
    ['await=5', null],
    ['handling=lenient', null],
  ] as const)
    assert.equal(preferredWaitSeconds(field), seconds, field);
});
