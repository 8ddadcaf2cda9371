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
import { installPeers, type Ran, runPeer } from '../peers.ts';
import { startService, type Service } from '../service.ts';
import { emptyProject, nodes } from './project.ts';

/** The bundle for desktop assistants, checked with the official tool and started as assistants do. */

const HELD = '1FMUK8DH0TG000000';
const mcpb = (...args: string[]): Promise<Ran> => runPeer('@anthropic-ai/mcpb/dist/cli/cli.js', args, folder);

let folder: string;
let open: string;
let service: Service;
before(async () => {
  installPeers();
  folder = mkdtempSync(join(tmpdir(), 'monroney-bundle-'));
  open = join(folder, 'open');
  const bundle = packBundle(folder);
  passed(await mcpb('unpack', bundle, open));
  service = await startService();
});
after(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

function passed({ code, out, err }: Ran): void {
  assert.equal(code, 0, out + err);
}

interface Manifest {
  icon: string;
  server: { mcp_config: { command: string; args: string[]; env: Record<string, string> } };
  tools: { name: string }[];
}
const manifest = () => JSON.parse(readFileSync(join(open, 'manifest.json'), 'utf8')) as Manifest;

test('mcpb accepts the manifest, which names every tool', async () => {
  const ran = await mcpb('validate', join(open, 'manifest.json'));
  passed(ran);
  assert.match(ran.out, /Manifest schema validation passes!/);
  assert.deepEqual(
    manifest().tools.map(({ name }) => name),
    tools.map(({ name }) => name),
  );
  const { width, height, format } = await sharp(join(open, manifest().icon)).metadata();
  assert.deepEqual([width, height, format], [512, 512, 'png']);
  assert.ok(statSync(join(folder, 'monroney.mcpb')).size < 50_000);
});

/** Starts it as an assistant does, with the user's settings filled into the manifest. */
function started(node: string, url: string): StdioClientTransport {
  const { args, env } = manifest().server.mcp_config;
  const fill = (text: string) =>
    text
      .replace('${__dirname}', open)
      .replace('${user_config.url}', url)
      .replace('${user_config.contact}', '');
  return new StdioClientTransport({
    command: node,
    args: args.map(fill),
    env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
  });
}

for (const mode of ['legacy', 'auto'] as const) {
  test(`in Node 20 and 24 it gives the same results as the service, ${mode}`, async () => {
    const project = emptyProject();
    try {
      for (const node of nodes([20, 24], project).values()) {
        const it = new Client({ name: 'desktop', version: '1' }, { versionNegotiation: { mode } });
        // Users paste the URL of the page as well as that of the tools.
        await it.connect(started(node, `${service.origin}/mcp`));
        if (mode === 'auto') assert.equal(it.getNegotiatedProtocolVersion(), '2026-07-28');
        assert.equal((await it.listTools()).tools.length, tools.length);
        const read = await it.callTool({ name: 'read_window_sticker', arguments: { vin: HELD } });
        assert.equal((read.structuredContent as { readable: boolean }).readable, true);
        const bad = await it.callTool({ name: 'decode_vin', arguments: { vin: 'x' } });
        assert.equal(bad.isError, true);
        await assert.rejects(it.callTool({ name: 'no_such_tool', arguments: {} }), /no tool/);
        await it.close();
      }
    } finally {
      project.remove();
    }
  });
}

test('an unreachable service is a clear error', async () => {
  const it = new Client({ name: 'desktop', version: '1' });
  await assert.rejects(it.connect(started(process.execPath, 'http://127.0.0.1:9')), /did not answer/);
});
