import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  Client,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { installPeers, peer } from '../peers.ts';
import { MONRONEY, type Running, startProcess } from './processes.ts';
import { tools } from '../../src/mcp/tools.ts';
import { makeCount } from '../../src/makers/index.ts';

/** Third-party clients with the service as a process, over HTTP and over standard input and output. */

const HELD = '1FMUK8DH0TG000000';
const EXAMPLE = { held: HELD, another: '1C4RJHBR7TC000000', none: '5GAEVAKW4RJ000000' };
const client = { name: 'outsider', version: '1' };

let service: Running;
let folder: string;
before(async () => {
  installPeers();
  service = await startProcess();
  folder = mkdtempSync(join(tmpdir(), 'monroney-stdio-'));
});
after(async () => {
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The methods of both client versions that are used here. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  listPrompts(): Promise<{ prompts: { name: string }[] }>;
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<{ messages: unknown[] }>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: object[] }>;
  getServerVersion(): { name: string } | undefined;
  close(): Promise<void>;
}

interface Sticker {
  structuredContent: { vin: string; windowSticker: { available: boolean; pdf: string } };
  content: { type: string; uri?: string }[];
}

/** Uses every tool, prompt and resource. Clients validate results against the published schemas themselves. */
async function useEverything(it: AnyClient): Promise<void> {
  try {
    assert.equal(it.getServerVersion()?.name, 'monroney');
    assert.deepEqual(
      (await it.listTools()).tools.map((tool) => tool.name),
      tools.map((tool) => tool.name),
    );
    const sticker = (await it.callTool({ name: 'get_window_sticker', arguments: { vin: HELD } })) as Sticker;
    assert.equal(sticker.structuredContent.windowSticker.available, true);
    const { type, uri } = sticker.content[1]!;
    assert.deepEqual([type, uri], ['resource_link', sticker.structuredContent.windowSticker.pdf]);
    for (const { name, example, output } of tools) {
      const result = (await it.callTool({ name, arguments: example(EXAMPLE) })) as Partial<Sticker>;
      if (output) assert.ok(result.structuredContent, name);
      else assert.equal(result.content![1]!.type, 'image', name);
    }
    const [pdf] = (await it.readResource({ uri: uri! })).contents as { blob: string }[];
    assert.match(Buffer.from(pdf!.blob, 'base64').toString('latin1', 0, 8), /^%PDF-/);
    const bad = (await it.callTool({ name: 'decode_vin', arguments: { vin: 'I'.repeat(17) } })) as {
      isError: boolean;
    };
    assert.equal(bad.isError, true);
    await assert.rejects(it.callTool({ name: 'no_such_tool', arguments: {} }), /no tool/);

    const [first] = (await it.listPrompts()).prompts;
    const prompt = await it.getPrompt({ name: first!.name, arguments: { first: HELD, second: HELD } });
    assert.equal(prompt.messages.length, 1);
    const [coverage] = (await it.listResources()).resources;
    const [read] = (await it.readResource({ uri: coverage!.uri })).contents as { text: string }[];
    assert.equal((JSON.parse(read!.text) as unknown[]).length, makeCount);
    assert.equal((await it.listResourceTemplates()).resourceTemplates[0]?.uriTemplate, 'vin://{vin}');
    const [car] = (await it.readResource({ uri: `vin://${HELD}` })).contents as { text: string }[];
    assert.equal((JSON.parse(car!.text) as { vin: string }).vin, HELD);
  } finally {
    await it.close();
  }
}

const modes: [string, VersionNegotiationMode][] = [
  ['initialize', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
  ['automatic negotiation', 'auto'],
];

const stdio = (...args: string[]) => ({
  command: process.execPath,
  args: [MONRONEY, 'mcp', ...args],
  env: { PATH: process.env.PATH ?? '', DATA_DIR: folder },
});

for (const [name, mode] of modes) {
  test(`the v2 client uses everything over HTTP, with ${name}`, async () => {
    const it = new Client(client, { versionNegotiation: { mode } });
    await it.connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`)));
    if (mode !== 'legacy') assert.equal(it.getNegotiatedProtocolVersion(), '2026-07-28');
    await useEverything(it);
  });

  test(`the v2 client uses everything over standard input and output, with ${name}`, async () => {
    const it = new Client(client, { versionNegotiation: { mode } });
    await it.connect(new StdioClientTransport(stdio()));
    await useEverything(it);
  });
}

test('the v2 client uses everything of a remote service over standard input and output', async () => {
  const it = new Client(client, { versionNegotiation: { mode: 'auto' } });
  await it.connect(new StdioClientTransport(stdio('--remote', service.origin)));
  await useEverything(it);
});

test('standard input and output work while a service uses the same folder', async () => {
  const it = new Client(client);
  const { env, ...rest } = stdio();
  await it.connect(new StdioClientTransport({ ...rest, env: { ...env, DATA_DIR: service.dataDir } }));
  await useEverything(it);
});

interface OldSdk {
  Client: new (info: object) => AnyClient & { connect(transport: unknown): Promise<void> };
  StreamableHTTPClientTransport: new (url: URL) => unknown;
  StdioClientTransport: new (how: object) => unknown;
}

test('the v1 client uses everything, over HTTP and over standard input and output', async () => {
  const at = '@modelcontextprotocol/sdk/client';
  const old = await peer<OldSdk>(`${at}/index.js`);
  const web = await peer<OldSdk>(`${at}/streamableHttp.js`);
  const pipe = await peer<OldSdk>(`${at}/stdio.js`);
  for (const transport of [
    new web.StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`)),
    new pipe.StdioClientTransport(stdio()),
  ]) {
    const it = new old.Client(client);
    await it.connect(transport);
    await useEverything(it);
  }
});
