// lane: service
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { silentLog } from './log.ts';
import { listen } from './testing.ts';
import { openTraces } from './traces.ts';

async function startCollector(t: TestContext) {
  // However slow this machine is, no request is given up.
  t.mock.method(AbortSignal, 'timeout', () => new AbortController().signal);
  const waiting: ServerResponse[] = [];
  const events = new EventEmitter();
  const collector = { hangs: true, status: 200, requests: 0, spans: 0 };
  const server = createServer((request, response) => {
    collector.requests++;
    if (collector.hangs) waiting.push(response);
    void text(request).then((body) => {
      collector.spans += body.match(/"spanId"/g)!.length;
      events.emit('received');
      if (!collector.hangs) response.writeHead(collector.status).end('{}');
    });
  });
  const traces = openTraces(`http://127.0.0.1:${await listen(t, server)}`, silentLog);
  const add = (spans: number) => {
    for (let n = 0; n < spans; n++) {
      const req = { headers: {}, method: 'GET' } as IncomingMessage;
      traces.within(req, () => {});
      traces.endRequestSpan(req, '/api/v1/vin/{vin}', 200);
    }
  };
  const release = () => {
    collector.hangs = false;
    for (const response of waiting) response.end('{}');
  };
  /** Adds as many spans as one request holds, until the collector has them. */
  const addBatch = async () => {
    const received = once(events, 'received');
    add(512);
    await received;
  };
  return { collector, traces, add, addBatch, release };
}

test('while the collector hangs, one request waits for it, and spans beyond the queue are dropped', async (t) => {
  const { collector, traces, add, addBatch, release } = await startCollector(t);
  await addBatch();
  add(3000);
  release();
  await traces.close();
  // What was being sent, and 2,048 in the queue.
  assert.equal(collector.spans, 512 + 2048);
  assert.equal(collector.requests, 1 + 4);
});

test('closing gives up after the first request that fails', async (t) => {
  const { collector, traces, add, release } = await startCollector(t);
  collector.status = 500;
  release();
  add(2500);
  await traces.close();
  assert.equal(collector.requests, 1);
});
