import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { silentLog } from '../../src/lib/log.ts';
import { openTraces } from '../../src/lib/traces.ts';
import { peerPython } from '../third-party.ts';

/** Parses a request with OpenTelemetry's schema. An unknown field or a wrong type is an error. */
const PARSE = `
import sys
from google.protobuf.json_format import Parse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
request = Parse(sys.stdin.read(), ExportTraceServiceRequest())
for span in request.resource_spans[0].scope_spans[0].spans:
    print(span.name, span.kind, span.status.code, span.end_time_unix_nano >= span.start_time_unix_nano)
`;

test("our traces match OpenTelemetry's schema", async (t) => {
  const python = peerPython('otel');
  if (!python) return t.skip('skipped: no python3 with venv');
  const bodies: Promise<string>[] = [];
  const collector = createServer((request, response) => {
    bodies.push(text(request));
    response.end('{}');
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const traces = openTraces(`http://127.0.0.1:${(collector.address() as AddressInfo).port}/`, silentLog);
  const request = { method: 'GET', headers: {} } as IncomingMessage;
  await traces.within(request, () =>
    traces.span(
      'ask ford',
      async () => 'label',
      (outcome) => ({ 'monroney.outcome': outcome }),
    ),
  );
  traces.endRequestSpan(request, '/api/v1/vin/{vin}', 503);
  await traces.close();
  collector.close();
  assert.equal(bodies.length, 1);
  const { status, stdout, stderr } = spawnSync(python, ['-c', PARSE], {
    input: await bodies[0],
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  assert.equal(stdout, 'ask ford 3 0 True\nGET /api/v1/vin/{vin} 2 2 True\n');
});
