import assert from 'node:assert/strict';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { test } from 'node:test';
import { isPublicIp, PrivateIpError, publicIpLookup, type Resolved } from './public-ip.ts';

test('loopback, private and cloud-internal IP addresses are not public', () => {
  for (const address of [
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.169.254',
    '168.63.129.16',
    '198.18.0.1',
    '192.0.2.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'ff02::1',
    'fec0::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001::1',
    '2620:4f:8000::1',
  ]) {
    assert.equal(isPublicIp(address), false, address);
  }
});

test('a private IPv4 address stays private when written as IPv6', () => {
  for (const address of [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    '::ffff:10.0.0.1',
    '::ffff:168.63.129.16',
    '::127.0.0.1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::1',
  ]) {
    assert.equal(isPublicIp(address), false, address);
  }
});

test('internet IP addresses are public; text that is no IP address is not', () => {
  for (const address of [
    '8.8.8.8',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ]) {
    assert.equal(isPublicIp(address), true, address);
  }
  for (const text of ['', 'localhost', '8.8.8', '1.2.3.4.5', '0x7f000001']) {
    assert.equal(isPublicIp(text), false, text);
  }
});

function lookUp(answers: Resolved[][], options: LookupOptions = {}) {
  let lookups = 0;
  const lookup = publicIpLookup(async () => answers[lookups++] ?? []);
  return new Promise<{ error: Error | null; found: string | LookupAddress[]; lookups: () => number }>(
    (done) => {
      lookup('www.example.com', options, (error, found) => done({ error, found, lookups: () => lookups }));
    },
  );
}

test('connects to the IP address that was checked, after a single DNS lookup', async () => {
  const first = [{ address: '8.8.8.8', family: 4 }];
  const { error, found, lookups } = await lookUp([first, [{ address: '127.0.0.1', family: 4 }]]);
  assert.equal(error, null);
  assert.equal(found, '8.8.8.8');
  assert.equal(lookups(), 1);
});

test('one private IP address among public ones rejects the host name', async () => {
  const mixed = [
    { address: '8.8.8.8', family: 4 },
    { address: '::1', family: 6 },
  ];
  const { error } = await lookUp([mixed], { all: true });
  assert.ok(error instanceof PrivateIpError);
});

test('a host name without IP addresses, or one that cannot be resolved, is an error', async () => {
  assert.equal((await lookUp([])).error?.message, 'www.example.com has no IP address');
  const lookup = publicIpLookup(() => Promise.reject(new Error('no name server')));
  const error = await new Promise((done) => lookup('www.example.com', {}, done));
  assert.match(String(error), /no name server/);
});
