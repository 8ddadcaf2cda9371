import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { startHttpServer } from './http-server.ts';
import { startService } from './service.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: object }[];
}

test('a request and its lookup at the source are spans of one trace, without the VIN', async (t) => {
  const bodies: string[] = [];
  const collector = await startHttpServer(t, (request, response) => {
    void text(request).then((body) => {
      assert.equal(request.url, '/v1/traces');
      assert.equal(request.headers['content-type'], 'application/json');
      bodies.push(body);
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  const simulator = await startSimulator();
  const service = await startService({
    SOURCE_ORIGIN: simulator.origin,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
  });
  const vin = '1FTEW2LP7TKE12345';
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const send = (path: string, flags: string) =>
    service.get(path, { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-${flags}` } });
  await send(`/api/v1/vin/${vin}`, '01');
  await send('/docs/limits', '01');
  await send('/limits.json', '00');
  await service.close();
  await simulator.close();

  const spans = bodies
    .flatMap(
      (body) => (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans,
    )
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans)
    .filter((span) => span.traceId === traceId);
  assert.deepEqual(spans.map(({ name }) => name).sort(), [
    'GET /api/v1/vin/{vin}',
    'GET /docs/{page}',
    'ask ford',
  ]);
  const request = spans.find(({ name }) => name.startsWith('GET /api'))!;
  const sourceSpan = spans.find(({ name }) => name === 'ask ford')!;
  assert.equal(request.parentSpanId, 'b7ad6b7169203331');
  assert.equal(sourceSpan.parentSpanId, request.spanId);
  assert.match(sourceSpan.spanId, /^[\da-f]{16}$/);
  assert.ok(BigInt(sourceSpan.startTimeUnixNano) >= BigInt(request.startTimeUnixNano));
  assert.ok(BigInt(sourceSpan.endTimeUnixNano) <= BigInt(request.endTimeUnixNano));
  assert.match(request.endTimeUnixNano, /^\d{19}$/, 'nanoseconds since 1970');
  assert.deepEqual(request.attributes.at(-1), {
    key: 'http.response.status_code',
    value: { intValue: '200' },
  });
  assert.ok(!bodies.join('').includes(vin));
  assert.ok(!bodies.join('').includes('127.0.0.1'));
});
