import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createClientIpOf } from './client-ip.ts';

const direct = createClientIpOf([]);
const proxied = createClientIpOf(['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48']);

test('without trusted proxies, forwarding headers are ignored', () => {
  assert.equal(direct('203.0.113.9', { 'x-forwarded-for': '198.51.100.1' }), '203.0.113.9');
});

test('an IPv4-mapped IPv6 address counts as the IPv4 address', () => {
  assert.equal(direct('::ffff:203.0.113.9', {}), '203.0.113.9');
  assert.equal(direct('::ffff:cb00:7109', {}), '203.0.113.9');
});

test('an IPv6 client is identified by its /64, however it is written', () => {
  assert.equal(direct('2001:db8:1:2:3:4:5:6', {}), '2001:db8:1:2');
  assert.equal(direct('2001:0db8:0001:0002::9', {}), '2001:db8:1:2');
  assert.equal(direct('2001:db8::1', {}), '2001:db8:0:0');
  assert.equal(direct('fe80::1%eth0', {}), 'fe80:0:0:0');
});

test('forwarding headers from an untrusted peer are ignored', () => {
  assert.equal(proxied('203.0.113.9', { 'x-forwarded-for': '198.51.100.1' }), '203.0.113.9');
});

test('behind a trusted proxy, the right-most untrusted hop is the client', () => {
  assert.equal(proxied('10.1.2.3', { 'x-forwarded-for': '198.51.100.1' }), '198.51.100.1');
  assert.equal(
    proxied('::ffff:10.1.2.3', { 'x-forwarded-for': '6.6.6.6, 198.51.100.1, 10.9.9.9' }),
    '198.51.100.1',
  );
  assert.equal(proxied('192.0.2.7', { 'x-forwarded-for': '6.6.6.6 ,198.51.100.1:4711' }), '198.51.100.1');
  assert.equal(proxied('2001:db8:ffff::1', { 'x-forwarded-for': '[2001:db8:5:6::1]:80' }), '2001:db8:5:6');
});

test('Forwarded is ignored: it may be what the client sent', () => {
  for (const forwarded of ['for=6.6.6.6', 'for=_hidden', '']) {
    assert.equal(proxied('10.1.2.3', { 'x-forwarded-for': '198.51.100.1', forwarded }), '198.51.100.1');
    assert.equal(proxied('10.1.2.3', { forwarded }), '10.1.2.3');
  }
});

test('if a hop is a name or malformed, the nearest valid hop is the client', () => {
  for (const hop of ['unknown', '_hidden', '', '999.1.1.1', '1.2.3', '[::1', '"']) {
    assert.equal(proxied('10.1.2.3', { 'x-forwarded-for': `6.6.6.6, ${hop}` }), '10.1.2.3', hop);
  }
});

test('if all hops are trusted, the first one is the client', () => {
  assert.equal(proxied('10.1.2.3', { 'x-forwarded-for': '10.5.5.5, 10.6.6.6' }), '10.5.5.5');
});

test('IP addresses of one /64 count as one client, of two as two', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      assert.ok(direct(address, {}).length <= 19);
    }),
  );
  assert.notEqual(direct('2001:db8:1:2::1', {}), direct('2001:db8:1:3::1', {}));
});
