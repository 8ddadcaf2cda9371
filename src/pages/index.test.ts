import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeLookup } from '../../test/fake-lookup.ts';
import { bareApp } from '../http/testing.ts';
import { silentLog } from '../lib/log.ts';
import { createMemoryCache } from '../lib/memory-cache.ts';
import { pages, type PageContext } from './index.ts';

const VIN = '1FMUK8DH0TG000000';
const templates: string[] = [];
const log = {
  ...silentLog,
  request: (_id: string, _method: string, template: string) => void templates.push(template),
};
const app = bareApp('http://localhost', { log });
await app.register(pages, {
  lookup: fakeLookup({}).lookup,
  memory: createMemoryCache(),
  baseUrl: 'http://localhost',
  library: { pages: new Map() },
  vinAssets: { base: '/assets/vin-1/', find: async () => null },
} as unknown as PageContext);

test('the log never contains what the visitor typed', async () => {
  const expected = {
    '/': '/',
    [`/window-sticker/${VIN}`]: '/window-sticker/{vin}',
    [`/window-sticker/${VIN}/picture`]: '/window-sticker/{vin}/picture',
    [`/window-sticker/${VIN}/else`]: '/*',
    [`/${VIN}`]: '/*',
    [`/docs/${VIN}`]: '/docs/{page}',
    [`/docs/${VIN}/a/b`]: '/*',
    '/makes/jeep': '/makes/{make}',
    [`/assets/${VIN}`]: '/assets/{file}',
    [`/assets/vin-1/${VIN}`]: '/assets/vin/{file}',
  };
  for (const [url, template] of Object.entries(expected)) {
    await app.inject({ method: 'DELETE', url });
    assert.equal(templates.pop(), template, url);
  }
});

test('a path with a slash at the end redirects to the page without it', async () => {
  for (const path of ['/compare', `/window-sticker/${VIN}`, '/docs', '/docs/limits']) {
    const { statusCode, headers } = await app.inject(`${path}/?a=1`);
    assert.deepEqual([statusCode, headers.location], [308, `${path}?a=1`]);
  }
  assert.equal((await app.inject('//example.com/')).statusCode, 404);
});

test('a VIN at the end of an unknown path leads a browser to its page', async () => {
  const { statusCode, headers } = await app.inject({ url: `/vin/${VIN}`, headers: { accept: 'text/html' } });
  assert.deepEqual([statusCode, headers.location], [308, `/window-sticker/${VIN}`]);
  assert.equal((await app.inject(`/vin/${VIN}`)).statusCode, 404);
});

test('an error is a page for people and a problem document for programs', async () => {
  const page = await app.inject({ method: 'DELETE', url: '/compare', headers: { accept: 'text/html' } });
  assert.deepEqual([page.statusCode, page.headers.allow], [405, 'GET, HEAD']);
  assert.match(page.payload, /<p class="lead">DELETE isn’t supported here\. Use GET or HEAD\.<\/p>/);
  const problem = await app.inject({ method: 'DELETE', url: '/compare' });
  assert.equal(problem.json<{ reason: string }>().reason, 'method-not-allowed');
  assert.equal(problem.headers.vary, 'Accept-Encoding, Accept');
});
