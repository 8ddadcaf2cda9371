// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childEnv } from '../../test/command.ts';
import { runInProcess } from '../../test/in-process.ts';

const vin = '1M8GDM9AXKP042788';

interface Line {
  vin: string;
  error?: string;
  vehicle: { make: string } | null;
  possibleValues?: string;
  elements?: { name: string; value: string; source: string }[];
}

async function decode(args: string[], input?: string) {
  const { code, err, lines } = await runInProcess(['decode', ...args], childEnv, input);
  return { code, err, lines: lines<Line>() };
}

test('VINs from the arguments give one JSON object per line, with the documented fields in order', async () => {
  const { code, lines, err } = await decode(['--now', '2026-11-01', vin, vin.toLowerCase()]);
  assert.equal(code, 0);
  assert.equal(err, '');
  assert.equal(lines.length, 2);
  assert.deepEqual(Object.keys(lines[0] ?? {}), ['vin', 'vehicle', 'codes', 'suggested', 'warning']);
  assert.deepEqual(lines[0], lines[1]);
  assert.equal(lines[0]?.vin, vin);
  assert.equal(lines[0]?.vehicle?.make, 'MOTOR COACH INDUSTRIES');
  assert.equal((await decode(['--now', '2026-02-30', vin])).code, 2, 'no such day');
});

test('--full adds every element with its source', async () => {
  const { lines } = await decode(['--full', '--now=2026-11-01', vin]);
  const elements = lines[0]?.elements ?? [];
  const year = elements.find((element) => element.name === 'Model Year');
  assert.equal(year?.value, '1989');
  assert.ok(elements.some((element) => element.source === 'pattern'));
  assert.equal(lines[0]?.possibleValues, '');
});

test('a bad line of any length gives an error, the rest is decoded, and blank lines are skipped', async () => {
  const bad = ['nonsense', '\u0000\u001b[2J', '\ufffd\ud800', 'x'.repeat(3_000_000)];
  const { code, lines } = await decode([], `${vin}\r\n\n  \n1M8-GDM9A XKP042788\n${bad.join('\n')}\n${vin}`);
  assert.equal(code, 0);
  assert.deepEqual(
    lines.map((line) => ('error' in line ? 'error' : line.vin)),
    [vin, vin, ...bad.map(() => 'error'), vin],
  );
  assert.deepEqual([lines[2]!.vin, Object.keys(lines[2]!)], ['nonsense', ['vin', 'error']]);
  assert.ok(lines[5]!.vin.length <= 100);
});
