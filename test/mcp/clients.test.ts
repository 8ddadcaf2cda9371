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
import { installPeers, peer } from '../third-party.ts';
import { MONRONEY, type RunningService, startProcess } from './processes.ts';
import { tools } from '../../src/mcp/tools.ts';
import { makeCount } from '../../src/makers/index.ts';

/** Third-party clients with the service as a process, over HTTP and over standard input and output. */

const STORED_VIN = '1FMUK8DH0TG000000';
const EXAMPLE = { held: STORED_VIN, another: '1C4RJHBR7TC000000', none: '5GAEVAKW4RJ000000' };
const clientInfo = { name: 'third-party-client', version: '1' };

let service: RunningService;
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
async function useEverything(mcp: AnyClient, hasService = true): Promise<void> {
  try {
    assert.equal(mcp.getServerVersion()?.name, 'monroney');
    assert.deepEqual(
      (await mcp.listTools()).tools.map((tool) => tool.name),
      tools.map((tool) => tool.name),
    );
    const sticker = (await mcp.callTool({
      name: 'get_window_sticker',
      arguments: { vin: STORED_VIN },
    })) as Sticker;
    assert.equal(sticker.structuredContent.windowSticker.available, true);
    const { type, uri } = sticker.content[1]!;
    const pdf = hasService ? sticker.structuredContent.windowSticker.pdf : `vin://${STORED_VIN}/sticker.pdf`;
    assert.deepEqual([type, uri], ['resource_link', pdf]);
    for (const { name, example, output } of tools) {
      const result = (await mcp.callTool({ name, arguments: example(EXAMPLE) })) as Partial<Sticker>;
      if (output) assert.ok(result.structuredContent, name);
      else assert.equal(result.content![1]!.type, 'image', name);
    }
    const [file] = (await mcp.readResource({ uri: uri! })).contents as { blob: string }[];
    assert.match(Buffer.from(file!.blob, 'base64').toString('latin1', 0, 8), /^%PDF-/);
    const bad = (await mcp.callTool({ name: 'decode_vin', arguments: { vin: 'I'.repeat(17) } })) as {
      isError: boolean;
    };
    assert.equal(bad.isError, true);
    await assert.rejects(mcp.callTool({ name: 'no_such_tool', arguments: {} }), /no tool/);

    const [first] = (await mcp.listPrompts()).prompts;
    const prompt = await mcp.getPrompt({
      name: first!.name,
      arguments: { first: STORED_VIN, second: STORED_VIN },
    });
    assert.equal(prompt.messages.length, 1);
    const [coverage] = (await mcp.listResources()).resources;
    const [read] = (await mcp.readResource({ uri: coverage!.uri })).contents as { text: string }[];
    assert.equal((JSON.parse(read!.text) as unknown[]).length, makeCount);
    assert.equal((await mcp.listResourceTemplates()).resourceTemplates[0]?.uriTemplate, 'vin://{vin}');
    const [car] = (await mcp.readResource({ uri: `vin://${STORED_VIN}` })).contents as { text: string }[];
    assert.equal((JSON.parse(car!.text) as { vin: string }).vin, STORED_VIN);
  } finally {
    await mcp.close();
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
    const mcp = new Client(clientInfo, { versionNegotiation: { mode } });
    await mcp.connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`)));
    if (mode !== 'legacy') assert.equal(mcp.getNegotiatedProtocolVersion(), '2026-07-28');
    await useEverything(mcp);
  });

  test(`the v2 client uses everything over standard input and output, with ${name}`, async () => {
    const mcp = new Client(clientInfo, { versionNegotiation: { mode } });
    await mcp.connect(new StdioClientTransport(stdio()));
    await useEverything(mcp, false);
  });
}

test('the v2 client uses everything over standard input and output with a remote service', async () => {
  const mcp = new Client(clientInfo, { versionNegotiation: { mode: 'auto' } });
  await mcp.connect(new StdioClientTransport(stdio('--remote', service.origin)));
  await useEverything(mcp);
});

test('standard input and output work while a service uses the same folder', async () => {
  const mcp = new Client(clientInfo);
  const { env, ...rest } = stdio();
  await mcp.connect(new StdioClientTransport({ ...rest, env: { ...env, DATA_DIR: service.dataDir } }));
  await useEverything(mcp, false);
});

interface OldSdk {
  Client: new (info: object) => AnyClient & { connect(transport: unknown): Promise<void> };
  StreamableHTTPClientTransport: new (url: URL) => unknown;
  StdioClientTransport: new (options: object) => unknown;
}

test('the v1 client uses everything, over HTTP and over standard input and output', async () => {
  const sdk = '@modelcontextprotocol/sdk/client';
  const old = await peer<OldSdk>(`${sdk}/index.js`);
  const http = await peer<OldSdk>(`${sdk}/streamableHttp.js`);
  const stdioSdk = await peer<OldSdk>(`${sdk}/stdio.js`);
  for (const [transport, hasService] of [
    [new http.StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`)), true],
    [new stdioSdk.StdioClientTransport(stdio()), false],
  ] as const) {
    const mcp = new old.Client(clientInfo);
    await mcp.connect(transport);
    await useEverything(mcp, hasService);
  }
});
