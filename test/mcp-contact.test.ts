import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ERAS, request, call } from './mcp-client.ts';
import { startService } from './service.ts';

/** Contacts given with MCP requests: counted in the store and sent to the analytics service. */

const STORED_VIN = '1FMUK8DH0TG000000';

interface AnalyticsRequest {
  body: { events: { contact: string; route: string; day: string; count: number }[] };
  headers: http.IncomingHttpHeaders;
}

async function startAnalytics() {
  const received: AnalyticsRequest[] = [];
  const server = http.createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    req.on('end', () => {
      received.push({ body: JSON.parse(text) as AnalyticsRequest['body'], headers: req.headers });
      res.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/collect`;
  return { url, received, close: () => server.close() };
}

test('a contact in the URL or in X-Contact is counted; get_window_sticker calls are sent to analytics', async () => {
  const analytics = await startAnalytics();
  const service = await startService({ ANALYTICS_URL: analytics.url });
  const args = { vin: STORED_VIN };
  let uses;
  try {
    for (const era of ERAS) {
      await call(service, 'get_window_sticker', args, era, { query: '?contact=Dealer.Example' });
      await call(service, 'get_window_sticker', args, era, { headers: { 'X-Contact': 'me@dealer.example' } });
      await call(service, 'decode_vin', args, era, { query: '?contact=dealer.example' });
      await request(service, era, 'tools/list', {}, { headers: { 'X-Contact': 'dealer.example' } });
      // The header takes precedence, and invalid contacts are ignored.
      await call(service, 'get_window_sticker', args, era, {
        query: '?contact=loser.example',
        headers: { 'X-Contact': 'dealer.example' },
      });
      await call(service, 'get_window_sticker', args, era, { query: '?contact=not%20a%20contact' });
      await call(service, 'get_window_sticker', args, era);
    }
    await service.runtime.contacts.flush();
    uses = await service.runtime.store.contacts.uses('2000-01-01');
  } finally {
    await service.close();
    analytics.close();
  }
  const counted = uses.map(({ contact, route, count }) => `${contact} ${route} ${count}`).toSorted();
  assert.deepEqual(counted, [
    'dealer.example /mcp 4',
    'dealer.example get_window_sticker 4',
    'me@dealer.example get_window_sticker 2',
  ]);
  const events = analytics.received.flatMap(({ body }) => body.events);
  const sent = events.map(({ contact, route, count }) => `${contact} ${route} ${count}`).toSorted();
  assert.deepEqual(sent, ['dealer.example get_window_sticker 4', 'me@dealer.example get_window_sticker 2']);
  for (const { headers, body } of analytics.received) {
    assert.equal(headers['x-forwarded-for'], undefined);
    assert.ok(!JSON.stringify(body).includes(STORED_VIN), 'no VIN is sent with a contact');
  }
});
