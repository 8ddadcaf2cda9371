import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startSimulator, type Simulator } from '../../tools/simulator/simulator.ts';
import { installPeers, peerPython, runPeer } from '../third-party.ts';
import { startService, type Service } from '../service.ts';

/** Third-party linters of the OpenAPI document, and checks that the service follows it. */

const HERE = fileURLToPath(new URL('.', import.meta.url));
let simulator: Simulator;
let service: Service;
let folder: string;

before(async () => {
  installPeers();
  simulator = await startSimulator();
  service = await startService({ SOURCE_ORIGIN: simulator.origin });
  folder = mkdtempSync(join(tmpdir(), 'monroney-linters-'));
});
after(async () => {
  await service.close();
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
});

test('Spectral finds nothing with its recommended rules', async () => {
  const ruleset = join(folder, 'ruleset.json');
  writeFileSync(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
  const args = [
    'lint',
    `${service.origin}/openapi.json`,
    '--ruleset',
    ruleset,
    '--format',
    'json',
    '--quiet',
  ];
  const { out, err } = await runPeer('@stoplight/spectral-cli/dist/index.js', args, folder);
  assert.ok(out.trim().startsWith('['), `${out.slice(0, 1000)}${err.slice(0, 2000)}`);
  const findings = JSON.parse(out.slice(0, out.lastIndexOf(']') + 1)) as { code: string; path: string[] }[];
  assert.deepEqual(
    findings.map(({ code, path }) => `${code} ${path.join('.')}`),
    [],
  );
});

test('Schemathesis finds no response that violates the OpenAPI document', async (t) => {
  const python = peerPython();
  if (!python) return t.skip('skipped: no python3 with venv');
  const args = [
    'run',
    `${service.origin}/openapi.json`,
    '--phases=examples,coverage,fuzzing,stateful',
    '--max-examples=15',
    // How many requests that is depends on the machine.
    '--max-time=100',
    '--continue-on-failure',
    '--request-timeout=120',
    '--generation-deterministic',
    '--no-color',
  ];
  const env = { ...process.env, PYTHONPATH: HERE, SCHEMATHESIS_HOOKS: 'fresh_ip' };
  const config = ['--config-file', join(HERE, 'schemathesis.toml')];
  const { stdout } = await promisify(execFile)(join(python, '../schemathesis'), [...config, ...args], {
    cwd: folder,
    env,
    maxBuffer: 1e8,
  }).catch((error: Error & { stdout?: string }) => assert.fail((error.stdout ?? error.message).slice(-6000)));
  const cases = Number(/(\d+) generated/.exec(stdout)?.[1]);
  assert.ok(cases >= 100, stdout.slice(-2000));
  t.diagnostic(`${cases} requests`);
});
