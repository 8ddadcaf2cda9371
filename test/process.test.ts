import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ConfigError, readConfig } from '../src/config.ts';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { cachedStart } from '../tools/drill/drill.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { childEnv, MONRONEY } from './command.ts';
import { eventually } from './operator.ts';

/** The service as an operator sees it: a process that starts, prints its URL and stops on SIGTERM. */

interface StartedService {
  child: ChildProcess;
  output(): string;
  /** Waits until it prints this. */
  printed(text: string): Promise<void>;
  origin: Promise<string>;
  ended: Promise<number | null>;
}

const project = fileURLToPath(new URL('..', import.meta.url));
const dataDir = mkdtempSync(path.join(tmpdir(), 'monroney-process-'));
const children: ChildProcess[] = [];
after(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts `monroney serve`, or another command that starts it. */
function serve(
  env: Record<string, string> = {},
  command: readonly string[] = [process.execPath, MONRONEY, 'serve'],
): StartedService {
  const [program, ...args] = command;
  const child = spawn(program!, args, {
    cwd: project,
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, ...env },
  });
  children.push(child);
  let output = '';
  const outputs = new EventEmitter();
  const origin = new Promise<string>((resolve, reject) => {
    const onOutput = (chunk: Buffer) => {
      output += chunk.toString();
      outputs.emit('more');
      const match = /listens on (http:\S+[^.\s])/.exec(output);
      if (match) resolve(match[1]!);
    };
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    child.once('close', () => reject(new Error(`The service exited before it was listening: ${output}`)));
  });
  // Some tests expect the start to fail and never wait for the origin.
  origin.catch(() => {});
  // The pipes close when the last process that uses them ends: under npm that is the service.
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const printed = async (text: string) => {
    while (!output.includes(text)) await once(outputs, 'more');
  };
  return { child, output: () => output, printed, origin, ended };
}

/** Starts it with the compile cache of the test run, for starts that are not themselves the point. */
function serveCached(env: Record<string, string>): StartedService {
  const flags = cachedStart(env.DATA_DIR ?? dataDir);
  const { NODE_COMPILE_CACHE, NODE_ENV } = childEnv;
  return serve(
    { ...env, ...(flags.length > 0 && NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE, NODE_ENV } : {}) },
    [process.execPath, ...flags, MONRONEY, 'serve'],
  );
}

const simulator = await startSimulator();
after(() => simulator.close());
const odd =
  "setTimeout(() => { process.emitWarning('an odd thing', 'LibraryWarning', 'LIB1'); Promise.reject(new Error('a fault')); }, 500)";

/** A start takes seconds of CPU time, so the tests share a service; the last of them ends it. */
let shared: StartedService | undefined;
const sharedService = () =>
  (shared ??= serve({
    SOURCE_ORIGIN: simulator.origin,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`if (process.permission) ${odd}`)}`,
  }));

test('an invalid setting prevents startup; the error names the variable and shows no password', async () => {
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
  // One real start is enough: every ConfigError ends it the same way.
  const failed = serveCached({ PORT: 'eighty', HTTPS_PROXY: 'socks5://user:secret@proxy.example' });
  assert.equal(await failed.ended, 2);
  assert.match(failed.output(), /PORT/);
  assert.match(failed.output(), /HTTPS_PROXY must be the URL of a proxy/);
  assert.doesNotMatch(failed.output(), /secret/);
});

test('with PORT=0, links contain the actual port', async () => {
  const origin = await sharedService().origin;
  const response = await fetch(`${origin}/api/v1/vin/1FMUK8DH0TG000000`);
  const { windowSticker } = (await response.json()) as VinResponse;
  assert.ok(windowSticker.pdf?.startsWith(`${origin}/`));
  assert.equal((await fetch(windowSticker.pdf!)).status, 200);
});

test('startup prints three URLs to try, and each of them works', async () => {
  const service = sharedService();
  const origin = await service.origin;
  const urls = service
    .output()
    .match(/^ {2}http:\S+$/gm)!
    .map((line) => line.trim());
  assert.equal(urls.length, 3);
  for (const url of urls) assert.equal((await fetch(url)).status, 200, url);
  assert.equal(((await (await fetch(`${origin}/readyz`)).json()) as { ok: boolean }).ok, true);
});

test('a second service on the same DATA_DIR exits with 1 and says why', async () => {
  await sharedService().origin;
  const second = serveCached({});
  assert.equal(await second.ended, 1);
  assert.match(second.output(), /already|another|in use/i);
});

test('a port or a host that cannot be used prevents startup, and the error names the variable', async () => {
  const { port } = new URL(await sharedService().origin);
  const cases = [
    ['PORT', port, `Port ${port} is already in use\\..* PORT `],
    // Not even a name server is asked for an empty label.
    ['ADMIN_HOST', 'a..b', 'No IP address found for a\\.\\.b\\. Set ADMIN_HOST '],
  ] as const;
  for (const [variable, value, message] of cases) {
    const env = { DATA_DIR: path.join(dataDir, variable), ADMIN_PORT: '0', [variable]: value };
    const { output, ended } = serveCached(env);
    assert.equal(await ended, 1);
    assert.match(output(), new RegExp(`^Monroney can't start: ${message}`, 'm'));
  }
});

test('a DATA_DIR that cannot be created prevents startup, and the error names the variable', async () => {
  const file = path.join(dataDir, 'a-file');
  writeFileSync(file, '');
  const cases = [[path.join(file, 'data'), 'is a file, not a folder']];
  // Nobody can create a folder there, not even root.
  if (process.platform === 'linux') cases.push(['/proc/monroney/data', "can't be created"]);
  for (const [folder, problem] of cases) {
    const { output, ended } = serve({ DATA_DIR: folder! });
    assert.equal(await ended, 1);
    assert.match(output(), new RegExp(`^Monroney can't start: DATA_DIR ${folder} ${problem}: `, 'm'));
  }
});

test('a start without the permission model of Node is logged, and a log that nobody reads ends nothing', async () => {
  // Spaces around it are ignored. Node would read the comma as the end of a path.
  const folder = path.join(dataDir, 'with,comma');
  const service = serve({ DATA_DIR: ` ${folder} ` });
  const origin = await service.origin;
  assert.ok(existsSync(path.join(folder, 'labels.sqlite')));
  assert.match(service.output(), /"level":"warn","message":"Node's permission model is off/);
  assert.doesNotMatch(sharedService().output(), /permission model/);

  // It keeps running when nobody reads its log any more.
  service.child.stdout!.destroy();
  service.child.stderr!.destroy();
  // More lines than the log collects before it writes.
  for (let n = 0; n < 400; n++) assert.equal((await fetch(`${origin}/robots.txt`)).status, 200);
  service.child.kill('SIGTERM');
  assert.equal(await service.ended, 0);
});

test('library warnings are logged as JSON', async () => {
  const service = sharedService();
  await service.origin;
  await service.printed('an odd thing');
  const [line] = service.output().match(/^.*an odd thing.*$/gm) ?? [];
  const { level, name, code, text } = JSON.parse(line!) as Record<string, string>;
  assert.deepEqual(
    { level, name, code, text },
    { level: 'warn', name: 'LibraryWarning', code: 'LIB1', text: 'an odd thing' },
  );
});

test('a rejection that nobody handles is logged, and the service keeps running', async () => {
  const service = sharedService();
  const origin = await service.origin;
  await service.printed('unhandled rejection');
  assert.match(service.output(), /"level":"error","message":"unhandled rejection","error":"Error: a fault/);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
});

test('on SIGTERM the service finishes the current request and exits with 0', async () => {
  const vin = '1FTEW2LP7TKE12345';
  simulator.set(vin, 'slow-label');
  const service = sharedService();
  const origin = await service.origin;
  const response = fetch(`${origin}/api/v1/vin/${vin}`);
  await eventually(
    async () => simulator.requests.length,
    (count) => count > 0,
  );
  service.child.kill('SIGTERM');
  const body = (await (await response).json()) as { windowSticker: { available: boolean } };
  assert.equal(body.windowSticker.available, true);
  assert.equal(await service.ended, 0);
  await assert.rejects(fetch(`${origin}/healthz`));
});

test('SIGTERM to npm stops the service that npm start started', async () => {
  const npm = serve({ HOME: dataDir }, ['npm', 'start']);
  const origin = await npm.origin;
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
  npm.child.kill('SIGTERM');
  await npm.ended;
  await assert.rejects(fetch(`${origin}/healthz`));
  assert.match(npm.output(), /"stopped"/);
});
