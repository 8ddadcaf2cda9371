import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { compose, type Notice } from '../src/contacts/mail.ts';
import { sendNotice, type SendOptions } from '../src/contacts/notices.ts';
import { openMailer } from '../src/contacts/smtp.ts';
import { lockFile } from '../src/store/embedded/open.ts';
import { startMailServer, type MailServer } from './mail-server.ts';
import { admin } from './in-process.ts';
import { temporaryFolder, storeIn } from './operator.ts';

/** Mail server failures while a notice is sent. Pauses are recorded instead of waited for. */

const notice: Notice = {
  id: 'breaking x',
  template: 'breaking',
  subject: 'x',
  words: { text: 'x', day: 'x' },
};
const makeRecipients = (count: number) => Array.from({ length: count }, (_, i) => `dev${i + 10}@example.org`);

async function setUp(t: TestContext) {
  const server = await startMailServer();
  const store = await storeIn(temporaryFolder(t));
  const mailer = openMailer(server.url);
  t.after(() => {
    mailer.close();
    server.kill();
    return store.close();
  });
  const pauses: number[] = [];
  const options: SendOptions = {
    store: store.contacts,
    send: mailer.send,
    compose: async (recipient) =>
      compose(notice, recipient, {
        from: 'a@labels.example',
        baseUrl: 'https://labels.example',
        unsubscribe: 'x',
      }),
    now: Date.now,
    wait: async (ms) => void pauses.push(ms),
  };
  const send = (recipients: string[]) => sendNotice(notice.id, recipients, options);
  const states = async () =>
    Object.fromEntries((await store.contacts.noticeRows(notice.id)).map((row) => [row.recipient, row.state]));
  return { server, store, pauses, options, send, states };
}

const summary = (sent: number, more: object = {}) => ({
  sent,
  bounced: 0,
  waiting: 0,
  unsure: [],
  stopped: null,
  ...more,
});
const recipientsReached = (server: MailServer) => server.received.flatMap(({ to }) => to);

/** A new connection, as in a newly started process. */
function openMailerOf(t: TestContext, url: string): SendOptions['send'] {
  const mailer = openMailer(url);
  t.after(() => mailer.close());
  return mailer.send;
}

test('a temporarily refused recipient is retried after the others, with growing pauses', async (t) => {
  const { server, send, pauses } = await setUp(t);
  const [first, second] = makeRecipients(2) as [string, string];
  let refusals = 0;
  server.onRecipient = (address) =>
    address === first && ++refusals <= 2 ? { code: 451, text: 'Greylisted' } : null;
  assert.deepEqual(await send([first, second]), summary(2));
  assert.deepEqual(recipientsReached(server), [second, first]);
  assert.deepEqual(pauses, [60_000, 300_000]);
});

test('a recipient still refused after all retries stays waiting for the next run', async (t) => {
  const { server, send, states } = await setUp(t);
  const [first, second] = makeRecipients(2) as [string, string];
  server.onRecipient = (address) => (address === first ? { code: 452, text: 'Mailbox full' } : null);
  assert.deepEqual(await send([first, second]), summary(1, { waiting: 1 }));
  assert.deepEqual(await states(), { [first]: 'waiting', [second]: 'sent' });
  server.onRecipient = () => null;
  assert.deepEqual(await send([]), summary(2));
});

test('an unreachable mail server is retried for half an hour, then the recipients stay waiting', async (t) => {
  const { server, send, pauses } = await setUp(t);
  server.kill();
  const result = await send(makeRecipients(3));
  assert.deepEqual([result.sent, result.waiting], [0, 3]);
  assert.match(result.stopped!, /ECONNREFUSED/);
  assert.deepEqual(pauses.slice(0, 9), [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
  const waited = pauses.reduce((sum, ms) => sum + ms, 0);
  assert.ok(waited >= 30 * 60_000 && waited < 33 * 60_000, `${waited}`);
});

test('if the mail server refuses every recipient, none is marked as bounced', async (t) => {
  const { server, send, states } = await setUp(t);
  server.onRecipient = () => ({ code: 554, text: 'Relay access denied' });
  const result = await send(makeRecipients(40));
  assert.deepEqual([result.sent, result.bounced, result.waiting], [0, 0, 40]);
  assert.match(result.stopped!, /Relay access denied/);
  assert.ok(Object.values(await states()).every((state) => state === 'waiting'));
});

test('a refused login stops the run at once, and all recipients stay waiting', async (t) => {
  const { server, options, states } = await setUp(t);
  const mailer = openMailer(server.url.replace('://', '://user:wrong@'));
  const result = await sendNotice(notice.id, makeRecipients(2), { ...options, send: mailer.send });
  assert.deepEqual([result.sent, result.bounced, result.waiting], [0, 0, 2]);
  assert.ok(result.stopped);
  assert.ok(Object.values(await states()).every((state) => state === 'waiting'));
});

test('a recipient forgotten while a notice is being sent does not get it', async (t) => {
  const { server, store, send } = await setUp(t);
  const [first, second, third] = makeRecipients(3) as [string, string, string];
  server.onRecipient = async (address) => {
    if (address === first) await store.contacts.forget(second);
    return null;
  };
  assert.deepEqual(await send([first, second, third]), summary(2));
  assert.deepEqual(recipientsReached(server), [first, third]);
});

test('if a run is killed at the end of a message, its recipient is reported as unsure and retried only on request', async (t) => {
  const { server, options, send, store } = await setUp(t);
  const [first, second, third, fourth] = makeRecipients(4) as [string, string, string, string];
  const states = async () => (await store.contacts.noticeRows(notice.id)).map(({ state }) => state);
  /** Simulates a run that is killed when `interrupt` says so. */
  const runUntilKilled = (
    interrupt: (send: SendOptions['send'], onKilled: () => void) => SendOptions['send'],
  ) =>
    new Promise<void>((resolve) => {
      let alive = true;
      const send = interrupt(openMailerOf(t, server.url), () => {
        alive = false;
        resolve();
      });
      const sendUntilKilled: SendOptions['send'] = async (mail, mayEnd) => {
        const outcome = await send(mail, mayEnd);
        return alive ? outcome : new Promise(() => {});
      };
      void sendNotice(notice.id, [first, second, third, fourth], { ...options, send: sendUntilKilled });
    });

  // Killed after `sending` was stored, before the end of the message was sent.
  await runUntilKilled(
    (send, onKilled) => (mail, mayEnd) =>
      send(mail, async () => {
        const mayContinue = await mayEnd();
        if (mail.to !== second) return mayContinue;
        onKilled();
        return new Promise(() => {});
      }),
  );
  assert.deepEqual(await states(), ['sent', 'sending', 'waiting', 'waiting']);

  // Killed after the server accepted the message, before `sent` was stored.
  await runUntilKilled((send, onKilled) => async (mail, mayEnd) => {
    const outcome = await send(mail, mayEnd);
    if (mail.to === third) onKilled();
    return outcome;
  });
  assert.deepEqual(await states(), ['sent', 'sending', 'sending', 'waiting']);

  const unsure = [second, third];
  const expected = summary(2, { unsure });
  assert.deepEqual(await send([]), expected);
  assert.deepEqual(await send([]), expected, 'reported until the operator decides');
  assert.deepEqual(recipientsReached(server), [first, third, fourth]);

  const resent = await sendNotice(notice.id, [], { ...options, retryUnsure: true });
  assert.deepEqual(resent, summary(4));
  assert.deepEqual(recipientsReached(server), [first, third, fourth, second, third]);
  const ids = server.received.map(({ raw }) => /^Message-ID: (.*)$/im.exec(raw)![1]);
  assert.equal(ids[1], ids[4], 'the Message-ID is the same, so duplicates can be detected');
});

test('if the store can’t save the sending state, the message is not completed', async (t) => {
  const { server, options, store } = await setUp(t);
  const [first] = makeRecipients(1) as [string];
  const setNotice: typeof store.contacts.setNotice = (...row) => {
    if (row[2] === 'sending') throw new Error('disk full');
    return store.contacts.setNotice(...row);
  };
  const failing = { ...options, store: { ...store.contacts, setNotice } };
  await assert.rejects(async () => sendNotice(notice.id, [first], failing), /disk full/);
  assert.deepEqual(server.received, []);
});

test('a message is not completed if its recipient is forgotten while it is being sent', async (t) => {
  const { server, store, send } = await setUp(t);
  const [first, second] = makeRecipients(2) as [string, string];
  server.onMessage = (to) => {
    if (to === first) void store.contacts.forget(first);
  };
  assert.deepEqual(await send([first, second]), summary(1));
  assert.deepEqual(recipientsReached(server), [second]);
});

test('a message is retried if the connection is cut after its last byte without a reply', async (t) => {
  const { server, send, states } = await setUp(t);
  let cut = false;
  server.onMessage = () => {
    if (cut) return;
    cut = true;
    server.kill();
    void server.start();
  };
  const [first] = makeRecipients(1) as [string];
  assert.deepEqual(await send([first]), summary(1));
  assert.ok(cut);
  assert.deepEqual(await states(), { [first]: 'sent' });
  assert.equal(server.received.length, 1);
});

test('while one command sends notices, a second one is refused with a clear message', async (t) => {
  const dataDir = temporaryFolder(t);
  const store = await storeIn(dataDir);
  await store.setSwitch({ source: 'kia', state: 'off', reason: 'x', since: 1 });
  await store.close();
  const lock = lockFile(`${dataDir}/notices.lock`, '');
  t.after(() => lock.release());
  const env = { DATA_DIR: dataDir, SMTP_URL: 'smtp://127.0.0.1:1' };
  const second = await admin(env, 'notice', 'labels-stopped', 'kia');
  assert.equal(second.code, 1);
  assert.match(second.err, /^Another command is sending notices\./m);
});
