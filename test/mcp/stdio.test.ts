import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MONRONEY } from './processes.ts';

/** `monroney mcp` as a program: its streams and how it ends. */

const folder = mkdtempSync(join(tmpdir(), 'monroney-stdio-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: string[], input: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MONRONEY, 'mcp', ...args], {
    env: { ...process.env, DATA_DIR: folder, LOG_LEVEL: 'debug', BASE_URL: '', MONRONEY_URL: '', ...env },
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

const line = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const opening =
  line(1, 'initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'a pipe', version: '1' },
  }) + '{"jsonrpc":"2.0","method":"notifications/initialized"}\n';

test('piped requests get responses before it ends, and nothing else is on standard output', async () => {
  const call = line(2, 'tools/call', {
    name: 'read_window_sticker',
    arguments: { vin: '1FMUK8DH0TG000000' },
  });
  const { code, out } = await run([], opening + call);
  assert.equal(code, 0);
  const replies = out
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as { jsonrpc: string; id: number });
  assert.deepEqual(
    replies.map(({ jsonrpc, id }) => [jsonrpc, id]),
    [
      ['2.0', 1],
      ['2.0', 2],
    ],
  );
});

test('results have no links to a service that may not run, unless BASE_URL names one', async () => {
  const vin = '1FMUK8DH0TG000000';
  const calls = [
    'get_window_sticker',
    'read_window_sticker',
    'show_window_sticker',
    'explain_missing_sticker',
  ]
    .map((name, index) => line(2 + index, 'tools/call', { name, arguments: { vin } }))
    .join('');
  const makes = line(9, 'tools/call', { name: 'list_covered_makes', arguments: null });
  const { out } = await run([], opening + calls + makes);
  assert.doesNotMatch(out, /https?:\/\//);
  assert.match(out, / makes are covered/);
  const served = await run(['--local'], opening + calls, { BASE_URL: 'https://stickers.example' });
  assert.match(served.out, /https:\/\/stickers\.example\/window-sticker\//);
});

test('an invalid message gets an error, and the next message works', async () => {
  const batch = `[${line(5, 'ping').trim()}]\n`;
  const { code, out } = await run([], `{\n\n${batch}{"id":6}\n"x"\n${opening}`);
  assert.equal(code, 0);
  const replies = out
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as { id: number | null; error?: { code: number } });
  assert.deepEqual(
    replies.map(({ id, error }) => [id, error?.code]),
    [
      [null, -32700],
      [null, -32600],
      [6, -32600],
      [null, -32600],
      [1, undefined],
    ],
  );
});

test('an unreachable service is a tool error with a clear message', async () => {
  const call = line(2, 'tools/call', { name: 'decode_vin', arguments: { vin: '1FMUK8DH0TG000000' } });
  for (const [args, env] of [
    [['--remote', 'http://127.0.0.1:9'], {}],
    [[], { MONRONEY_URL: 'http://127.0.0.1:9/mcp' }],
    [[], { BASE_URL: 'http://127.0.0.1:9' }],
  ] as [string[], Record<string, string>][]) {
    const { out } = await run(args, opening + call, env);
    assert.match(out, /The service at http:\/\/127\.0\.0\.1:9 didn't respond/);
  }
});

test('wrong arguments are reported on standard error with exit code 2', async () => {
  for (const args of [['--remote', 'nowhere'], ['--what']]) {
    const { code, out, err } = await run(args, '');
    assert.equal(code, 2);
    assert.equal(out, '');
    assert.match(err, /Usage: monroney mcp/);
  }
});

test('it ends on SIGTERM, although its input is still open', async (t) => {
  const child = spawn(process.execPath, [MONRONEY, 'mcp', '--local'], {
    env: { ...process.env, DATA_DIR: folder },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  t.after(() => child.kill('SIGKILL'));
  child.stdin.write(opening);
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  assert.deepEqual([code, signal], [0, null]);
});
