import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exchange } from './golden/client.ts';
import { freshIp } from './service.ts';
import { serviceOfFile } from './simulated.ts';

const service = await serviceOfFile({ BASE_URL: 'https://labels.example' });
const VIN = '1FMUK8DH0TG000000';

/** On a bare socket because `fetch` can't set Host. */
async function send(path: string, headers: Record<string, string>) {
  const lines = Object.entries({ Host: 'labels.example', 'X-Forwarded-For': freshIp(), ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const request = { parts: [`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`], methods: ['GET'] };
  const [response] = (await exchange(Number(new URL(service.origin).port), request)).responses;
  return response!;
}

test('Host and forwarding headers never appear in a response, so they can’t poison a cache', async () => {
  const poison = {
    Host: 'evil.example',
    'X-Forwarded-Host': 'evil.example',
    'X-Forwarded-Proto': 'gopher',
    'X-Original-URL': '/evil',
    'X-Rewrite-URL': '/evil',
    Forwarded: 'host=evil.example;proto=gopher',
  };
  const api = [`/api/v1/vin/${VIN}`, `/api/v1/vin/${VIN}/label`, '/api/nowhere', '/mcp'];
  const documents = ['/openapi.json', '/llms.txt', '/.well-known/api-catalog', '/mcp/server-card'];
  const pages = ['/', `/window-sticker/${VIN}`, '/sitemap.xml', `/find?vin=${VIN}`, '/nothing', '/docs/api'];
  for (const path of [...api, ...documents, ...pages]) {
    const [clean, poisoned] = [await send(path, {}), await send(path, poison)];
    assert.doesNotMatch(poisoned.body + JSON.stringify(poisoned.headers), /evil\.example|gopher/, path);
    if (path !== '/mcp') assert.equal(poisoned.status, clean.status, path);
    const etagOf = ({ headers }: typeof clean) => headers.find(([name]) => name === 'etag')?.[1];
    assert.equal(etagOf(poisoned), etagOf(clean), path);
  }
});
