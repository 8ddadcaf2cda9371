import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { specimens } from '../src/lookup/specimens/index.ts';
import { startHttpServer } from './http-server.ts';
import { call, ERAS, request } from './mcp-client.ts';
import { dayAgo, eventually, filesUnder, storeIn, temporaryFolder } from './operator.ts';
import { startService } from './service.ts';
import { serviceOfFile } from './simulated.ts';

/** The contact that clients send with any kind of request, and how invalid contacts are handled. */

const [{ vin }] = specimens as [(typeof specimens)[number]];
const service = await serviceOfFile();

async function routesOf(contact: string): Promise<string[]> {
  await service.runtime.contacts.flush();
  const uses = await service.runtime.store.contacts.uses('2000-01-01');
  return uses.filter((use) => use.contact === contact).map(({ route, count }) => `${route} ${count}`);
}

/** Path, and the route template it is counted under. */
const endpoints: [string, string][] = [
  [`/api/v1/vin/${vin}`, '/api/v1/vin/{vin}'],
  [`/api/v1/vin/${vin}/label`, '/api/v1/vin/{vin}/label'],
  [`/api/sticker/${vin}`, '/api/sticker/{vin}'],
  ['/', '/'],
  [`/window-sticker/${vin}`, '/window-sticker/{vin}'],
  ['/openapi.json', '/openapi.json'],
  ['/status.json', '/status.json'],
  ['/llms.txt', '/llms.txt'],
];

for (const [place, contact, headers, query] of [
  ['header', 'header@example.org', { 'x-contact': 'Header@Example.org' }, ''],
  ['query parameter', 'parameter.example', {}, '?contact=parameter.example'],
] as const)
  test(`a contact in the ${place} is counted on every endpoint, by route template`, async () => {
    for (const [requestPath] of endpoints) await service.get(requestPath + query, { headers });
    await call(service, 'get_window_sticker', { vin }, '2026-07-28', { headers, query });
    await call(service, 'decode_vin', { vin }, '2026-07-28', { headers, query });
    await request(service, '2025-11-25', 'tools/list', {}, { headers, query });
    const once = [...endpoints.map(([, route]) => route), 'get_window_sticker'].map((route) => `${route} 1`);
    assert.deepEqual(await routesOf(contact), [...once, '/mcp 2'].sort());
  });

test('the header takes precedence even if invalid, and a repeated parameter is ignored', async () => {
  const requestPath = `/api/v1/vin/${vin}`;
  await service.get(`${requestPath}?contact=loser.example`, { headers: { 'x-contact': 'winner.example' } });
  await service.get(`${requestPath}?contact=loser.example`, {
    headers: { 'x-contact': 'no contact at all' },
  });
  await service.get(`${requestPath}?contact=loser.example&contact=loser.example`);
  assert.deepEqual(await routesOf('winner.example'), ['/api/v1/vin/{vin} 1']);
  assert.deepEqual(await routesOf('loser.example'), []);
});

test('preflights and rate-limited requests are not counted', async () => {
  const headers = { 'x-contact': 'limit.example', 'x-forwarded-for': '203.0.113.9' };
  await service.get(`/api/v1/vin/${vin}`, { method: 'OPTIONS', headers });
  for (let i = 0; i < 14; i++) await service.get(`/api/v1/vin/${vin}`, { headers });
  assert.deepEqual(await routesOf('limit.example'), ['/api/v1/vin/{vin} 10']);
});

const MARKER = 'zq7mark';
const hostile = [
  `${MARKER}@b.co\r\nBcc: victim@example.org`,
  `${MARKER}@b.co%0d%0aBcc: victim@example.org`,
  `${MARKER}'; DROP TABLE contact_uses; --`,
  `${MARKER}@example.org' OR '1'='1`,
  `${MARKER}@ex\u0430mple.org`,
  `${MARKER}@\u212aia.com`,
  `\u202e${MARKER}@example.org`,
  `${MARKER}\u0000@example.org`,
  `<script>${MARKER}</script>@example.org`,
  `${MARKER}@127.0.0.1`,
  `${MARKER}@example.org, ${MARKER}2@example.org`,
  `{{${MARKER}}}`,
  `../../${MARKER}`,
  `${MARKER}@${'a.'.repeat(5000)}org`,
  MARKER.repeat(1500),
];

/** Sends the header byte for byte; `fetch` would reject most of these. */
function sendRaw(requestPath: string, contact: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.request(`${service.origin}${requestPath}`, { insecureHTTPParser: true }, (res) => {
      res.resume().on('end', () => resolve(res.statusCode!));
    });
    request.on('error', reject);
    request.setHeader('x-forwarded-for', `198.51.100.${Math.ceil(Math.random() * 250)}`);
    request.setHeader('x-contact', Buffer.from(contact.replace(/[\r\n\0]/g, ' ')).toString('latin1'));
    request.end();
  });
}

test('an invalid contact is ignored and not stored', async () => {
  const requestPath = `/api/v1/vin/${vin}`;
  const withoutContact = await (await service.get(requestPath)).text();
  for (const contact of hostile) {
    const response = await service.get(`${requestPath}?contact=${encodeURIComponent(contact)}`);
    assert.equal(response.status, 200);
    assert.equal(await response.text(), withoutContact);
    assert.equal(await sendRaw(requestPath, contact), 200, contact.slice(0, 60));
    await service.get(`/?contact=${encodeURIComponent(contact)}`);
  }
  await service.get(`${requestPath}?contact=%E0%A4%A`);
  await service.runtime.contacts.flush();
  service.runtime.log.flush();
  assert.ok(!service.logs.join('\n').includes(MARKER), 'not in the log');
  const files = filesUnder(service.dataDir);
  assert.ok(files.length > 1);
  for (const file of files)
    assert.ok(!readFileSync(file, 'latin1').includes(MARKER), `not in ${path.basename(file)}`);
});

test('contact uses older than CONTACT_DAYS are deleted when the service starts', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await storeIn(dataDir);
  t.after(() => store.close());
  const use = { contact: 'dev@example.org', route: '/', count: 1 };
  const [old, kept] = [dayAgo(32), dayAgo(28)];
  await store.contacts.add([old, kept].map((day) => ({ ...use, day })));
  const restarted = await startService({ DATA_DIR: dataDir, CONTACT_DAYS: '30' });
  t.after(() => restarted.close());
  const remaining = await eventually(
    () => store.contacts.uses('2000-01-01'),
    (uses) => uses.every(({ day }) => day !== old),
  );
  assert.deepEqual(
    remaining.map(({ day }) => day),
    [kept],
  );
});

interface AnalyticsRequest {
  body: { events: { contact: string; route: string; day: string; count: number }[] };
  headers: http.IncomingHttpHeaders;
}

test('calls of get_window_sticker are sent to analytics, without the VIN, the IP address, or calls of other tools', async (t) => {
  const received: AnalyticsRequest[] = [];
  const url = await startHttpServer(t, async (req, res) => {
    received.push({ body: (await json(req)) as AnalyticsRequest['body'], headers: req.headers });
    res.end();
  });
  const service = await startService({ ANALYTICS_URL: `${url}/collect` });
  for (const era of ERAS) {
    await call(service, 'get_window_sticker', { vin }, era, { query: '?contact=Dealer.Example' });
    await call(service, 'get_window_sticker', { vin }, era, {
      headers: { 'X-Contact': 'me@dealer.example' },
    });
    await call(service, 'get_window_sticker', { vin }, era, { query: '?contact=not%20a%20contact' });
    await call(service, 'decode_vin', { vin }, era, { query: '?contact=dealer.example' });
  }
  await service.close();
  const events = received.flatMap(({ body }) => body.events);
  const sent = events.map(({ contact, route, count }) => `${contact} ${route} ${count}`).toSorted();
  assert.deepEqual(sent, ['dealer.example get_window_sticker 2', 'me@dealer.example get_window_sticker 2']);
  for (const { headers, body } of received) {
    assert.equal(headers['x-forwarded-for'], undefined);
    assert.ok(!JSON.stringify(body).includes(vin), 'no VIN is sent with a contact');
  }
});
