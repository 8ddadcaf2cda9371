import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { childEnv, MONRONEY, monroney } from '../../test/command.ts';
import { runInProcess } from '../../test/in-process.ts';

const vin = '1M8GDM9AXKP042788';

interface Line {
  vin: string;
  error?: string;
  vehicle: { make: string } | null;
  possibleValues?: string;
  elements?: { name: string; value: string; source: string }[];
}

const linesOf = (out: string): Line[] =>
  out
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line));

async function decode(...args: string[]) {
  const ran = await runInProcess(['decode', ...args], childEnv);
  return { ...ran, lines: linesOf(ran.out) };
}

async function decodeInput(input: string) {
  const { code, out } = await monroney(['decode'], { input });
  return { code, lines: linesOf(out) };
}

test('VINs from the arguments give one JSON object per line, with the documented fields in order', async () => {
  const { code, lines, err } = await decode('--now', '2026-11-01', vin, vin.toLowerCase());
  assert.equal(code, 0);
  assert.equal(err, '');
  assert.equal(lines.length, 2);
  assert.deepEqual(Object.keys(lines[0] ?? {}), ['vin', 'vehicle', 'codes', 'suggested', 'warning']);
  assert.deepEqual(lines[0], lines[1]);
  assert.equal(lines[0]?.vin, vin);
  assert.equal(lines[0]?.vehicle?.make, 'MOTOR COACH INDUSTRIES');
});

test('a bad line gives an error, the rest is decoded, and blank lines are skipped', async () => {
  const { code, lines } = await decodeInput(
    `${vin}\r\n\n  \nnonsense\n1M8-GDM9A XKP042788\n\u0000\u001b[2J\n${vin}`,
  );
  assert.equal(code, 0);
  assert.deepEqual(
    lines.map((line) => ('error' in line ? 'error' : line.vin)),
    [vin, 'error', vin, 'error', vin],
  );
  assert.equal(lines[1]?.vin, 'nonsense');
  assert.deepEqual(Object.keys(lines[1] ?? {}), ['vin', 'error']);
});

test('a line of megabytes and invalid UTF-16 are bad lines, nothing more', async () => {
  const { code, lines } = await decodeInput(`${'x'.repeat(3_000_000)}\n\ufffd\ud800\n${vin}\n`);
  assert.equal(code, 0);
  assert.equal(lines.length, 3);
  assert.ok(String(lines[0]?.vin).length <= 100);
  assert.equal(lines[2]?.vin, vin);
});

test('--full adds every element with its source', async () => {
  const { lines } = await decode('--full', '--now=2026-11-01', vin);
  const elements = lines[0]?.elements ?? [];
  const year = elements.find((element) => element.name === 'Model Year');
  assert.equal(year?.value, '1989');
  assert.ok(elements.some((element) => element.source === 'pattern'));
  assert.equal(lines[0]?.possibleValues, '');
});

test('wrong usage prints the usage and exits with 2', async () => {
  for (const args of [['--now', '2026-02-30', vin], ['--now'], ['--fulll', vin]]) {
    const { code, out, err } = await runInProcess(['decode', ...args], childEnv);
    assert.equal(code, 2, args.join(' '));
    assert.equal(out, '');
    assert.match(err, /monroney decode/);
  }
  const help = await runInProcess(['decode', '--help'], childEnv);
  assert.equal(help.code, 0);
  assert.match(help.out, /--now YYYY-MM-DD/);
});

test('a reader that closes the pipe ends the command quietly', async () => {
  const child = spawn(process.execPath, [MONRONEY, 'decode']);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  child.stdin.on('error', () => {});
  child.stdout.once('data', () => child.stdout.destroy());
  const more = () => child.stdin.write(`${vin}\n`.repeat(5_000), (error) => error || setImmediate(more));
  more();
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  assert.equal(code, 0);
  assert.equal(err, '');
});
