import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { installPeers, type PeerResult, runPeer } from '../third-party.ts';
import { type RunningService, startFixtures, startProcess } from './processes.ts';

/** The protocol's conformance suites, on our HTTP stack with the tools they require, and on the service itself. */

const SUITE_2025 = '@modelcontextprotocol/conformance/dist/index.js';
const SUITE_2026 = 'conformance-next/dist/index.js';
/** Checks for features that this service deliberately doesn't offer, and why. */
const notOffered = JSON.parse(readFileSync(new URL('not-offered.json', import.meta.url), 'utf8')) as Record<
  '2025' | '2026-07-28',
  { why: string; checks: string[] }[]
> & { notScored: { why: string; scenarios: string }[] };

let fixtures: RunningService;
let service: RunningService;
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

const suite = (script: string, { origin }: RunningService, ...args: string[]): Promise<PeerResult> =>
  runPeer(script, ['server', '--url', `${origin}/mcp`, '--output-dir', join(home, 'results'), ...args], home);

function assertPassed({ code, out, err }: PeerResult): void {
  assert.equal(code, 0, `${out.slice(out.indexOf('=== SUMMARY'))}\n${err.slice(-2000)}`);
}

type Status = 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';

/** The status of each check of a suite, as `scenario/check`. The suites write a folder per scenario. */
async function everyCheck(script: string, folder: string, ...args: string[]): Promise<[string, Status][]> {
  const results = join(home, folder);
  const target = ['server', '--url', `${fixtures.origin}/mcp`, '--output-dir', results];
  const { out, err } = await runPeer(script, [...target, ...args], home);
  assert.match(out, /^Total: \d+ passed/m, err.slice(-2000));
  return readdirSync(results).flatMap((run) => {
    const scenario = /^server-(.+?)-\d{4}-\d\d-\d\dT/.exec(run)![1]!;
    const checks = JSON.parse(readFileSync(join(results, run, 'checks.json'), 'utf8')) as {
      id: string;
      status: Status;
    }[];
    return checks.map(({ id, status }): [string, Status] => [`${scenario}/${id}`, status]);
  });
}

/** Fails for checks that fail and aren't listed, and for checks that are listed and pass. */
function assertOnlyFails(checks: [string, Status][], expected: { checks: string[] }[]): void {
  const failing = checks.filter(([, status]) => status === 'FAILURE' || status === 'WARNING');
  const scored = failing
    .map(([check]) => check)
    .filter((check) => !notOffered.notScored.some(({ scenarios }) => check.startsWith(scenarios)));
  assert.deepEqual([...new Set(scored)].toSorted(), expected.flatMap((group) => group.checks).toSorted());
}

test('the HTTP stack passes the 2025 suite except for features that are not offered', async () => {
  assertOnlyFails(await everyCheck(SUITE_2025, '2025'), notOffered['2025']);
});

test('the HTTP stack passes the 2026-07-28 suite except for features that are not offered', async () => {
  const checks = await everyCheck(SUITE_2026, '2026', '--requirements', '2026-07-28');
  assertOnlyFails(checks, notOffered['2026-07-28']);
  // The suite skips subscriptions, because our lists never change.
  const stateless = checks.filter(([check]) => check.startsWith('server-stateless/'));
  assert.equal(stateless.filter(([, status]) => status === 'SUCCESS').length, 25);
  assert.deepEqual(
    stateless.filter(([, status]) => status === 'SKIPPED').map(([check]) => /subscri|filter/.test(check)),
    [true, true, true, true, true],
  );
});

for (const scenario of [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
]) {
  test(`the service passes scenarios that need no special tools, 2025: ${scenario}`, async () => {
    assertPassed(await suite(SUITE_2025, service, '--scenario', scenario));
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
  test(`the service passes scenarios that need no special tools, 2026-07-28: ${scenario}`, async () => {
    assertPassed(await suite(SUITE_2026, service, '--spec-version', '2026-07-28', '--scenario', scenario));
  });
}
