import assert from 'node:assert/strict';
import { readFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import sharp from 'sharp';
import { tools } from '../../src/mcp/tools.ts';
import { packBundle } from '../../tools/pack/bundle.ts';
import { installPeers, type PeerResult, runPeer } from '../third-party.ts';
import { startService, type Service } from '../service.ts';
import { emptyProject, installNodes } from './project.ts';

/** The bundle for desktop assistants, checked with the official tool and started as assistants do. */

const STORED_VIN = '1FMUK8DH0TG000000';
const mcpb = (...args: string[]): Promise<PeerResult> =>
  runPeer('@anthropic-ai/mcpb/dist/cli/cli.js', args, folder);

let folder: string;
let unpacked: string;
let service: Service;
before(async () => {
  installPeers();
  folder = mkdtempSync(join(tmpdir(), 'monroney-bundle-'));
  unpacked = join(folder, 'open');
  const bundle = packBundle(folder);
  assertSucceeded(await mcpb('unpack', bundle, unpacked));
  service = await startService({ LIMIT: 'off' });
});
after(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

function assertSucceeded({ code, out, err }: PeerResult): void {
  assert.equal(code, 0, out + err);
}

interface Manifest {
  icon: string;
  server: { mcp_config: { command: string; args: string[]; env: Record<string, string> } };
  tools: { name: string }[];
}
const manifest = () => JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')) as Manifest;

test('mcpb accepts the manifest, which names every tool', async () => {
  const result = await mcpb('validate', join(unpacked, 'manifest.json'));
  assertSucceeded(result);
  assert.match(result.out, /Manifest schema validation passes!/);
  assert.deepEqual(
    manifest().tools.map(({ name }) => name),
    tools.map(({ name }) => name),
  );
  const { width, height, format } = await sharp(join(unpacked, manifest().icon)).metadata();
  assert.deepEqual([width, height, format], [512, 512, 'png']);
  assert.ok(statSync(join(folder, 'monroney.mcpb')).size < 50_000);
});

/** Starts it as an assistant does, with the user's settings filled into the manifest. */
function transportFor(node: string, url: string): StdioClientTransport {
  const { args, env } = manifest().server.mcp_config;
  const fill = (text: string) =>
    text
      .replace('${__dirname}', unpacked)
      .replace('${user_config.url}', url)
      .replace('${user_config.contact}', '');
  return new StdioClientTransport({
    command: node,
    args: args.map(fill),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
  });
}

for (const mode of ['legacy', 'auto'] as const) {
  test(`the bundle gives the same results as the service in Node 20 and 24, ${mode}`, async () => {
    const project = emptyProject();
    try {
      for (const node of installNodes([20, 24], project).values()) {
        const client = new Client({ name: 'desktop', version: '1' }, { versionNegotiation: { mode } });
        // Users may paste the URL of the tools instead of the service's.
        await client.connect(transportFor(node, `${service.origin}/mcp`));
        if (mode === 'auto') assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
        assert.equal((await client.listTools()).tools.length, tools.length);
        const read = await client.callTool({ name: 'read_window_sticker', arguments: { vin: STORED_VIN } });
        assert.equal((read.structuredContent as { readable: boolean }).readable, true);
        const bad = await client.callTool({ name: 'decode_vin', arguments: { vin: 'x' } });
        assert.equal(bad.isError, true);
        await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /no tool/);
        await client.close();
      }
    } finally {
      project.remove();
    }
  });
}

test('an unreachable service gives a clear error', async () => {
  const client = new Client({ name: 'desktop', version: '1' });
  await assert.rejects(
    client.connect(transportFor(process.execPath, 'http://127.0.0.1:9')),
    /didn't respond/,
  );
});
