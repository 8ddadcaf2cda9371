import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { installPeers, runPeer } from '../third-party.ts';
import { type RunningService, startProcess } from './processes.ts';
import { tools } from '../../src/mcp/tools.ts';

/** The protocol's inspector on the command line, in both protocol revisions. */

let service: RunningService;
let home: string;
let supportsEras: boolean;

before(async () => {
  installPeers();
  home = mkdtempSync(join(tmpdir(), 'inspector-'));
  service = await startProcess();
  const { out } = await runPeer('.bin/mcp-inspector', ['--cli', '--help'], home);
  supportsEras = out.includes('--protocol-era');
});
after(async () => {
  await service.stop();
  rmSync(home, { recursive: true, force: true });
});

async function inspect<T>(era: string, ...args: string[]): Promise<T> {
  const eraOption = supportsEras ? ['--protocol-era', era] : [];
  const target = ['--cli', `${service.origin}/mcp`, '--transport', 'http'];
  const { code, out, err } = await runPeer('.bin/mcp-inspector', [...target, ...eraOption, ...args], home);
  assert.equal(code, 0, err);
  return JSON.parse(out) as T;
}

for (const era of ['legacy', 'modern']) {
  test(`the inspector lists tools, accepts their schemas and calls them, revision ${era}`, async (t) => {
    if (era === 'modern' && !supportsEras) {
      t.skip('the installed inspector only supports the older revisions');
      return;
    }
    const strict = supportsEras ? ['--strict'] : [];
    const { tools: listed } = await inspect<{ tools: object[] }>(era, '--method', 'tools/list', ...strict);
    assert.equal(listed.length, tools.length);
    const call = [
      '--method',
      'tools/call',
      '--tool-name',
      'decode_vin',
      '--tool-arg',
      'vin=1FMUK8DH0TG000000',
    ];
    const { structuredContent } = await inspect<{ structuredContent: { vehicle: { make: string } } }>(
      era,
      ...call,
    );
    assert.equal(structuredContent.vehicle.make, 'FORD');
    const { prompts } = await inspect<{ prompts: object[] }>(era, '--method', 'prompts/list');
    assert.equal(prompts.length, 2);
    const { resources } = await inspect<{ resources: object[] }>(era, '--method', 'resources/list');
    assert.equal(resources.length, 1);
  });
}
