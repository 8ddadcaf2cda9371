import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { VinResponse } from '../../src/lookup/schemas.ts';
import { startMailServer } from '../mail-server.ts';
import { admin, startCommand, eventually, temporaryFolder } from '../operator.ts';
import { startSuite } from './servers.ts';

/** Operator commands with several instances. */

const servers = await startSuite('operator commands with several instances');
if (servers)
  void test('a switch reaches every instance, and a notice is sent once even if two commands send it or one is killed', async (t) => {
    const shared = await servers.env('operator');
    const instances = [await servers.service({ ...shared }), await servers.service({ ...shared })];
    const mail = await startMailServer();
    t.after(() => mail.kill());
    const env = { ...shared, SMTP_URL: mail.url };
    const operator = (...args: string[]) => admin(t, { ...env, DATA_DIR: temporaryFolder(t) }, ...args);

    const off = await operator('source', 'off', 'kia', '--reason', 'refuses all requests');
    assert.equal(off.code, 0, off.err);
    for (const instance of instances) {
      const { windowSticker } = await eventually(
        () => instance.json<VinResponse>('/api/v1/vin/5XYP5DGC4PG212345?sticker=false'),
        (response) => response.windowSticker.note !== undefined,
      );
      assert.match(windowSticker.note!, /Reason: refuses all requests\.$/);
    }

    const contacts = Array.from({ length: 40 }, (_, i) => `dev${i + 10}@example.org`);
    for (const [index, contact] of contacts.entries()) {
      const instance = instances[index % 2]!;
      await instance.get('/api/v1/vin/5XYP5DGC4PG212345', { headers: { 'x-contact': contact } });
    }
    for (const instance of instances) await instance.runtime.contacts.flush();
    const results = await Promise.all([
      operator('notice', 'labels-stopped', 'kia'),
      operator('notice', 'labels-stopped', 'kia'),
    ]);
    for (const { code, out, err } of results)
      assert.deepEqual([code, out], [0, 'Sent 40, bounced 0, still waiting 0.\n'], err);
    assert.deepEqual(mail.received.flatMap(({ to }) => to).sort(), contacts);

    mail.received = [];
    const notify = ['admin', 'source', 'off', 'gm', '--reason', 'gone', '--notify'];
    const killed = startCommand(t, notify, { ...env, DATA_DIR: temporaryFolder(t) });
    mail.onReceived = async (to) => {
      if (to !== contacts[7]) return;
      killed.child.kill('SIGKILL');
      await killed.ended;
    };
    await killed.ended;
    mail.onReceived = async () => {};
    const rest = await operator('notice', 'labels-stopped', 'gm');
    assert.match(
      rest.out,
      /^Sent 39, bounced 0, still waiting 0\.\nUnsure about 1: .*\n {2}dev17@example\.org\n/,
    );
    assert.deepEqual(mail.received.flatMap(({ to }) => to).sort(), contacts);
  });
