import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeCount } from '../../src/makers/index.ts';
import { tools } from '../../src/mcp/tools.ts';
import { hasGo, peerPython } from '../third-party.ts';
import { type RunningService, startProcess } from './processes.ts';

/** Clients in other languages with the service as a process: Python's SDK, fastmcp and Go's SDK, in both protocol revisions. */

const STORED_VIN = '1FMUK8DH0TG000000';
const EXAMPLE = { held: STORED_VIN, another: '1C4RJHBR7TC000000', none: '5GAEVAKW4RJ000000' };
const CALLERS = fileURLToPath(new URL('callers/', import.meta.url));

let service: RunningService;
let folder: string;
let total: number;
before(async () => {
  service = await startProcess();
  folder = mkdtempSync(join(tmpdir(), 'monroney-clients-'));
  const response = await fetch(`${service.origin}/api/v1/vin/${STORED_VIN}/label`);
  ({ total } = ((await response.json()) as { label: { prices: { total: number } } }).label.prices);
  assert.ok(total > 0);
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Results {
  tools: string[];
  /** Fields that typed results don't have. */
  lost?: string[];
}

/** A result of every tool with structured content, and some with fields that are null. */
const calls = [
  ...tools.filter(({ output }) => output).map(({ name, example }) => [name, example(EXAMPLE)]),
  ...['get_window_sticker', 'read_window_sticker'].flatMap((name) =>
    [EXAMPLE.another, EXAMPLE.none, '3N8AP6DA9SL000000', '1ZZAA1AA8TA000000'].map((vin) => [name, { vin }]),
  ),
  ['decode_vins', { vins: [STORED_VIN, 'nonsense'] }],
  ['list_covered_makes', {}],
];

async function run(program: string, args: string[], cwd = folder): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd, maxBuffer: 1e7 }).catch(
    (error: Error & { stderr?: string }) => assert.fail(`${error.message}\n${error.stderr ?? ''}`),
  );
  return stdout;
}

async function assertUsesEverything(protocol: string, program: string, ...args: string[]): Promise<void> {
  const { tools: names, lost = [], ...results } = JSON.parse(await run(program, args)) as Results;
  assert.deepEqual(lost, [], 'typed results have every field');
  // Some clients sort by name.
  assert.deepEqual(names.toSorted(), tools.map(({ name }) => name).toSorted());
  assert.deepEqual(results, {
    protocol,
    server: 'monroney',
    make: 'FORD',
    total,
    makes: makeCount,
    pdf: '%PDF-',
    badVin: true,
    unknownTool: -32602,
  });
}

for (const [library, name] of [
  ['mcp', "Python's SDK"],
  ['fastmcp', 'fastmcp'],
] as const) {
  for (const [mode, protocol] of [
    ['legacy', '2025-11-25'],
    ['auto', '2026-07-28'],
  ] as const) {
    test(`${name} lists tools, calls them without losing a field, reads resources and gets errors, ${protocol}`, async (t) => {
      const python = peerPython('mcp');
      if (!python) return t.skip('skipped: no python3 with venv');
      const script = join(CALLERS, 'python_client.py');
      await assertUsesEverything(
        protocol,
        python,
        script,
        library,
        `${service.origin}/mcp`,
        STORED_VIN,
        mode,
        JSON.stringify(calls),
      );
    });
  }
}

test("Go's SDK lists tools, calls them, reads resources and gets errors, in both protocol revisions", async (t) => {
  if (!hasGo()) return t.skip('skipped: no go');
  const project = join(folder, 'go');
  cpSync(join(CALLERS, 'go'), project, { recursive: true });
  await run('go', ['mod', 'tidy'], project);
  await run('go', ['vet', './...'], project);
  await run('go', ['build', '-o', 'caller', '.'], project);
  for (const protocol of ['2025-11-25', '2026-07-28'])
    await assertUsesEverything(
      protocol,
      join(project, 'caller'),
      `${service.origin}/mcp`,
      STORED_VIN,
      protocol,
    );
});
