// lane: service
import assert from 'node:assert/strict';
import { chownSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { childEnv, monroney } from '../../test/command.ts';
import { runInProcess } from '../../test/in-process.ts';
import { encrypted } from '../../tools/drill/hostile-pdfs.ts';
import { silentLog } from '../lib/log.ts';
import { openStore } from '../store/index.ts';
import { TEXT_VERSION } from '@monroney/label/reading/lines';

const row = { source: 'test', host: 'example.com', fetched: 1, paint: null, reader: null };

async function relabel(dataDir: string, ...args: string[]): Promise<unknown> {
  const { out } = await runInProcess(['relabel', ...args], { ...childEnv, DATA_DIR: dataDir });
  return JSON.parse(out);
}

test('every stored label is read once, while a service is running', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'relabel-'));
  t.after(() => rm(folder, { recursive: true }));
  const store = await openStore({ dataDir: folder, log: silentLog });
  const specimens = {
    '1G1YB2D43S5000000': 'CHEVROLET',
    '1FMUK8DH0TG000000': 'FORD',
    '1C4RJHBR7TC000000': 'JEEP',
  };
  for (const [vin, make] of Object.entries(specimens)) {
    const pdf = readFileSync(new URL(`../lookup/specimens/${vin}.pdf`, import.meta.url));
    await store.addLabel({ ...row, vin, make }, pdf);
  }
  await store.addLabel({ ...row, vin: '1G1YB2D43S5000001', make: 'CHEVROLET' }, encrypted(['SECRET']));

  assert.deepEqual(await relabel(folder), { read: 3, unreadable: 1, open: 0, failed: 0 });
  for (const vin of Object.keys(specimens)) {
    const label = (await store.find(vin)).label!;
    assert.ok(label.paint?.color && label.reader, vin);
    assert.ok(await store.cached(label, 'reading', label.reader));
    assert.ok(await store.cached(label, 'text', String(TEXT_VERSION)));
  }
  assert.deepEqual(await relabel(folder, '--after', '1G1YB2D43S5000000'), {
    read: 0,
    unreadable: 1,
    open: 0,
    failed: 0,
  });
  await store.close();
});

test('without a store nothing is read and none is created', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'relabel-'));
  t.after(() => rm(folder, { recursive: true }));
  const { code, out, err } = await runInProcess(['relabel'], { ...childEnv, DATA_DIR: folder });
  assert.deepEqual([code, out], [1, '']);
  assert.ok(err.startsWith(`Can't open the store: There is no store in ${folder}. Set DATA_DIR`), err);
  assert.deepEqual(readdirSync(folder), []);
});

const NOBODY = 65_534;

test(
  'as root, commands other than admin become the owner of DATA_DIR, too',
  { skip: process.geteuid?.() === 0 ? false : 'skipped: becoming another user needs root' },
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'relabel-'));
    t.after(() => rm(folder, { recursive: true }));
    // Only root could open it.
    writeFileSync(join(folder, 'labels.sqlite'), '', { mode: 0o600 });
    chownSync(folder, NOBODY, NOBODY);
    for (const args of [['relabel'], ['mcp', '--local'], ['lookup', '--local', '1FMUK8DH0TG000000']]) {
      const { code, err } = await monroney(args, { env: { DATA_DIR: folder } });
      assert.notEqual(code, 0, args.join(' '));
      assert.match(err, /EACCES/, args.join(' '));
    }
  },
);
