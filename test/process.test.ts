import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { VinResponse } from '../src/lookup/schemas.ts';
import { startSimulator } from '../tools/simulator/simulator.ts';
import { childEnv, MONRONEY } from './command.ts';
import { runInProcess } from './in-process.ts';
import { eventually } from './operator.ts';

/** The service as an operator sees it: a process that starts, prints its URL and stops on SIGTERM. */

const project = fileURLToPath(new URL('..', import.meta.url));
const dataDir = mkdtempSync(path.join(tmpdir(), 'monroney-process-'));
const settings = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir };
const children: ChildProcess[] = [];
after(async () => {
  for (const child of children) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'close');
  }
  rmSync(dataDir, { recursive: true, force: true });
});

/** Runs a command that starts the service. */
function serve([program, ...args]: readonly string[], env: Record<string, string>) {
  const child = spawn(program!, args, {
    cwd: project,
    env: { PATH: process.env.PATH, ...settings, ...env },
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
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  /** Waits until it prints this. */
  const printed = async (text: string) => {
    while (!output.includes(text)) await once(outputs, 'more');
  };
  return { child, output: () => output, printed, origin, ended };
}

/** The error of a start that fails. In this process, because every start of a process takes a second of CPU time. */
async function failedStart(env: Record<string, string>, exitCode = 1): Promise<string> {
  const events = ['warning', 'unhandledRejection'] as const;
  const listeners = events.map((event) => process.rawListeners(event));
  const { code, err } = await runInProcess(['serve'], { ...childEnv, ...settings, ...env });
  for (const [index, event] of events.entries()) {
    process.removeAllListeners(event);
    for (const listener of listeners[index]!) process.on(event, listener as () => void);
  }
  assert.equal(code, exitCode, err);
  return err;
}

const simulator = await startSimulator();
after(() => simulator.close());
const odd =
  "setTimeout(() => { process.emitWarning('an odd thing', 'LibraryWarning', 'LIB1'); Promise.reject(new Error('a fault')); }, 500)";

/** The tests share a service; the last of them ends it. */
const service = serve([process.execPath, MONRONEY, 'serve'], {
  SOURCE_ORIGIN: simulator.origin,
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`if (process.permission) ${odd}`)}`,
});
const origin = await service.origin;

test('invalid settings prevent startup; the error names the variables and shows no password', async () => {
  const invalid = {
    PORT: 'eighty',
    BASE_URL: 'nowhere',
    TRUSTED_PROXIES: '999.1.1.1',
    SOURCES_OFF: 'tesla',
    HTTPS_PROXY: 'socks5://user:secret@proxy.example',
  };
  const error = await failedStart(invalid, 2);
  for (const variable of Object.keys(invalid)) assert.match(error, new RegExp(`^.*${variable}`, 'm'));
  assert.doesNotMatch(error, /secret/);
});

test('startup prints three URLs to try, with the actual port, and each of them works', async () => {
  const urls = [...service.output().matchAll(/^ {2}(http:\S+)$/gm)].map(([, url]) => url!);
  assert.equal(urls.length, 3);
  for (const url of urls) assert.equal((await fetch(url)).status, 200, url);
  const { windowSticker } = (await (await fetch(urls[1]!)).json()) as VinResponse;
  assert.ok(windowSticker.pdf?.startsWith(`${origin}/`));
  assert.equal(((await (await fetch(`${origin}/readyz`)).json()) as { ok: boolean }).ok, true);
});

test('a second service on the same DATA_DIR exits with 1 and says why', async () => {
  assert.match(await failedStart({}), /already|another|in use/i);
});

test('a port or a host that cannot be used prevents startup, and the error names the variable', async () => {
  const { port } = new URL(origin);
  const cases = [
    ['PORT', port, `Port ${port} is already in use\\..* PORT `],
    // Not even a name server is asked for an empty label.
    ['ADMIN_HOST', 'a..b', 'No IP address found for a\\.\\.b\\. Set ADMIN_HOST '],
  ] as const;
  for (const [variable, value, message] of cases) {
    const env = { DATA_DIR: path.join(dataDir, variable), ADMIN_PORT: '0', [variable]: value };
    assert.match(await failedStart(env), new RegExp(`^Monroney can't start: ${message}`, 'm'));
  }
});

test('a DATA_DIR below a file prevents startup, and the error names the variable', async () => {
  const file = path.join(dataDir, 'a-file');
  writeFileSync(file, '');
  const folder = path.join(file, 'data');
  assert.match(
    await failedStart({ DATA_DIR: folder }),
    new RegExp(`^Monroney can't start: DATA_DIR ${folder} is a file, not a folder: `, 'm'),
  );
});

test('library warnings are logged as JSON', async () => {
  await service.printed('an odd thing');
  const [line] = service.output().match(/^.*an odd thing.*$/gm) ?? [];
  const { level, name, code, text } = JSON.parse(line!) as Record<string, string>;
  assert.deepEqual(
    { level, name, code, text },
    { level: 'warn', name: 'LibraryWarning', code: 'LIB1', text: 'an odd thing' },
  );
});

test('a rejection that nobody handles is logged, and the service keeps running', async () => {
  await service.printed('unhandled rejection');
  assert.match(service.output(), /"level":"error",.*"message":"unhandled rejection","error":"Error: a fault/);
  assert.equal((await fetch(`${origin}/healthz`)).status, 200);
});

test('on SIGTERM the service finishes the current request and exits with 0', async () => {
  const vin = '1FTEW2LP7TKE12345';
  simulator.set(vin, 'slow-label');
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

test('npm start: the missing permission model is logged, a log that nobody reads ends nothing, SIGTERM to npm does', async () => {
  // Spaces around it are ignored. Node would read the comma as the end of a path, so this start has no permission model.
  const folder = path.join(dataDir, 'with,comma');
  const npm = serve(['npm', 'start'], { HOME: dataDir, DATA_DIR: ` ${folder} ` });
  const npmOrigin = await npm.origin;
  assert.ok(existsSync(path.join(folder, 'labels.sqlite')));
  assert.match(npm.output(), /"level":"warn",.*"message":"Node's permission model is off/);
  assert.doesNotMatch(service.output(), /permission model/);

  npm.child.stdout.destroy();
  npm.child.stderr.destroy();
  // More lines than the log collects before it writes.
  for (let n = 0; n < 400; n++) assert.equal((await fetch(`${npmOrigin}/robots.txt`)).status, 200);
  npm.child.kill('SIGTERM');
  // Without its pipes, only its port shows when the service ends.
  await eventually(
    () =>
      fetch(`${npmOrigin}/healthz`).then(
        () => false,
        () => true,
      ),
    (hasEnded) => hasEnded,
  );
});
