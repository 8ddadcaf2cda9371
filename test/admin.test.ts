import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { admin } from './in-process.ts';
import { fakeTime } from './fake-time.ts';
import {
  admin as adminProcess,
  dayAgo,
  folderWithStore,
  startCommand,
  temporaryFolder,
  storeIn,
  filesUnder,
} from './operator.ts';
import { pdfName } from '../src/store/label-bytes.ts';

/** The `admin` command. Runs that need a process or another user are processes of their own. */

async function setUp(t: TestContext) {
  const dataDir = temporaryFolder(t);
  const store = await storeIn(dataDir);
  t.after(() => store.close());
  return { store, dataDir, env: { DATA_DIR: dataDir } };
}

async function storeLabel(store: Awaited<ReturnType<typeof storeIn>>, vin: string, make = 'FORD') {
  const pdf = Buffer.from(`%PDF-1.4 ${vin} ${'x'.repeat(500)}`);
  const label = { vin, make, source: 'ford', host: 'example.com', fetched: 1, paint: null, reader: null };
  return store.addLabel(label, pdf);
}

test('help is printed for every command', async (t) => {
  const { env } = await setUp(t);
  const [all, one] = await Promise.all([admin(env, '-h'), admin(env, 'check', '--help')]);
  assert.equal(all.code, 0);
  for (const name of ['source', 'notice', 'contact', 'contacts', 'labels', 'verify', 'import', 'export'])
    assert.match(all.out, new RegExp(`^  admin ${name} `, 'm'));
  assert.deepEqual([one.code, one.err], [0, '']);
  assert.match(one.out, /^ {2}admin check /m);
});

/** One of each that uses a store. */
const COMMANDS = [
  ['source', 'list'],
  ['source', 'off', 'kia', '--reason', 'a test'],
  ['check', 'kia'],
  ['quarantine'],
  ['notice', 'list'],
  ['contact', 'forget', 'dev@example.org'],
  ['contacts'],
  ['labels'],
  ['verify', '--repair'],
  ['withdraw', '1FTEW2LP7TKE10001', '--reason', 'a test', '--dry-run'],
  ['restore-label', '1FTEW2LP7TKE10001'],
  ['withdraw', '--list'],
  ['rebuild'],
  ['migrate'],
  ['import', 'backup'],
  ['export', 'backup'],
  ['backup', 'backup'],
  ['vpic', 'update', 'release.zip'],
  ['vpic', 'rollback'],
];

test('a command that finds no store creates none, says where it looked and what to set, and fails', async (t) => {
  const folder = temporaryFolder(t);
  const missing = path.join(folder, 'elsewhere');
  for (const dataDir of [missing, folder])
    for (const args of COMMANDS) {
      const { code, out, err } = await admin({ DATA_DIR: dataDir }, ...args);
      assert.deepEqual([code, out], [args[0] === 'check' ? 2 : 1, ''], args.join(' '));
      assert.equal(
        err,
        `There is no store in ${dataDir}. Set DATA_DIR to the folder of the service (DATA_DIR=/var/lib/monroney), or DATABASE_URL, REDIS_URL and S3_URL to its servers.\n`,
      );
    }
  assert.deepEqual(readdirSync(folder), []);
});

test('every command names the store it worked on, on standard error', async (t) => {
  const { env, dataDir } = await setUp(t);
  const elsewhere = temporaryFolder(t);
  const [backup, restored] = [path.join(elsewhere, 'backup'), path.join(elsewhere, 'restored')];
  // The others send requests, or need the shared store.
  const tested = COMMANDS.filter(
    ([name]) => !['check', 'import', 'export', 'backup', 'vpic'].includes(name!),
  );
  for (const args of [...tested, ['backup', backup]]) {
    const { code, err } = await admin(env, ...args);
    // Nothing is stored that could be withdrawn or restored.
    const expected = args.includes('1FTEW2LP7TKE10001') ? 1 : 0;
    assert.deepEqual([code, err], [expected, `Store: ${dataDir}\n`], args.join(' '));
  }
  const { code, err } = await admin({ DATA_DIR: restored }, 'restore', backup);
  assert.deepEqual([code, err], [0, `Store: ${restored}\n`]);
  const relative = await startCommand(t, ['admin', 'labels'], { DATA_DIR: path.relative('.', dataDir) })
    .ended;
  assert.equal(relative.err, `Store: ${dataDir}\n`);
});

test('a reader that stops early, such as head, does not end a command', async (t) => {
  const { env, store } = await setUp(t);
  const { child, ended } = startCommand(t, ['admin', 'source', 'off', 'kia', '--reason', 'a test'], env);
  child.stdout!.destroy();
  const { code, err } = await ended;
  assert.deepEqual([code, err], [0, `Store: ${env.DATA_DIR}\n`]);
  assert.equal((await store.switches())[0]?.state, 'off');
});

test('invalid arguments exit with 2 and switch no source', async (t) => {
  const { env, store } = await setUp(t);
  const cases: [string[], RegExp][] = [
    [[], /^/],
    [['lables'], /^There is no admin command "lables"\./],
    [['contacts', '--dayz', '3'], /dayz/],
    [['source'], /^Usage:/m],
    [['source', 'off'], /^Name a source\. Sources: ford, /m],
    [['labels', 'ford'], /^Usage: admin labels/m],
    [['verify', '--fix'], /^Unknown option '--fix'\.$/m],
    [['source', 'off', 'tesla', '--reason', 'x'], /There is no source "tesla"\. Sources: ford, /],
    [['source', 'off', 'kia'], /Give a reason/],
    [['source', 'off', 'kia', '--reason', '\n '], /Give a reason/],
    [['source', 'off', 'kia', '--reason', 'x', '--dry-run'], /--dry-run needs --notify/],
    [['notice', 'labels-stopped', 'kia'], /is not switched off/],
    [['notice'], /^Usage:/m],
    [['contact', 'forget', 'a@b.c\r\nBcc: d@example.org'], /^Usage:/m],
  ];
  const results = await Promise.all(cases.map(([args]) => admin(env, ...args)));
  for (const [index, [args, message]] of cases.entries()) {
    assert.equal(results[index]!.code, 2, args.join(' '));
    assert.match(results[index]!.err, message);
  }
  const badConfig = await admin({ ...env, NOTICE_DAYS: 'many' }, 'labels');
  assert.equal(badConfig.code, 2);
  assert.match(badConfig.err, /NOTICE_DAYS/);
  assert.deepEqual(await store.switches(), []);
});

test('contacts shows totals by day and the contacts with the most requests', async (t) => {
  const { env, store } = await setUp(t);
  fakeTime(t);
  const use = { contact: 'dev@example.org', day: dayAgo(0), route: '/api/v1/vin/{vin}', count: 7 };
  await store.contacts.add([
    use,
    { ...use, route: '/mcp', count: 3 },
    { ...use, contact: 'shop.example', count: 25 },
    { ...use, day: dayAgo(2), count: 4 },
    { ...use, contact: 'old.example', day: dayAgo(40), count: 1000 },
  ]);
  const { out, code } = await admin(env, 'contacts');
  assert.equal(code, 0);
  assert.equal(
    out,
    `day         requests  contacts
${dayAgo(2)}         4         1
${dayAgo(0)}        35         2

contact          requests
shop.example           25
dev@example.org        14
`,
  );
  const one = await admin(env, 'contacts', '--days', '1');
  assert.ok(!one.out.includes(dayAgo(2)), '--days 1 covers only today');
});

test('a forgotten contact is deleted everywhere', async (t) => {
  const { env, store, dataDir } = await setUp(t);
  const use = { day: dayAgo(1), route: '/api/v1/vin/{vin}', count: 1 };
  await store.contacts.add([
    { ...use, contact: 'forget-me@example.org' },
    { ...use, contact: 'forget-me@example.org', route: '/mcp' },
    { ...use, contact: 'forget-me.example' },
    { ...use, contact: 'keep-me@example.org' },
  ]);
  const recipients = ['forget-me@example.org', 'webmaster@forget-me.example', 'keep-me@example.org'];
  await store.contacts.planNotice('x', recipients, 1);
  const [first, second] = [
    await admin(env, 'contact', 'forget', 'Forget-Me@example.org'),
    await admin(env, 'contact', 'forget', 'forget-me.example'),
  ];
  assert.equal(first.out, 'Forgot forget-me@example.org: 3 rows deleted.\n');
  assert.equal(second.out, 'Forgot forget-me.example: 2 rows deleted.\n');
  const third = await admin(env, 'contact', 'forget', 'forget-me.example');
  assert.equal(third.out, 'There was no data about forget-me.example.\n');
  const remaining = [
    ...(await store.contacts.uses('2000-01-01')).map(({ contact }) => contact),
    ...(await store.contacts.noticeRows('x')).map(({ recipient }) => recipient),
  ];
  assert.deepEqual(remaining, ['keep-me@example.org', 'keep-me@example.org']);
  for (const file of filesUnder(dataDir))
    assert.ok(!readFileSync(file, 'latin1').includes('forget-me'), `${file} still contains it`);
});

test('labels --totals shows counts by make and the disk space used', async (t) => {
  const { env, store } = await setUp(t);
  await storeLabel(store, '1FTEW2LP7TKE10001');
  await storeLabel(store, '1FTEW2LP7TKE10002');
  await storeLabel(store, '5LMJJ2LT7TEL10003', 'LINCOLN');
  const { out, code } = await admin(env, 'labels', '--totals');
  assert.equal(code, 0);
  assert.match(
    out,
    /^make +labels\nFORD +2\nLINCOLN +1\nall +3\n\n0\.0 MB of PDFs, \d+\.\d MB of databases\n$/,
  );
});

test('verify lists corrupted, truncated and missing PDFs; --repair marks them for a new fetch and deletes nothing', async (t) => {
  const { env, store, dataDir } = await setUp(t);
  const time = fakeTime(t);
  const stored = [];
  for (let i = 0; i < 12; i++)
    stored.push(await storeLabel(store, `1FTEW2LP7TKE2000${i.toString(16).toUpperCase()}`));
  const intact = await admin(env, 'verify');
  assert.deepEqual([intact.code, intact.out], [0, '12 labels are intact, 0 are not.\n']);

  const fileOf = ({ sha256 }: { sha256: string }) =>
    filesUnder(path.join(dataDir, 'labels')).find(
      (file) => createHash('sha256').update(readFileSync(file)).digest('hex') === sha256,
    )!;
  const [corrupted, truncated, missing] = stored as [
    (typeof stored)[0],
    (typeof stored)[0],
    (typeof stored)[0],
  ];
  const files = [corrupted, truncated, missing].map(fileOf) as [string, string, string];
  const bytes = readFileSync(files[0]);
  bytes[100]! ^= 1;
  writeFileSync(files[0], bytes);
  writeFileSync(files[1], bytes.subarray(0, 200));
  rmSync(files[2]);

  const report = await time.during(admin(env, 'verify'));
  assert.equal(report.code, 1);
  const damagedLines = [
    `${corrupted.vin}  ${corrupted.sha256}  the bytes have changed`,
    `${truncated.vin}  ${truncated.sha256}  the bytes have changed`,
    `${missing.vin}  ${missing.sha256}  the bytes are missing`,
  ];
  assert.deepEqual(report.out.split('\n').slice(0, 4), [...damagedLines, '9 labels are intact, 3 are not.']);
  assert.ok((await store.find(corrupted.vin)).label, 'verify without --repair changes nothing');

  const repaired = await time.during(admin(env, 'verify', '--repair'));
  assert.equal(repaired.code, 0);
  assert.match(repaired.out, /the bytes have changed; the next lookup fetches it again/);
  const afterRepair = [];
  for (const { vin } of stored) afterRepair.push((await store.find(vin)).label);
  assert.deepEqual(
    afterRepair,
    stored.map((label, index) => (index > 2 ? label : { ...label, damaged: true })),
  );
  assert.ok(existsSync(files[0]) && existsSync(files[1]), 'no file was removed');
  bytes[100]! ^= 1;
  writeFileSync(files[0], bytes);
  assert.deepEqual(
    (await store.find(corrupted.vin)).label,
    corrupted,
    'the label is intact again once its file is restored',
  );
});

test('verify --repair changes nothing when the PDF folder is missing', async (t) => {
  const { env, store, dataDir } = await setUp(t);
  const time = fakeTime(t);
  for (let i = 10; i < 30; i++) await storeLabel(store, `1FTEW2LP7TKE300${i}`);
  rmSync(path.join(dataDir, 'labels'), { recursive: true });
  const repaired = await time.during(admin(env, 'verify', '--repair'));
  assert.equal(repaired.code, 1);
  assert.match(
    repaired.out,
    /0 labels are intact, 20 are not\.\nThat many are unlikely to be damaged, so nothing was changed/,
  );
  assert.equal((await store.counts()).labels, 20);
});

test('rebuild restores the rows of a lost database from the files beside the PDFs', async (t) => {
  const { env, store, dataDir } = await setUp(t);
  const stored = [];
  for (let i = 0; i < 5; i++) stored.push(await storeLabel(store, `1FTEW2LP7TKE4000${i}`));
  const none = await admin(env, 'rebuild');
  assert.deepEqual([none.code, none.out], [0, '0 rows rebuilt, 5 already existed.\n']);
  await store.close();
  for (const end of ['', '-wal', '-shm']) rmSync(path.join(dataDir, `labels.sqlite${end}`), { force: true });
  rmSync(path.join(dataDir, pdfName(stored[4]!)));
  writeFileSync(path.join(dataDir, 'labels', '1F', 'unknown.json'), '{"vin":"1FTEW2LP7TK');
  const rebuilt = await admin(env, 'rebuild');
  assert.deepEqual(
    [rebuilt.code, rebuilt.out],
    [
      1,
      '4 rows rebuilt, 0 already existed.\n' +
        'Labels whose file is missing or corrupted: 1. Restore the files from a backup.\n',
    ],
  );
  const reopened = await storeIn(dataDir);
  t.after(() => reopened.close());
  assert.deepEqual(await reopened.labels(null, 10), stored.slice(0, 4));
});

const NOBODY = 65_534;

test(
  'as root, a command becomes the owner of DATA_DIR, who could make root write elsewhere through links',
  { skip: process.geteuid?.() === 0 ? false : 'skipped: becoming another user needs root' },
  async (t) => {
    const dataDir = await folderWithStore(t);
    // The command creates it again.
    rmSync(path.join(dataDir, 'cache.sqlite'));
    for (const name of ['.', ...readdirSync(dataDir)]) chownSync(path.join(dataDir, name), NOBODY, NOBODY);
    const env = { DATA_DIR: dataDir };
    assert.equal((await adminProcess(t, env, 'labels')).code, 0);
    assert.ok(existsSync(path.join(dataDir, 'cache.sqlite')));
    for (const name of readdirSync(dataDir))
      assert.equal(statSync(path.join(dataDir, name)).uid, NOBODY, name);
    // Only root could open this one.
    chownSync(path.join(dataDir, 'labels.sqlite'), 0, 0);
    const refused = await adminProcess(t, env, 'labels');
    assert.equal(refused.code, 1);
    assert.match(refused.err, /EACCES/);
  },
);

test(
  'as root, a command stays root where the owner of DATA_DIR cannot reach it, as with systemd’s dynamic users',
  { skip: process.geteuid?.() === 0 ? false : 'skipped: becoming another user needs root' },
  async (t) => {
    const hidden = temporaryFolder(t);
    const dataDir = path.join(hidden, 'data');
    const store = await storeIn(dataDir);
    await store.close();
    chownSync(dataDir, NOBODY, NOBODY);
    const { code, err } = await adminProcess(t, { DATA_DIR: dataDir }, 'labels');
    assert.equal(code, 0, err);
  },
);

test(
  'a command neither writes nor deletes anything through a link in DATA_DIR',
  { skip: process.platform === 'win32' ? 'skipped: creating links needs administrator rights' : false },
  async (t) => {
    const [dataDir, elsewhere] = [await folderWithStore(t), temporaryFolder(t)];
    const victim = path.join(elsewhere, 'victim');
    writeFileSync(victim, 'untouched');
    // Without a database, the command removes this file and creates both.
    rmSync(path.join(dataDir, 'labels.sqlite'));
    symlinkSync(victim, path.join(dataDir, 'rebuild.unfinished'));
    assert.equal((await admin({ DATA_DIR: dataDir }, 'labels')).code, 0);
    assert.equal(readFileSync(victim, 'utf8'), 'untouched');

    const quarantine = path.join(elsewhere, 'quarantine');
    mkdirSync(quarantine);
    writeFileSync(path.join(quarantine, 'a.json'), '{}');
    symlinkSync(quarantine, path.join(dataDir, 'quarantine'));
    const removed = await admin({ DATA_DIR: dataDir }, 'quarantine', 'remove', '--all');
    assert.equal(removed.code, 1);
    assert.match(removed.err, /quarantine is a symbolic link/);
    assert.ok(existsSync(path.join(quarantine, 'a.json')));
  },
);
