import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import test from 'node:test';
import { isOneHost, neededHeaders } from './needed.ts';

const WHOLE = { whole: 'yes' };
const of = (...rawHeaders: string[]) =>
  neededHeaders({ rawHeaders, headers: WHOLE } as unknown as IncomingMessage);

test('what a browser sends besides is not looked at', () => {
  const { hosts, headers } = of('Host', 'a', 'Accept', '*/*', 'User-Agent', 'b', 'Sec-Fetch-Mode', 'cors');
  assert.equal(hosts, 1);
  assert.deepEqual(headers, {});
});

test('the hops of one proxy header are taken as they are, of two as Node joins them', () => {
  assert.deepEqual(of('host', 'a', 'x-forwarded-for', '192.0.2.1').headers, {
    'x-forwarded-for': '192.0.2.1',
  });
  assert.deepEqual(of('HOST', 'a', 'X-FORWARDED-FOR', '192.0.2.1').headers, {
    'x-forwarded-for': '192.0.2.1',
  });
  assert.equal(of('X-Forwarded-For', '192.0.2.1', 'x-forwarded-for', '192.0.2.2').headers, WHOLE);
});

test('whatever the API looks at is there, however it is written', () => {
  for (const name of ['If-None-Match', 'if-match', 'RANGE', 'If-Range', 'X-Contact', 'Forwarded'])
    assert.equal(of('Host', 'a', 'X-Forwarded-For', '192.0.2.1', name, 'x').headers, WHOLE, name);
  for (const name of ['If-Modified-Since', 'if-unmodified-since'])
    assert.equal(of('Host', 'a', name, 'x').headers, WHOLE, name);
});

test('a request has one Host; only HTTP/1.0 may go without', () => {
  assert.ok(isOneHost(of('Host', 'a'), '1.1'));
  assert.ok(isOneHost(of(), '1.0'));
  assert.ok(!isOneHost(of(), '1.1'));
  assert.ok(!isOneHost(of('Host', 'a', 'hOsT', 'a'), '1.1'));
});
