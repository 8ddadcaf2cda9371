import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDigit } from '@monroney/vin';
import { sources } from '../../src/makers/index.ts';
import { startSimulator } from '../../tools/simulator/simulator.ts';
import { call, ERAS, message, send } from '../mcp-client.ts';
import { startService } from '../service.ts';

test('with a hanging source, tools say in time that the label is still being fetched, and the fetch continues', async () => {
  const simulator = await startSimulator();
  const service = await startService({ SOURCE_ORIGIN: simulator.origin });
  try {
    const { example } = sources.find((source) => source.id === 'stellantis')!;
    const vin = `${example.slice(0, 8)}${checkDigit(example)}${example.slice(9)}`;
    simulator.set(vin, 'hang');
    const results = await Promise.all(
      ['get_window_sticker', 'read_window_sticker', 'explain_missing_sticker'].map((name) =>
        call(service, name, { vin }),
      ),
    );
    // The source times out after 20 seconds, so this response came earlier.
    for (const result of results) {
      assert.notEqual(result.isError, true);
      assert.match(JSON.stringify(result.structuredContent), /still fetching/);
      assert.match(JSON.stringify(result.structuredContent), /[Aa]gain in \d+ seconds|"retryAfter":\d+/);
    }
    const requestedHosts = simulator.requests
      .filter((request) => request.vin === vin)
      .map(({ host }) => host);
    assert.equal(
      requestedHosts.length,
      new Set(requestedHosts).size,
      'each host got one request for the three calls',
    );

    // The fetch ends by itself, and the next request gets its outcome.
    const later = await call(service, 'explain_missing_sticker', { vin });
    assert.equal(later.structuredContent?.reason, 'try-again');
  } finally {
    await service.close();
    await simulator.close();
  }
});

for (const era of ERAS) {
  test(`progress is streamed during a fetch, and a client may disconnect, ${era}`, async () => {
    const simulator = await startSimulator();
    const service = await startService({ SOURCE_ORIGIN: simulator.origin });
    try {
      const { example } = sources.find((source) => source.id === 'kia')!;
      const vin = `${example.slice(0, 8)}${checkDigit(example)}${example.slice(9)}`;
      simulator.set(vin, 'hang');
      const { headers, body } = message(era, 'tools/call', {
        name: 'get_window_sticker',
        arguments: { vin },
      });
      const params = body.params as { _meta?: object };
      const requestedHosts = {
        ...body,
        params: { ...params, _meta: { ...params._meta, progressToken: 'p' } },
      };
      const abort = new AbortController();
      const response = await service.get('/mcp', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify(requestedHosts),
        signal: abort.signal,
      });
      assert.equal(response.headers.get('content-type'), 'text/event-stream');
      let text = '';
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        if (text.split('notifications/progress').length > 2) break;
      }
      const [first] = text.split('\n').filter((line) => line.startsWith('data: '));
      const { method, params: progress } = JSON.parse(first!.slice(6)) as {
        method: string;
        params: Record<string, unknown>;
      };
      assert.deepEqual(
        [method, progress.progressToken, progress.progress],
        ['notifications/progress', 'p', 1],
      );
      abort.abort();
      // Without a progress token, or without accepting streams, the response is JSON.
      const plain = await send(service, era, 'tools/call', {
        name: 'get_window_sticker',
        arguments: { vin: '1FMUK8DH0TG000000' },
        _meta: { progressToken: 'q' },
      });
      assert.equal(plain.headers.get('content-type'), 'application/json');
      await plain.json();
    } finally {
      await service.close();
      await simulator.close();
    }
  });
}
