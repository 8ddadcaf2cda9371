import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { recipientsOf } from '../src/contacts/notices.ts';
import { openUnsubscribeLinks } from '../src/contacts/unsubscribe.ts';
import { specimens } from '../src/lookup/specimens/index.ts';
import { post, message } from './mcp-client.ts';
import { dayAgo, eventually, temporaryFolder, storeIn, filesUnder } from './operator.ts';
import { startService, type Service } from './service.ts';

/** The contact that clients send with any kind of request, and how invalid contacts are handled. */

const [{ vin }] = specimens as [(typeof specimens)[number]];
let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

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

test('a contact in the header is counted on every endpoint, by route template', async () => {
  const headers = { 'x-contact': 'Header@Example.org' };
  for (const [requestPath] of endpoints) await service.get(requestPath, { headers });
  const call = message('2025-11-25', 'tools/call', { name: 'get_window_sticker', arguments: { vin } });
  await post(service, call.body, { headers: { ...call.headers, ...headers } });
  const list = message('2025-11-25', 'tools/list');
  await post(service, list.body, { headers: { ...list.headers, ...headers } });
  assert.deepEqual(
    await routesOf('header@example.org'),
    [...endpoints.map(([, route]) => route), 'get_window_sticker', '/mcp']
      .map((route) => `${route} 1`)
      .sort(),
  );
});

test('a contact in the query parameter is counted in the same way', async () => {
  for (const [requestPath] of endpoints) await service.get(`${requestPath}?contact=parameter.example`);
  const call = message('2026-07-28', 'tools/call', { name: 'get_window_sticker', arguments: { vin } });
  await post(service, call.body, { headers: call.headers, query: '?contact=parameter.example' });
  assert.deepEqual(
    await routesOf('parameter.example'),
    [...endpoints.map(([, route]) => route), 'get_window_sticker'].map((route) => `${route} 1`).sort(),
  );
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

test('a notice’s link unsubscribes with one click, and a forged link does not', async () => {
  const { store, contacts } = service.runtime;
  await service.get(`/api/v1/vin/${vin}`, { headers: { 'x-contact': 'click+1@example.org' } });
  await contacts.flush();
  const isRecipient = async () =>
    (await recipientsOf(store.contacts, '2000-01-01', () => true)).includes('click+1@example.org');
  const link = new URL(
    await (await openUnsubscribeLinks(store, service.origin, Date.now)).link('click+1@example.org'),
  );
  const click = (search: string) =>
    service.get(`/unsubscribe${search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    });
  assert.equal((await service.get(`/unsubscribe${link.search}`)).status, 200);
  assert.ok(await isRecipient(), 'viewing the page does not unsubscribe');
  assert.equal((await click(link.search.replace('click', 'other'))).status, 400);
  assert.ok(await isRecipient());
  assert.equal((await click(link.search)).status, 200);
  assert.ok(!(await isRecipient()));
});

test('contact uses older than CONTACT_DAYS are deleted when the service starts', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await storeIn(dataDir);
  t.after(() => store.close());
  const use = { contact: 'dev@example.org', route: '/', count: 1 };
  await store.contacts.add([dayAgo(32), dayAgo(28)].map((day) => ({ ...use, day })));
  const restarted = await startService({ DATA_DIR: dataDir, CONTACT_DAYS: '30' });
  const remaining = await eventually(
    async () => store.contacts.uses('2000-01-01'),
    (uses) => uses.length === 1,
  );
  assert.equal(remaining[0]!.day, dayAgo(28));
  await restarted.close();
});
