import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { specimens } from '../src/lookup/specimens/index.ts';
import { startMailServer, type MailServer } from './mail-server.ts';
import { admin } from './in-process.ts';
import { eventually } from './operator.ts';
import { startService, type Service } from './service.ts';

/** A breaking change, announced by a running service by e-mail and in response headers. */

let service: Service;
let mail: MailServer;
let env: Record<string, string>;
let file: string;
const [{ vin }] = specimens as [(typeof specimens)[number]];
const SUNSET = '2999-01-15';

before(async () => {
  [service, mail] = await Promise.all([startService({ BASE_URL: 'http://localhost' }), startMailServer()]);
  env = { DATA_DIR: service.dataDir, BASE_URL: 'http://localhost', SMTP_URL: mail.url };
  file = path.join(service.dataDir, 'change.md');
  writeFileSync(file, '# The field paint goes away\n\nUse the label instead.\n');
});
after(async () => {
  mail.kill();
  await service.close();
});

const deprecationHeaders = async (path: string, init?: RequestInit) => {
  const { headers } = await service.get(path, init);
  return {
    deprecation: headers.get('deprecation'),
    sunset: headers.get('sunset'),
    link: headers.get('link'),
  };
};

test('a breaking change is e-mailed to users of the route and announced in its responses', async () => {
  const lookup = `/api/v1/vin/${vin}`;
  await service.get(lookup, { headers: { 'x-contact': 'lookup@example.org' } });
  await service.get(`/api/sticker/${vin}?contact=sticker@example.org`);
  await service.runtime.contacts.flush();
  const announce = ['notice', 'breaking', '--file', file, '--on', SUNSET, '--route', '/api/v1/vin/{vin}'];

  const dryRun = await admin(env, ...announce, '--dry-run');
  assert.match(dryRun.out, /Would go to 1 recipient:\n {2}lookup@example\.org/);
  assert.deepEqual(await service.runtime.store.contacts.lifecycles(), []);

  const sent = await admin(env, ...announce);
  assert.equal(sent.code, 0, sent.err);
  assert.deepEqual(
    mail.received.map(({ to }) => to),
    [['lookup@example.org']],
  );
  assert.match(
    mail.received[0]!.raw,
    /Subject: Breaking change on January 15, 2999: The field paint goes away/,
  );
  assert.match(mail.received[0]!.raw, /Use the label instead\./);

  const { deprecation, sunset, link } = await eventually(
    () => deprecationHeaders(lookup),
    (headers) => headers.deprecation !== null,
  );
  assert.match(deprecation!, /^@\d+$/);
  assert.equal(sunset, 'Tue, 15 Jan 2999 00:00:00 GMT');
  assert.match(link!, /<http:\/\/localhost\/docs\/versioning>; rel="deprecation"; type="text\/html"/);
  assert.match(link!, /<http:\/\/localhost\/docs\/versioning>; rel="sunset"; type="text\/html"/);

  for (const init of [{ method: 'HEAD' }, { headers: { 'if-none-match': '*' } }])
    assert.equal((await deprecationHeaders(lookup, init)).deprecation, deprecation);
  assert.equal((await deprecationHeaders('/api/v1/vin/NONSENSE')).deprecation, deprecation, 'on errors too');
  assert.equal((await deprecationHeaders(`/api/sticker/${vin}`)).deprecation, null, 'not on other routes');

  const secondRun = await admin(env, ...announce);
  assert.equal(secondRun.code, 0, secondRun.err);
  assert.equal(mail.received.length, 1, 'a second announcement sends no second e-mail');
  await service.runtime.lifecycles.refresh();
  assert.equal((await deprecationHeaders(lookup)).deprecation, deprecation, 'and does not change the date');
});

test('a change with --from is announced only from that date, and a withdrawn one no longer', async () => {
  const route = '/api/sticker/{vin}';
  const later = [
    'notice',
    'breaking',
    '--file',
    file,
    '--on',
    SUNSET,
    '--from',
    '2998-06-01',
    '--route',
    route,
  ];
  assert.equal((await admin(env, ...later)).code, 0);
  await service.runtime.lifecycles.refresh();
  assert.equal((await deprecationHeaders(`/api/sticker/${vin}`)).deprecation, null);
  const listed = await admin(env, 'notice', 'list');
  assert.match(listed.out, /\/api\/sticker\/\{vin\} {2}2998-06-01 {2}2999-01-15/);
  assert.match(listed.out, /breaking 2999-01-15 The field paint goes away {2} +2 {2} +0 {2} +0/);
  assert.equal((await admin(env, 'notice', 'withdraw', '/api/v1/vin/{vin}')).code, 0);
  await service.runtime.lifecycles.refresh();
  assert.equal((await deprecationHeaders(`/api/v1/vin/${vin}`)).deprecation, null);
});

test('without --route, a change applies to the entire API and the tools', async () => {
  const sent = await admin(env, 'notice', 'breaking', '--file', file, '--on', '2998-01-15');
  assert.equal(sent.code, 0, sent.err);
  await service.runtime.lifecycles.refresh();
  for (const path of [`/api/v1/vin/${vin}`, `/api/v1/vin/${vin}/label`, '/mcp'])
    assert.ok((await deprecationHeaders(path)).deprecation, path);
  assert.equal((await deprecationHeaders('/')).deprecation, null);
});

test('an invalid change is rejected before any e-mail is sent', async () => {
  const before = mail.received.length;
  const cases: [string[], RegExp][] = [
    [['--file', file], /needs --file text\.md and --on/],
    [['--on', SUNSET], /needs --file/],
    [['--file', file, '--on', '2027-02-30'], /--on/],
    [['--file', file, '--on', '2020-01-01'], /must be in the future/],
    [['--file', file, '--on', SUNSET, '--from', '2999-02-01'], /before it/],
    [['--file', file, '--on', SUNSET, '--route', '/api/v2/vin/{vin}'], /There is no route/],
    [['--file', `${file}.not`, '--on', SUNSET], /no such file/],
  ];
  const results = await Promise.all(cases.map(([args]) => admin(env, 'notice', 'breaking', ...args)));
  for (const [index, [args, message]] of cases.entries()) {
    assert.notEqual(results[index]!.code, 0, args.join(' '));
    assert.match(results[index]!.err, message);
  }
  assert.equal(mail.received.length, before);
});
