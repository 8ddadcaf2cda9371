// lane: service
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { silentLog } from '../lib/log.ts';
import { copyStore } from './copy.ts';
import { openStore } from './index.ts';
import { pdfName } from './label-bytes.ts';
import { freshVin, newLabel, pdfOf, sha256Of } from './testing.ts';

let root: string;
before(async () => (root = await mkdtemp(join(tmpdir(), 'monroney-copy-'))));
after(() => rm(root, { recursive: true }));

void test('copying transfers everything, resumes after an interruption and reports corrupted labels', async () => {
  const from = await openStore({ dataDir: join(root, 'from'), log: silentLog });
  const to = await openStore({ dataDir: join(root, 'to'), log: silentLog });
  const vins = Array.from({ length: 30 }, freshVin);
  for (const vin of vins) await from.addLabel(newLabel(vin), pdfOf(vin));
  const corrupted = (await from.find(vins[29]!)).label!;
  await writeFile(join(root, 'from', pdfName(corrupted)), Buffer.alloc(corrupted.bytes));
  const [withdrawn, withdrawnInTarget] = [vins[0]!, vins[1]!];
  await from.withdraw({ vin: withdrawn, reason: 'asked for', at: 7 });
  await to.addLabel(newLabel(withdrawn), pdfOf(withdrawn));
  await to.withdraw({ vin: withdrawnInTarget, reason: 'asked for there', at: 8 });
  await from.setSwitch({ source: 'kia', state: 'off', reason: 'stopped', since: 5 });
  await from.setValue('secret', 'value', Date.parse('2100-01-01'));
  const use = { contact: 'a@example.org', day: '2026-11-15', route: '/mcp', count: 3 };
  await from.contacts.add([use]);
  await from.contacts.planNotice('n', ['a@example.org', 'b@example.org'], 1);
  await from.contacts.setNotice('n', 'a@example.org', 'sent', 1, 2);

  await assert.rejects(
    copyStore(from, to, (done) => {
      if (done === 10) throw new Error('interrupted');
    }),
    /interrupted/,
  );
  const second = await copyStore(from, to);
  assert.deepEqual(second.unreadable, [corrupted.vin]);
  assert.equal(second.copied + second.present, 27);
  assert.equal(second.withdrawn, 1);
  assert.equal((await to.find(withdrawn)).label, null);
  assert.deepEqual((await to.find(withdrawn)).withdrawal, { vin: withdrawn, reason: 'asked for', at: 7 });
  assert.equal((await to.find(withdrawnInTarget)).label, null);
  // One of the ten was withdrawn.
  assert.ok(second.present >= 9);
  assert.equal((await copyStore(from, to)).copied, 0);

  for (const vin of vins.slice(2, 29)) {
    const label = (await to.find(vin)).label!;
    assert.deepEqual(label, (await from.find(vin)).label);
    assert.equal(sha256Of(await to.pdf(label)), label.sha256);
  }
  assert.deepEqual(await to.switches(), await from.switches());
  assert.deepEqual(await to.changes(10), await from.changes(10));
  assert.equal(await to.value('secret'), 'value');
  assert.deepEqual(await to.contacts.uses('0000'), [use]);
  assert.deepEqual(
    (await to.contacts.noticeRows('n')).map((row) => row.state),
    ['sent', 'waiting'],
  );
  await from.close();
  await to.close();
});
