import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { INSTRUCTIONS } from '../../src/mcp/server.ts';
import { tools } from '../../src/mcp/tools.ts';
import { specimens } from '../../src/lookup/specimens/index.ts';
import { request, call, textOf } from '../mcp-client.ts';
import { installPeers, peer } from '../third-party.ts';
import { startService, type Service } from '../service.ts';

/**
 * How many tokens the tools take, counted with a tokenizer that models use (o200k). Ordinary tests count characters.
 */

let service: Service;
let countTokens: (text: string) => number;
before(async () => {
  installPeers();
  ({ countTokens } = await peer<{ countTokens(text: string): number }>('gpt-tokenizer/encoding/o200k_base'));
  service = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9' });
});
after(() => service.close());

test('the list takes at most 6,500 tokens, and the instructions 28 per tool', async (t) => {
  const { result } = await request<{ tools: object[] }>(service, '2026-07-28', 'tools/list');
  const tokens = countTokens(JSON.stringify(result!.tools));
  t.diagnostic(`${tokens} and ${countTokens(INSTRUCTIONS)} tokens`);
  assert.ok(tokens <= 6500, String(tokens));
  assert.ok(countTokens(INSTRUCTIONS) <= 28 * tools.length, String(countTokens(INSTRUCTIONS)));
});

test('the text of a result takes at most 500 tokens, that of stickers 1,500, and a list 50 per car', async (t) => {
  let maxTokens = 0;
  for (const { vin } of specimens)
    for (const { name, input } of tools) {
      const args = 'vin' in input.shape ? { vin } : name === 'list_covered_makes' ? {} : null;
      if (!args) continue;
      const tokens = countTokens(textOf(await call(service, name, args)));
      maxTokens = Math.max(maxTokens, tokens);
      assert.ok(tokens <= (name === 'read_window_sticker' ? 1_500 : 500), `${name} of ${vin}: ${tokens}`);
    }
  const vins = specimens.map(({ vin }) => vin);
  const compared = countTokens(
    textOf(await call(service, 'compare_window_stickers', { vins: vins.slice(0, 4) })),
  );
  assert.ok(compared <= 1_500, String(compared));
  const decoded = countTokens(textOf(await call(service, 'decode_vins', { vins }))) / vins.length;
  assert.ok(decoded <= 50, String(decoded));
  t.diagnostic(
    `${maxTokens} at most, ${compared} for four cars compared, ${decoded.toFixed()} per decoded car`,
  );
});
