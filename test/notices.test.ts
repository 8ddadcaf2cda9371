import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { openUnsubscribeLinks } from '../src/contacts/unsubscribe.ts';
import { startMailServer, type MailServer } from './mail-server.ts';
import { admin } from './in-process.ts';
import { dayAgo, startCommand, temporaryFolder, storeIn } from './operator.ts';
import { isLong } from './size.ts';

/** Sends notices with the real command, a real store and a real mail server. */

const ROUTE = '/api/v1/vin/{vin}';

async function mailServer(t: TestContext): Promise<MailServer> {
  const server = await startMailServer();
  t.after(() => server.kill());
  return server;
}

/** A store where these contacts used a route today and Kia is switched off. */
async function setUp(t: TestContext, contacts: string[], options: { day?: string; route?: string } = {}) {
  const dataDir = temporaryFolder(t);
  const store = await storeIn(dataDir);
  t.after(() => store.close());
  const { day = dayAgo(0), route = ROUTE } = options;
  await store.contacts.add(contacts.map((contact) => ({ contact, day, route, count: 1 })));
  const since = Date.parse('2026-11-12T08:00:00Z');
  await store.setSwitch({ source: 'kia', state: 'off', reason: 'refuses all requests', since });
  return { dataDir, store, env: { DATA_DIR: dataDir, BASE_URL: 'https://labels.example' } };
}

const recipientsOf = (server: MailServer) => server.received.flatMap(({ to }) => to).sort();

test('every recipient gets one message even if the mail server and the command are killed midway', async (t) => {
  const count = isLong ? 1000 : 40;
  const contacts = Array.from({ length: count }, (_, i) => `dev${String(i).padStart(4, '0')}@example.org`);
  const server = await mailServer(t);
  const { env, store } = await setUp(t, contacts);
  const smtpEnv = { ...env, SMTP_URL: server.url };
  const notice = ['notice', 'labels-stopped', 'kia'];
  let killed = 0;
  const first = startCommand(t, ['admin', ...notice], smtpEnv);
  server.onRecipient = () => {
    if (server.received.length === 0.3 * count && killed === 0) {
      killed++;
      server.kill();
      first.child.stderr!.once('data', () => void server.start());
    }
    if (server.received.length === 0.6 * count && killed === 1) {
      killed++;
      first.child.kill('SIGKILL');
      return new Promise(() => {});
    }
    return null;
  };
  await first.ended;
  assert.equal(killed, 2);
  assert.equal(server.received.length, 0.6 * count);
  const second = await startCommand(t, ['admin', ...notice], smtpEnv).ended;
  assert.equal(second.code, 0, second.err);
  assert.ok(second.out.includes(`Sent ${count}, bounced 0, still waiting 0.`), second.out);
  assert.deepEqual(recipientsOf(server), contacts);
  const rows = await store.contacts.noticeRows('labels-stopped kia 2026-11-12');
  assert.equal(rows.filter(({ state }) => state === 'sent').length, count);

  const third = await admin(smtpEnv, ...notice);
  assert.equal(third.code, 0);
  assert.equal(server.received.length, count, 'running the command again sends nothing');
});

test('a message whose delivery was interrupted is reported as unsure and resent only with --again-unsure', async (t) => {
  const contacts = ['dev3@example.org', 'dev4@example.org', 'dev5@example.org'];
  const server = await mailServer(t);
  const { env, store } = await setUp(t, contacts);
  const smtpEnv = { ...env, SMTP_URL: server.url };
  const run = (...options: string[]) => admin(smtpEnv, 'notice', 'labels-stopped', 'kia', ...options);
  // As a command leaves it that is killed: see notices-failures.test.ts.
  const id = 'labels-stopped kia 2026-11-12';
  await store.contacts.planNotice(id, contacts, 1);
  await store.contacts.setNotice(id, 'dev4@example.org', 'sending', 1, 1);

  const listed = await admin(env, 'notice', 'list');
  assert.match(listed.out, /labels-stopped kia 2026-11-12 +0 +0 +2 +1\n/);
  assert.match(
    listed.out,
    /Unsure: .*the command was killed while the mail server was receiving the message/,
  );
  assert.match(listed.out, /\n {2}dev4@example\.org \(labels-stopped kia 2026-11-12\)\n/);

  const second = await run();
  assert.equal(second.code, 0, second.err);
  assert.match(
    second.out,
    /^Sent 2, bounced 0, still waiting 0\.\nUnsure about 1: .*\n {2}dev4@example\.org\n/,
  );
  assert.deepEqual(recipientsOf(server), ['dev3@example.org', 'dev5@example.org']);

  assert.match((await run('--dry-run')).out, /Would go to 0 recipients; 3 already got it/);
  assert.match((await run('--dry-run', '--again-unsure')).out, /1 recipient; 2 already got it:\n {2}dev4@/);
  assert.equal((await run('--again-unsure')).out, 'Sent 3, bounced 0, still waiting 0.\n');
  assert.equal(recipientsOf(server).length, 3);
});

test('each message has one recipient, text and HTML parts, the reason and a one-click unsubscribe link', async (t) => {
  const odd = "!#$%&'*+/=?^_`{|}~-@example.org";
  const server = await mailServer(t);
  const { env, store } = await setUp(t, ['shop.example', odd]);
  const smtpEnv = { ...env, SMTP_URL: server.url, SMTP_FROM: 'Labels <hello@labels.example>' };
  assert.equal((await admin(smtpEnv, 'notice', 'labels-stopped', 'kia')).code, 0);
  assert.deepEqual(recipientsOf(server), [odd, 'webmaster@shop.example']);
  const unsubscribing = await openUnsubscribeLinks(store, env.BASE_URL, Date.now);
  for (const { from, to, raw } of server.received) {
    assert.equal(from, 'hello@labels.example');
    assert.equal(to.length, 1);
    const [head, ...rest] = raw.split('\r\n\r\n') as [string, ...string[]];
    const headers = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
    const header = (name: string) => {
      const matches = headers.filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `));
      assert.equal(matches.length, 1, name);
      return matches[0]!.slice(name.length + 2);
    };
    assert.ok(header('To').includes(to[0]!));
    assert.ok(!/^(cc|bcc):/im.test(head));
    assert.equal(header('From'), 'Labels <hello@labels.example>');
    assert.equal(header('Subject'), 'Kia window stickers are no longer fetched');
    assert.equal(header('List-Unsubscribe-Post'), 'List-Unsubscribe=One-Click');
    assert.match(header('Message-ID'), /^<[0-9a-f]{32}@labels\.example>$/);
    const link = header('List-Unsubscribe').slice(1, -1);
    assert.equal(link, await unsubscribing.link(to[0]!));
    assert.equal(new URL(link).searchParams.get('to'), to[0]);
    assert.match(header('Content-Type'), /^multipart\/alternative/);
    const body = rest.join('\r\n\r\n').replace(/=\r\n/g, '').replace(/=3D/g, '=');
    assert.match(body, /Content-Type: text\/plain/);
    assert.match(body, /Content-Type: text\/html/);
    assert.match(body, /stopped fetching Kia window stickers on November 12, 2026/);
    assert.match(body, /Reason: refuses all requests/);
    assert.ok(body.includes(`No more notices: ${link}`));
    assert.ok(!body.includes('{{'));
  }
});

test('a permanently refused recipient is marked as bounced and not retried', async (t) => {
  const server = await mailServer(t);
  const { env, store } = await setUp(t, ['gone@example.org', 'here@example.org']);
  server.onRecipient = (address) =>
    address === 'gone@example.org' ? { code: 550, text: 'No such user' } : null;
  const smtpEnv = { ...env, SMTP_URL: server.url };
  const first = await admin(smtpEnv, 'notice', 'labels-stopped', 'kia');
  assert.deepEqual([first.code, first.out], [0, 'Sent 1, bounced 1, still waiting 0.\n']);
  server.onRecipient = () => null;
  await admin(smtpEnv, 'notice', 'labels-stopped', 'kia');
  assert.deepEqual(recipientsOf(server), ['here@example.org']);
  const rows = await store.contacts.noticeRows('labels-stopped kia 2026-11-12');
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['bounced', 'sent'],
  );
});

test('--dry-run shows the recipients and the message, and changes nothing', async (t) => {
  const server = await mailServer(t);
  const { env, store } = await setUp(t, ['dev@example.org', 'shop.example']);
  const dryRun = await admin(
    { ...env, SMTP_URL: server.url },
    'notice',
    'labels-stopped',
    'kia',
    '--dry-run',
  );
  assert.equal(dryRun.code, 0);
  assert.match(dryRun.out, /Would go to 2 recipients:\n {2}dev@example\.org\n {2}webmaster@shop\.example\n/);
  assert.match(dryRun.out, /Subject: Kia window stickers are no longer fetched/);
  assert.match(dryRun.out, /on November 12, 2026/);
  assert.equal(server.received.length, 0);
  assert.deepEqual(await store.contacts.notices(), []);
  assert.equal(await store.value('unsubscribe-secret'), null);
});

test('a notice goes only to contacts who used an affected route within NOTICE_DAYS and have not unsubscribed', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-17T12:00:00Z') });
  const server = await mailServer(t);
  const { env, store } = await setUp(t, ['now@example.org', 'stop@example.org']);
  const use = { day: dayAgo(0), route: ROUTE, count: 1 };
  await store.contacts.add([
    { ...use, contact: 'long-ago@example.org', day: dayAgo(40) },
    { ...use, contact: 'edge@example.org', day: dayAgo(30) },
    { ...use, contact: 'reader@example.org', route: '/docs/{page}' },
    { ...use, contact: 'tools@example.org', route: 'get_window_sticker' },
    { ...use, contact: 'page@example.org', route: '/window-sticker/{vin}' },
  ]);
  const unsubscribing = await openUnsubscribeLinks(store, env.BASE_URL, Date.now);
  const link = new URL(await unsubscribing.link('stop@example.org'));
  assert.ok(await unsubscribing.accept('stop@example.org', link.searchParams.get('key')!));
  // A notice already planned for someone who unsubscribed is not sent either.
  await store.contacts.planNotice('labels-stopped kia 2026-11-12', ['stop@example.org'], 1);
  const sent = await admin(
    { ...env, SMTP_URL: server.url, NOTICE_DAYS: '30' },
    'notice',
    'labels-stopped',
    'kia',
  );
  assert.deepEqual([sent.code, sent.out], [0, 'Sent 4, bounced 0, still waiting 0.\n']);
  assert.deepEqual(recipientsOf(server), [
    'edge@example.org',
    'now@example.org',
    'page@example.org',
    'tools@example.org',
  ]);
});

test('text from the operator cannot add mail headers', async (t) => {
  const server = await mailServer(t);
  const { env, dataDir } = await setUp(t, ['dev@example.org']);
  const file = path.join(dataDir, 'text.md');
  writeFileSync(file, '# Soon\rBcc: x@example.org\u2028Bcc: y@example.org\n\n<b>Field</b> goes away.\n');
  const smtpEnv = { ...env, SMTP_URL: server.url };
  const sent = await admin(smtpEnv, 'notice', 'breaking', '--file', file, '--on', '2999-01-15');
  assert.equal(sent.code, 0, sent.err);
  const [{ raw, to }] = server.received as [MailServer['received'][number]];
  assert.deepEqual(to, ['dev@example.org']);
  const [head] = raw.split('\r\n\r\n') as [string];
  assert.ok(!/^bcc/im.test(head));
  assert.match(head, /Subject: Breaking change on January 15, 2999: Soon Bcc/);
  assert.match(raw, /&lt;b&gt;Field&lt;\/b&gt; goes away\./);
});

test('source off --notify switches the source off and sends the notices; without SMTP_URL it changes nothing', async (t) => {
  const server = await mailServer(t);
  const { env, store } = await setUp(t, ['dev@example.org']);
  const off = ['source', 'off', 'gm', '--reason', 'gone', '--notify'];
  const refused = await admin(env, ...off);
  assert.equal(refused.code, 2);
  assert.match(refused.err, /Set SMTP_URL/);
  const dryRun = await admin(env, ...off, '--dry-run');
  assert.match(dryRun.out, /Would go to 1 recipient:/);
  assert.ok((await store.switches()).every(({ source }) => source !== 'gm'));
  const switchedOff = await admin({ ...env, SMTP_URL: server.url }, ...off);
  assert.equal(switchedOff.code, 0, switchedOff.err);
  assert.match(switchedOff.out, /gm is off\./);
  assert.deepEqual(recipientsOf(server), ['dev@example.org']);
});
