import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from '../src/config.ts';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';

/** The service as its operator sees it: a process that starts, says where it is, and stops when told. */

const command = fileURLToPath(new URL('../bin/monroney.mjs', import.meta.url));

interface Served {
  child: ChildProcess;
  output(): string;
  origin: Promise<string>;
  ended: Promise<number | null>;
}

function serve(t: TestContext, env: Record<string, string>): Served {
  const child = spawn(process.execPath, [command, 'serve'], {
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...env },
  });
  t.after(() => child.kill('SIGKILL'));
  let output = '';
  const origin = new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /listens on (http:\S+[^.\s])/.exec(output);
      if (found) resolve(found[1]!);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('close', () => reject(new Error(`The service ended before it listened: ${output}`)));
  });
  // Some tests expect the start to fail and never wait for the origin.
  origin.catch(() => {});
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output: () => output, origin, ended };
}

function folder(t: TestContext): string {
  const dir = mkdtempSync(path.join(tmpdir(), 'monroney-process-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('a bad value stops the start, and the message names its variable', async (t) => {
  const badValues = [
    ['PORT', 'eighty', /PORT/],
    ['BASE_URL', 'nowhere', /BASE_URL/],
    ['BASE_URL', 'https://x.org/ü', /BASE_URL/],
    ['TRUSTED_PROXIES', '999.1.1.1', /TRUSTED_PROXIES/],
    ['SOURCES_OFF', 'tesla', /SOURCES_OFF/],
    ['REDIS_URL', 'redis://localhost', /DATABASE_URL/],
  ] as const;
  for (const [name, value, message] of badValues)
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) => error instanceof ConfigError && message.test(error.message),
      name,
    );
  // A start takes seconds, so only one is real: every ConfigError ends it the same way.
  const service = serve(t, { DATA_DIR: folder(t), PORT: 'eighty' });
  assert.equal(await service.ended, 2);
  assert.match(service.output(), /PORT/);
});

test('on any free port its links name the port that it got', async (t) => {
  const service = serve(t, { DATA_DIR: folder(t) });
  const origin = await service.origin;
  const answer = await fetch(`${origin}/api/v1/vin/1FMUK8DH0TG000000`);
  const { windowSticker } = (await answer.json()) as VinResponse;
  assert.ok(windowSticker.pdf?.startsWith(`${origin}/`));
  assert.equal((await fetch(windowSticker.pdf!)).status, 200);
});

test('it says where it listens and three addresses to try, and each of them answers', async (t) => {
  const service = serve(t, { DATA_DIR: folder(t) });
  const origin = await service.origin;
  const addresses = service
    .output()
    .match(/^ {2}http:\S+$/gm)!
    .map((line) => line.trim());
  assert.equal(addresses.length, 3);
  for (const address of addresses) assert.equal((await fetch(address)).status, 200, address);
  assert.equal(((await (await fetch(`${origin}/readyz`)).json()) as { ok: boolean }).ok, true);
});

test('SIGTERM lets a request under way finish, then ends with 0', async (t) => {
  const simulator = await startSimulator();
  t.after(() => simulator.close());
  const vin = '1FTEW2LP7TKE12345';
  simulator.set(vin, 'slow-label');
  const service = serve(t, { DATA_DIR: folder(t), SOURCE_ORIGIN: simulator.origin });
  const origin = await service.origin;
  const answer = fetch(`${origin}/api/v1/vin/${vin}`);
  while (simulator.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  service.child.kill('SIGTERM');
  const body = (await (await answer).json()) as { windowSticker: { available: boolean } };
  assert.equal(body.windowSticker.available, true);
  assert.equal(await service.ended, 0);
  await assert.rejects(fetch(`${origin}/healthz`));
});

test('a second service on the same folder is refused in plain words', async (t) => {
  const dir = folder(t);
  const first = serve(t, { DATA_DIR: dir });
  await first.origin;
  const second = serve(t, { DATA_DIR: dir });
  assert.equal(await second.ended, 1);
  assert.match(second.output(), /already|another|in use/i);
});

test('SIGTERM to npm stops the service that npm start started', async (t) => {
  const npm = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    env: { PATH: process.env.PATH, HOME: folder(t), HOST: '127.0.0.1', PORT: '0', DATA_DIR: folder(t) },
  });
  let output = '';
  const origin = await new Promise<string>((resolve) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /listens on (http:\S+[^.\s])/.exec(output);
      if (found) resolve(found[1]!);
    };
    npm.stdout.on('data', hear);
    npm.stderr.on('data', hear);
  });
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  // The pipes close when the last process that has them ends: npm, its shell and the service.
  const allEnded = new Promise((resolve) => npm.once('close', resolve));
  npm.kill('SIGTERM');
  await allEnded;
  await assert.rejects(fetch(`${origin}/healthz`));
  assert.match(output, /"stopped"/);
});

test('warnings of libraries are lines of the log, and a bad proxy is refused without its password', async (t) => {
  const warn = "setTimeout(() => process.emitWarning('an odd thing', 'LibraryWarning', 'LIB1'), 500)";
  const service = serve(t, {
    DATA_DIR: folder(t),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`if (process.permission) ${warn}`)}`,
  });
  await service.origin;
  for (let waited = 0; waited < 100 && !service.output().includes('an odd thing'); waited++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const [line] = service.output().match(/^.*an odd thing.*$/gm) ?? [];
  const { level, name, code, text } = JSON.parse(line!) as Record<string, string>;
  assert.deepEqual(
    { level, name, code, text },
    { level: 'warn', name: 'LibraryWarning', code: 'LIB1', text: 'an odd thing' },
  );
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);
  const refused = serve(t, { DATA_DIR: folder(t), HTTPS_PROXY: 'socks5://user:secret@proxy.example' });
  assert.equal(await refused.ended, 2);
  assert.match(refused.output(), /HTTPS_PROXY must be the URL of a proxy/);
  assert.doesNotMatch(refused.output(), /secret/);
});
