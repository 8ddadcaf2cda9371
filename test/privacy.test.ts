import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { filesUnder } from './operator.ts';
import { startSimulated } from './simulated.ts';

/** Sends real traffic, then searches everything that was written for traces of the client. */

const { service } = await startSimulated();

const CLIENT_IP = '203.0.113.77';
const SECRET = 'query-secret-4711';
const AGENT = 'Curious-Browser/9.9';
const SITE = 'cars-of-somebody.example';
const VIN = '1FTEW2LP7TKE12345';
const OTHER_VIN = '1FTEW2LP9TKE12346';
const SHOWN_VIN = '1FTEW2LP1TKE12347';

test('no IP address, user agent, referrer or query string of a client is written anywhere, and no VIN is logged', async () => {
  const headers = {
    'x-forwarded-for': CLIENT_IP,
    'user-agent': AGENT,
    origin: `https://${SITE}`,
    referer: `https://${SITE}/stock`,
    'x-contact': 'dev@example.org',
  };
  const mcp = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_window_sticker', arguments: { vin: VIN } },
  };
  await service.get(`/api/v1/vin/${VIN}?secret=${SECRET}`, { headers });
  await service.get(`/api/sticker/${VIN}`, { headers });
  await service.get(`/api/v1/vin/${VIN}/label`, { headers });
  await service.get(`/window-sticker/${VIN}?secret=${SECRET}`, { headers });
  await service.get(`/api/v1/vin/nonsense?secret=${SECRET}`, { headers });
  await service.get(`/no/such/${SECRET}`, { headers });
  const json = { ...headers, 'content-type': 'application/json' };
  for (const [path, body] of [
    [`/vpic/api/vehicles/DecodeVinValues/${VIN}?secret=${SECRET}`],
    [`/compare?vins=${VIN},${OTHER_VIN}&secret=${SECRET}`],
    [`/api/v1/decode?secret=${SECRET}`, { vins: [VIN, OTHER_VIN] }],
    ['/mcp', mcp],
  ] as const) {
    const post = body && { method: 'POST', body: JSON.stringify(body) };
    assert.equal((await service.get(path, { headers: json, ...post })).status, 200, path);
  }
  for (const path of [`/embed/${SHOWN_VIN}`, `/badge/${SHOWN_VIN}.svg`, `/window-sticker/${VIN}/picture`])
    assert.equal((await service.get(path, { headers })).status, 200, path);
  for (let i = 0; i < 12; i++) await service.get(`/api/v1/vin/${VIN}`, { headers });
  await service.runtime.contacts.flush();

  const uses = await service.runtime.store.contacts.uses('2000-01-01');
  assert.ok(uses.some((use) => use.contact === 'dev@example.org' && use.route === '/api/v1/vin/{vin}'));
  assert.ok(uses.some((use) => use.route === 'get_window_sticker'));
  assert.ok(uses.every((use) => !use.route.includes(VIN)));

  const { dataDir } = service;
  await service.runtime.store.ready();
  const read = () =>
    filesUnder(dataDir).map((file) => [file, readFileSync(file).toString('latin1')] as const);
  const files = read();
  assert.ok(files.length > 1, 'there is something to search');
  service.runtime.log.flush();
  const log = service.logs.join('\n');
  assert.match(log, /"route":"\/api\/v1\/vin\/\{vin\}"/);
  for (const needle of [CLIENT_IP, AGENT, SITE, SECRET, '127.0.0.1']) {
    assert.ok(!log.includes(needle), `the log contains ${needle}`);
    for (const [file, content] of files) assert.ok(!content.includes(needle), `${file} contains ${needle}`);
  }
  for (const route of ['/vpic/api/vehicles/DecodeVinValues/{vin}', '/compare', '/api/v1/decode'])
    assert.ok(log.includes(`"route":"${route}"`), route);
  for (const vin of [VIN, OTHER_VIN, SHOWN_VIN]) assert.ok(!log.includes(vin), 'the log contains a VIN');
});
