import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import test from 'node:test';
import { recipientsOf } from './notices.ts';
import { temporaryFolder, openTestStore } from '../store/testing.ts';
import { openUnsubscribeLinks } from './unsubscribe.ts';

const BASE = 'https://labels.example';
const parametersOf = (link: string) => {
  const { searchParams } = new URL(link);
  return { to: searchParams.get('to')!, key: searchParams.get('key')! };
};

test('the link in a mail unsubscribes its recipient on every instance, and no one else', async (t) => {
  const { store } = await openTestStore(t);
  const use = { day: '2026-11-15', route: '/api/v1/vin/{vin}', count: 1 };
  const [stop, stay] = ["o'stop+vin@example.org", 'stay@example.org'] as const;
  await store.contacts.add([
    { ...use, contact: stop },
    { ...use, contact: stay },
    { ...use, contact: 'shop.example' },
  ]);
  const sender = await openUnsubscribeLinks(store, BASE, Date.now);
  const page = await openUnsubscribeLinks(store, BASE, Date.now);
  const link = await sender.link(stop);
  assert.equal(await page.link(stop), link);
  const { to, key } = parametersOf(link);
  assert.equal(to, stop);
  assert.equal(await page.accept(to, key), true);
  assert.equal(await page.accept(to, key), true, 'twice is not an error');
  const webmaster = parametersOf(await sender.link('webmaster@shop.example'));
  assert.equal(await page.accept(webmaster.to, webmaster.key), true);
  assert.deepEqual(await recipientsOf(store.contacts, '2026-01-01', () => true), [stay]);
});

test("a wrong key, or another recipient's, is rejected", async (t) => {
  const { store } = await openTestStore(t);
  const page = await openUnsubscribeLinks(store, BASE, Date.now);
  assert.equal(await page.accept('a@example.org', 'x'), false, 'before any link was made');
  assert.equal(await store.value('unsubscribe-secret'), null, 'looking at a link makes no secret');
  const { key } = parametersOf(await page.link('a@example.org'));
  for (const [to, tried] of [
    ['b@example.org', key],
    ['a@example.org', `${key}x`],
    ['a@example.org', ''],
    ['a@example.org', key.toLowerCase()],
    ["a@example.org' or 1=1 --", key],
  ] as const)
    assert.equal(await page.accept(to, tried), false, `${to} ${tried}`);
  assert.deepEqual(await store.contacts.unsubscribed(), []);
});

test('unsubscribed recipients are stored as a hash, never as an e-mail address', async (t) => {
  const dataDir = temporaryFolder(t);
  const { store } = await openTestStore(t, dataDir);
  const page = await openUnsubscribeLinks(store, BASE, Date.now);
  const { to, key } = parametersOf(await page.link('secretive@example.org'));
  await page.accept(to, key);
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'));
  assert.ok(files.some((content) => content.includes('unsubscribed')));
  assert.ok(files.every((content) => !content.includes('secretive')));
});
