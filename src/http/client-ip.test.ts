import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClientIpOf } from './client-ip.ts';

const direct = createClientIpOf([]);
const proxied = createClientIpOf(['10.0.0.0/8', '192.0.2.7', '2001:db8:ffff::/48']);
const CLIENT = '198.51.100.1';

test('a client is an IPv4 address or an IPv6 /64, however it is written', () => {
  for (const [address, client] of [
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0db8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8:1:3::1', '2001:db8:1:3'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ] as const)
    assert.equal(direct(address, {}), client);
});

test('forwarding headers count only from trusted proxies, and the right-most untrusted hop is the client', () => {
  assert.equal(direct('203.0.113.9', { 'x-forwarded-for': CLIENT }), '203.0.113.9');
  for (const [peer, hops, client] of [
    ['203.0.113.9', CLIENT, '203.0.113.9'],
    ['10.1.2.3', CLIENT, CLIENT],
    ['::ffff:10.1.2.3', `6.6.6.6, ${CLIENT}, 10.9.9.9`, CLIENT],
    ['192.0.2.7', `6.6.6.6 ,${CLIENT}:4711`, CLIENT],
    ['2001:db8:ffff::1', '[2001:db8:5:6::1]:80', '2001:db8:5:6'],
    // If all hops are trusted, the first one.
    ['10.1.2.3', '10.5.5.5, 10.6.6.6', '10.5.5.5'],
    // If a hop is a name or malformed, the nearest valid one.
    ...['unknown', '_hidden', '', '999.1.1.1', '1.2.3', '[::1', '"'].map(
      (hop) => ['10.1.2.3', `6.6.6.6, ${hop}`, '10.1.2.3'] as const,
    ),
  ] as const)
    assert.equal(proxied(peer, { 'x-forwarded-for': hops }), client, hops);
});

test('Forwarded is ignored: it may be what the client sent', () => {
  for (const forwarded of ['for=6.6.6.6', 'for=_hidden', '']) {
    assert.equal(proxied('10.1.2.3', { 'x-forwarded-for': CLIENT, forwarded }), CLIENT);
    assert.equal(proxied('10.1.2.3', { forwarded }), '10.1.2.3');
  }
});
