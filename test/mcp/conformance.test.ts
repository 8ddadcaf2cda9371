import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { installPeers, type Ran, runPeer } from '../peers.ts';
import { type Running, startFixtures, startProcess } from './processes.ts';

/** The protocol's own conformance suites: on our HTTP stack with the tools they ask for, and on the service as it is. */

const SUITE_2025 = '@modelcontextprotocol/conformance/dist/index.js';
const SUITE_2026 = 'conformance-next/dist/index.js';
const baseline = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let fixtures: Running;
let service: Running;
let home: string;

before(async () => {
  installPeers();
  home = mkdtempSync(join(tmpdir(), 'conformance-'));
  fixtures = await startFixtures();
  service = await startProcess();
});
after(async () => {
  await fixtures.stop();
  await service.stop();
  rmSync(home, { recursive: true, force: true });
});

const suite = (script: string, { origin }: Running, ...args: string[]): Promise<Ran> =>
  runPeer(script, ['server', '--url', `${origin}/mcp`, '--output-dir', join(home, 'results'), ...args], home);

function passed({ code, out, err }: Ran): void {
  assert.equal(code, 0, `${out.slice(out.indexOf('=== SUMMARY'))}\n${err.slice(-2000)}`);
}

test('the HTTP stack passes the 2025 suite but for what is not offered', async () => {
  passed(await suite(SUITE_2025, fixtures, '--expected-failures', baseline('baseline-2025.yml')));
});

test('the HTTP stack passes the requirements of 2026-07-28 but for what is not offered', async () => {
  const args = ['--requirements', '2026-07-28', '--expected-failures', baseline('baseline-2026.yml')];
  passed(await suite(SUITE_2026, fixtures, ...args));
});

for (const scenario of [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
]) {
  test(`the service itself passes what needs no tools of the suite's own, 2025: ${scenario}`, async () => {
    passed(await suite(SUITE_2025, service, '--scenario', scenario));
  });
}

for (const scenario of [
  'tools-list',
  'resources-list',
  'prompts-list',
  'sep-2164-resource-not-found',
  'dns-rebinding-protection',
  'caching',
  'http-header-validation',
]) {
  test(`the service itself passes what needs no tools of the suite's own, 2026-07-28: ${scenario}`, async () => {
    passed(await suite(SUITE_2026, service, '--spec-version', '2026-07-28', '--scenario', scenario));
  });
}
