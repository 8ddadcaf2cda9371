import assert from 'node:assert/strict';
import { test } from 'node:test';
import { specimens } from '../src/lookup/specimens/index.ts';
import { call } from './mcp-client.ts';
import { serviceOfFile } from './simulated.ts';

const service = await serviceOfFile({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });

test('decode_vins and POST /api/v1/decode give the same object per VIN', async () => {
  const vins = [
    ...specimens.map(({ vin }) => vin),
    '1FMUK',
    '',
    '5MJECDE7TH000000',
    '1FMUK8DH0TG0000000',
    '1HGCM82633A004353',
  ];
  const { results } = await service.json<{ results: unknown[] }>('/api/v1/decode', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vins }),
  });
  const { structuredContent } = await call(service, 'decode_vins', { vins });
  assert.deepEqual(structuredContent!.results, results);
});
