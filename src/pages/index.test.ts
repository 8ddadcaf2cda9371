// lane: service
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
  vinAssets: { base: '/assets/vin-parts-1/', find: async () => null },
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
    [`/assets/vin-parts-1/${VIN}`]: '/assets/vin/{file}',
  };
  for (const [url, template] of Object.entries(expected)) {
    await app.inject({ method: 'DELETE', url });
    assert.equal(templates.pop(), template, url);
  }
});
