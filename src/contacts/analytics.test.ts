import assert from 'node:assert/strict';
import http from 'node:http';
import test, { type TestContext } from 'node:test';
import type { Config } from '../config.ts';
import { createLog } from '../lib/log.ts';
import { createMetrics } from '../lib/metrics.ts';
import { listen } from '../lib/testing.ts';
import { openAnalytics } from './analytics.ts';

interface Seen {
  headers: http.IncomingHttpHeaders;
  body: unknown;
}

/** An analytics service on a free port that records requests and responds with `respond`. */
async function service(t: TestContext, respond: (res: http.ServerResponse) => void) {
  // A busy machine may take longer than what is sent last is waited for.
  t.mock.timers.reset();
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const seen: Seen[] = [];
  const server = http.createServer((req, res) => {
    let text = '';
    req.setEncoding('utf8').on('data', (part: string) => (text += part));
    req.on('end', () => {
      seen.push({ headers: req.headers, body: JSON.parse(text) });
      respond(res);
    });
  });
  return { seen, url: `http://127.0.0.1:${await listen(t, server)}/api/event` };
}

function open(analyticsUrl: string, more: Partial<Config> = {}) {
  const lines: string[] = [];
  const metrics = createMetrics();
  const config = {
    analyticsUrl,
    analyticsKind: 'json',
    analyticsSite: null,
    baseUrl: 'https://labels.example',
    ...more,
  } as const;
  const log = createLog('warn', (text) => lines.push(...text.trimEnd().split('\n')));
  return { analytics: openAnalytics(config, { log, metrics, now: Date.now })!, metrics, lines };
}

const event = { contact: 'dev@example.org', route: '/api/v1/vin/{vin}', day: '2026-11-15' };
const accepted = (res: http.ServerResponse) => res.writeHead(202).end('ok');

test('json: one request with all counts, and headers that reveal nothing about the client', async (t) => {
  const { seen, url } = await service(t, accepted);
  const { analytics } = open(url);
  analytics.send(event);
  analytics.send(event);
  analytics.send({ ...event, route: 'get_window_sticker' });
  await analytics.close();
  assert.deepEqual(seen[0]!.body, {
    events: [
      { ...event, count: 2 },
      { ...event, route: 'get_window_sticker', count: 1 },
    ],
  });
  assert.equal(seen.length, 1);
  const { headers } = seen[0]!;
  assert.equal(headers['content-type'], 'application/json');
  assert.match(headers['user-agent']!, /^Monroney\/1\.0 /);
  const revealing = Object.keys(headers).filter((name) =>
    /forward|real-ip|client-ip|cookie|referer|origin|via/.test(name),
  );
  assert.deepEqual(revealing, []);
});

test('plausible: one request per event, with a full URL and properties', async (t) => {
  const { seen, url } = await service(t, accepted);
  const { analytics } = open(url, { analyticsKind: 'plausible' });
  analytics.send(event);
  analytics.send({ ...event, route: 'get_window_sticker' });
  await analytics.close();
  const props = { contact: 'dev@example.org', day: '2026-11-15', count: 1 };
  assert.deepEqual(
    seen.map(({ body }) => body),
    [
      { name: 'lookup', domain: 'labels.example', url: 'https://labels.example/api/v1/vin/%7Bvin%7D', props },
      {
        name: 'lookup',
        domain: 'labels.example',
        url: 'https://labels.example/mcp/get_window_sticker',
        props,
      },
    ],
  );
});

test('umami: one request per event, with the id of the website', async (t) => {
  const { seen, url } = await service(t, (res) => res.end('{"cache":"x"}'));
  const website = '4f7a1c3e-0000-4000-8000-000000000000';
  const { analytics, lines } = open(url, { analyticsKind: 'umami', analyticsSite: website });
  analytics.send(event);
  await analytics.close();
  const { type, payload } = seen[0]!.body as { type: string; payload: Record<string, unknown> };
  assert.equal(type, 'event');
  assert.deepEqual(
    [payload.website, payload.hostname, payload.url, payload.name, payload.data],
    [
      website,
      'labels.example',
      '/api/v1/vin/{vin}',
      'lookup',
      { contact: 'dev@example.org', day: '2026-11-15', count: 1 },
    ],
  );
  assert.deepEqual(lines, []);
});

test('being treated as a robot by umami counts as a failure', async (t) => {
  const { url } = await service(t, (res) => res.end('{"beep":"boop"}'));
  const { analytics, lines, metrics } = open(url, { analyticsKind: 'umami' });
  analytics.send(event);
  await analytics.close();
  assert.match(lines.join(), /robot/);
  assert.match(metrics.text(), /^monroney_analytics_dropped_total 1$/m);
});

test('if the service fails midway, the rest of the batch is dropped and counted, with one log line without contacts', async (t) => {
  let responses = 0;
  const { seen, url } = await service(t, (res) => res.writeHead(++responses > 2 ? 500 : 202).end());
  const { analytics, lines, metrics } = open(url, { analyticsKind: 'plausible' });
  for (let i = 0; i < 10; i++) analytics.send({ ...event, contact: `c${i}.example` });
  await analytics.close();
  assert.equal(seen.length, 3, 'the rest is not sent to a service that is down');
  assert.match(metrics.text(), /^monroney_analytics_dropped_total 8$/m);
  assert.equal(lines.length, 1);
  assert.match(lines[0]!, /"dropped":8,"error":"status 500"/);
  assert.ok(!lines[0]!.includes('.example'));
});

test('a full queue drops new events and counts them', async (t) => {
  const { seen, url } = await service(t, accepted);
  const { analytics, lines, metrics } = open(url);
  for (let i = 0; i < 5000; i++) analytics.send({ ...event, contact: `c${i}.example` });
  await analytics.close();
  assert.equal((seen[0]!.body as { events: unknown[] }).events.length, 1000);
  assert.match(metrics.text(), /^monroney_analytics_dropped_total 4000$/m);
  assert.equal(lines.length, 1);
});

test('a service that hangs, redirects or is down delays nothing', async (t) => {
  const hanging = await service(t, () => t.mock.timers.tick(1000));
  const redirecting = await service(t, (res) =>
    res.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
  );
  for (const url of [hanging.url, redirecting.url, 'http://127.0.0.1:1/']) {
    const { analytics, metrics } = open(url);
    analytics.send(event);
    await analytics.close();
    assert.match(metrics.text(), /^monroney_analytics_dropped_total 1$/m, url);
  }
  assert.equal(hanging.seen.length, 1);
});
