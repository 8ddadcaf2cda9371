import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { LabelResponse, VinResponse } from '@monroney/client';
import { childEnv, MONRONEY, startMonroney, monroney, type CommandOptions } from './command.ts';
import { startHttpServer } from './http-server.ts';
import { runInProcess } from './in-process.ts';
import { serviceOfFile } from './simulated.ts';
import { makeCount } from '../src/makers/index.ts';
import { freePort } from '../tools/free-port.ts';

const [ford, jeep, nissan] = ['1FMUK8DH0TG000000', '1C4RJHBR7TC000000', '3N8AP6DA9SL000000'];
const [failing, none, honda] = ['JF2SKAGC8RH000000', '2LMPJ8J99PB000000', '1HGCV3F53MA000000'];
const specimen = (vin: string) =>
  readFileSync(new URL(`../src/lookup/specimens/${vin}.pdf`, import.meta.url));

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'monroney-cli-'));
});
after(() => rmSync(folder, { recursive: true }));

/** Without rate limits: together these tests exceed one client's limit. */
const service = await serviceOfFile({ LIMIT: 'off' });
const env = { MONRONEY_URL: service.origin };
const run = (args: string[], { env = {}, input = '' }: CommandOptions = {}) =>
  runInProcess(args, { ...childEnv, ...env }, input);

test('lookup prints one VIN in detail, several as a table, and with --json the API’s response', async () => {
  const one = await run(['lookup', ford.toLowerCase()], { env });
  assert.equal(one.code, 0, one.err);
  assert.match(one.out, /^2026 Ford Explorer Active 4WD, a sample\n/);
  assert.match(one.out, /Paint +HARBOR BLUE METALLIC/);
  assert.ok(!one.out.includes('\x1b'));

  const many = await run(['lookup'], {
    env,
    input: `${ford}\n\n${honda}\r\n${ford}\n1fmuk8dh0tgO00000\n`,
  });
  assert.equal(many.code, 1);
  const rows = many.out.trimEnd().split('\n');
  assert.equal(rows.length, 3);
  assert.match(rows[0]!, /^VIN +YEAR +MAKE/);
  assert.match(rows[2]!, /Honda +Accord +sample, no stickers/);
  assert.match(many.err, /^1fmuk8dh0tgO00000 .*letter O.*1FMUK8DH0TG000000.*\n$/);
  const wrong = await run(['lookup', 'ABC'], { env });
  assert.deepEqual([wrong.code, wrong.out], [1, '']);
  assert.match(wrong.err, /17 characters|seventeen/);

  const json = await run(['lookup', '--json', ford, 'x'], { env });
  const [found, bad] = json.lines<VinResponse & { reason?: string }>();
  assert.deepEqual(found, await service.json(`/api/v1/vin/${ford}`));
  assert.equal(bad?.reason, 'bad-vin');
});

test('lookup --no-sticker sends no request to a manufacturer', async () => {
  const result = await run(['lookup', '--json', '--no-sticker', '1FTFW1E50PFA12345'], { env });
  assert.equal(result.lines<VinResponse>()[0]?.windowSticker.available, null);

  const input = ['1FTFW1E50PFA12345', 'ABC', ford].join('\n');
  const many = await run(['lookup', '--json', '--no-sticker'], { env, input });
  assert.equal(many.code, 1, many.err);
  const [notLookedUp, bad, stored] = many.lines<VinResponse & { reason?: string }>();
  assert.deepEqual([notLookedUp?.windowSticker.available, bad?.reason], [null, 'bad-vin']);
  const { windowSticker } = stored!;
  assert.deepEqual([stored?.ok, windowSticker.available], [true, true]);
});

test('get saves the exact bytes under the VIN’s name and skips files that exist', async () => {
  const saved = await monroney(['get', ford], { env, cwd: folder });
  assert.equal(saved.code, 0, saved.err);
  assert.match(saved.out, /^1FMUK8DH0TG000000 .*, a sample\n$/);
  const file = join(folder, `window-sticker-${ford}.pdf`);
  assert.ok(readFileSync(file).equals(specimen(ford)));

  const out = join(folder, 'many');
  const input = [ford, jeep, none, honda].join('\n');
  const first = await run(['get', '--json', '--out', out], { env, input });
  assert.equal(first.code, 1);
  const results = first.lines<{ vin: string; state: string; sha256: string | null; reason: string | null }>();
  assert.deepEqual(
    results.map(({ state }) => state),
    ['saved', 'saved', 'none', 'none'],
  );
  assert.deepEqual([results[2]?.reason, results[3]?.reason], ['no-label', 'make-not-supported']);
  assert.equal(results[0]?.sha256, createHash('sha256').update(specimen(ford)).digest('hex'));

  const before = statSync(join(out, `window-sticker-${ford}.pdf`)).mtimeMs;
  rmSync(join(out, `window-sticker-${jeep}.pdf`));
  const secondRun = await run(['get', '--out', out, ford, jeep], { env });
  assert.equal(secondRun.code, 0, secondRun.err);
  assert.match(secondRun.out, /exists .*\n.*KB/);
  assert.equal(statSync(join(out, `window-sticker-${ford}.pdf`)).mtimeMs, before);
  assert.deepEqual(readdirSync(out).sort(), [`window-sticker-${jeep}.pdf`, `window-sticker-${ford}.pdf`]);
});

test('get and read say that a VIN with a wrong check digit may be mistyped', async () => {
  for (const command of [['get'], ['get', '--local'], ['get', '-o', '-'], ['read']]) {
    const result = await run([...command, '5GAEVAKW4RJ000000'], { env: { ...env, DATA_DIR: folder } });
    assert.equal(result.code, 1, result.err);
    assert.match(
      result.out + result.err,
      /check digit .* one character is probably wrong/,
      command.join(' '),
    );
  }
});

test('get -o writes to a file or to standard output', async () => {
  const file = join(folder, 'sticker.pdf');
  assert.equal((await run(['get', jeep, '-o', file], { env })).code, 0);
  assert.ok(readFileSync(file).equals(specimen(jeep)));
  const { child, done } = startMonroney(['get', ford, '-o', '-'], { env, binary: true });
  const chunks: Buffer[] = [];
  child.stdout!.on('data', (chunk: Buffer) => chunks.push(chunk));
  assert.equal((await done).code, 0);
  assert.ok(Buffer.concat(chunks).equals(specimen(ford)));
});

test('get -o - ends quietly when its reader closes the pipe', async () => {
  // Larger than the buffer of a pipe.
  const { child, done } = startMonroney(['get', nissan, '-o', '-'], { env, binary: true });
  child.stdout!.once('data', () => child.stdout!.destroy());
  const { code, err } = await done;
  assert.deepEqual([code, err], [0, '']);
});

test('get explains an unusable output path before it sends a request', async () => {
  const file = join(folder, 'a-file');
  writeFileSync(file, 'x');
  const noService = ['--url', 'http://127.0.0.1:9'];
  const cases: [string[], RegExp][] = [
    [['-o', join(folder, 'gone', 'x.pdf')], /^The folder .*gone does not exist\.\n$/],
    [['-o', folder], /is a folder\. Use --out/],
    [['--out', file], /a-file is not a folder\.\n$/],
    [['--out', join(file, 'below')], /is not a folder\.\n$/],
  ];
  for (const [args, message] of cases) {
    const result = await run(['get', ford, ...args, ...noService]);
    assert.equal(result.code, 1, args.join(' '));
    assert.match(result.err, message);
    assert.equal(result.out, '');
  }
});

const inProc = { skip: process.platform === 'linux' ? false : 'skipped: no /proc' };
test('a folder that cannot be created is reported at once', inProc, async () => {
  const result = await run(['get', ford, '--out', '/proc/nope/deeper', '--url', 'http://127.0.0.1:9']);
  assert.equal(result.code, 1);
  assert.match(result.err, /^Can't create the folder \/proc\/nope\/deeper/);
  const local = await run(['lookup', '--local', ford], { env: { DATA_DIR: '/proc/nope' } });
  assert.equal(local.code, 2);
  assert.match(local.err, /^Can't open the store in DATA_DIR \(\/proc\/nope\)/);
  const mcp = await run(['mcp', '--local'], { env: { DATA_DIR: '/proc/nope' } });
  assert.deepEqual([mcp.code, mcp.err.replace(/:[^:]*$/, '')], [1, "Can't open the store: ENOENT"]);
});

test('lookup exits with 3 if a manufacturer failed, and with 0 if it has no label', async () => {
  const result = await run(['lookup', '--json', none, failing], { env });
  assert.equal(result.code, 3, result.err);
  assert.deepEqual(
    result.lines<VinResponse>().map(({ windowSticker }) => windowSticker.reason),
    ['no-label', 'source-failed'],
  );
  assert.equal((await run(['lookup', none], { env })).code, 0);
  assert.equal((await run(['lookup', '--no-sticker', '1FTFW1E50PFA12345'], { env })).code, 0);
});

test('get exits with 3 if a label may be available later', async () => {
  const result = await run(['get', '--json', failing, '--out', folder, '--wait', '5'], { env });
  assert.equal(result.code, 3);
  assert.deepEqual(
    [result.lines<{ state: string }>()[0]?.state, result.lines<{ reason: string }>()[0]?.reason],
    ['failed', 'source-failed'],
  );
});

test('read accepts VINs and files, and keeps their order', async () => {
  const file = join(folder, 'a-file.pdf');
  writeFileSync(file, specimen(jeep));
  const result = await run(['read', ford, file, nissan, none], { env });
  assert.equal(result.code, 1);
  const lines = result.lines<{
    file: string | null;
    vin: string;
    sample?: boolean;
    label: LabelResponse['label'];
    reason: string | null;
  }>();
  assert.deepEqual(
    lines.map(({ file, vin, sample, reason }) => [file, vin, sample, reason]),
    [
      [null, ford, true, null],
      [file, jeep, true, null],
      [null, nissan, true, 'picture'],
      [null, none, true, 'no-label'],
    ],
  );
  const api = await service.json<LabelResponse>(`/api/v1/vin/${ford}/label`);
  assert.deepEqual(lines[0]?.label, api.label);

  const input = `${ford.toLowerCase()}\n\n${file}\nsee ${nissan}\n${ford}\n`;
  const fromInput = await run(['read'], { env, input });
  assert.equal(fromInput.code, 0, fromInput.err);
  assert.deepEqual(
    fromInput.lines<{ file: string | null; vin: string }>().map(({ file, vin }) => [file, vin]),
    [
      [null, ford],
      [file, jeep],
      [null, nissan],
    ],
  );
});

test('makes lists every make', async () => {
  const table = await run(['makes'], { env });
  assert.equal(table.out.trimEnd().split('\n').length, makeCount + 1);
  assert.match(table.out, /Infiniti +nissan +picture +dealer-copy /);
  assert.equal((await run(['makes', '--json'], { env })).lines().length, makeCount);
});

test('Ctrl-C exits with 130 and leaves no partial file', async (t) => {
  const requested = Promise.withResolvers<void>();
  const url = await startHttpServer(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' });
    response.write('%PDF-');
    requested.resolve();
  });
  const out = join(folder, 'stopped');
  const { child, done } = startMonroney(['get', ford, '--out', out, '--url', url]);
  await requested.promise;
  child.kill('SIGINT');
  const { code, err } = await done;
  assert.equal(code, 130, err);
  assert.deepEqual(readdirSync(out), []);
});

test('commands end on Ctrl-C while they wait for VINs on standard input', async () => {
  for (const command of ['read', 'decode']) {
    const child = spawn(process.execPath, [MONRONEY, command], { env: childEnv });
    child.stdout.resume();
    child.stderr.resume();
    // More than fits into a pipe: when it is written, the command has begun to read.
    await new Promise((resolve) => child.stdin.write('\n'.repeat(300_000), resolve));
    child.kill('SIGINT');
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    assert.deepEqual([command, code, signal], [command, 130, null]);
  }
});

test('an unreachable service is reported with a readable error and exit code 3', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const result = await run(['lookup', ford, '--url', url]);
  assert.equal(result.code, 3);
  assert.ok(result.err.startsWith(`Can't reach ${url}`), result.err);
  assert.match(result.err, /Is the service running\? "monroney serve" starts it/);
  assert.equal((await run(['makes', '--url', url])).code, 3);
});

test('--local needs no service, and works next to one that uses the same store', async () => {
  const env = { DATA_DIR: service.dataDir };
  const [found] = (await run(['lookup', '--local', '--json', ford], { env })).lines<VinResponse>();
  assert.equal(found?.windowSticker.paint?.color, 'HARBOR BLUE METALLIC');
  const result = await run(['get', '--local', ford, nissan, '--out', join(folder, 'local')], { env });
  assert.equal(result.code, 0, result.err);
  assert.ok(readFileSync(join(folder, 'local', `window-sticker-${nissan}.pdf`)).equals(specimen(nissan)));
  const [read] = (await run(['read', '--local', ford], { env })).lines<LabelResponse>();
  assert.equal(read?.proof?.closes, true);
  const missing = await run(['get', '--local', none, failing, '--out', folder], { env });
  assert.equal(missing.code, 3);
  const makes = await run(['makes', '--local', '--json'], { env });
  assert.equal(makes.out.trimEnd().split('\n').length, makeCount);
});
