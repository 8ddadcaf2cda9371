import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser, Frame, Page } from 'playwright-core';
import { installPeers, peer } from '../third-party.ts';
import { eventually } from '../operator.ts';
import { startService, type Service } from '../service.ts';
import { openBrowser, withoutBrowser } from './browser.ts';

/**
 * Shows the card in a sandboxed frame of a real browser. The official host SDK of MCP Apps validates its messages and passes
 * it the results of a running service's tools.
 */

interface Transport {
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
  onmessage?: (message: unknown) => void;
  onclose?: () => void;
}
interface Bridge {
  connect(transport: Transport): Promise<void>;
  sendToolInput(params: object): Promise<void>;
  sendToolResult(result: object): Promise<void>;
  teardownResource(params: object): Promise<object>;
  setHostContext(context: object): void;
  getAppVersion(): { name: string } | undefined;
  oninitialized?: () => void;
  onsizechange?: (size: { height?: number }) => void;
  onopenlink?: (params: { url: string }) => Promise<object>;
}
interface HostSdk {
  AppBridge: new (client: null, host: object, capabilities: object, options?: object) => Bridge;
  getToolUiResourceUri(tool: object): string | undefined;
  McpUiResourceMetaSchema: { parse(meta: unknown): { csp: { resourceDomains: string[] } } };
}

const STORED_VIN = '1FMUK8DH0TG000000';
const PICTURE = '3N8AP6DA9SL000000';
const NONE = '5GAEVAKW4RJ000000';

let service: Service;
let sdk: HostSdk;
let client: Client;
let browser: Browser;
before(async () => {
  if (withoutBrowser) return;
  installPeers();
  sdk = await peer<HostSdk>('@modelcontextprotocol/ext-apps/app-bridge');
  service = await startService({ SOURCE_ORIGIN: 'http://127.0.0.1:9', LIMIT: 'off' });
  client = new Client({ name: 'host', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.origin}/mcp`)));
  browser = await openBrowser();
});
after(async () => {
  await browser?.close();
  await client?.close();
  await service?.close();
});

interface ShownCard {
  page: Page;
  frame: Frame;
  bridge: Bridge;
  problems: string[];
  opened: string[];
  heights: number[];
}

/** Acts as a host: opens the tool's card in a frame with the policy it requests, then sends it the tool's result. */
async function show(name: string, args: Record<string, unknown>, context: object = {}): Promise<ShownCard> {
  const tool = (await client.listTools()).tools.find((tool) => tool.name === name)!;
  const uri = sdk.getToolUiResourceUri(tool)!;
  const [card] = (await client.readResource({ uri })).contents;
  assert.equal(card!.mimeType, 'text/html;profile=mcp-app');
  const { csp } = sdk.McpUiResourceMetaSchema.parse(card!._meta!.ui);
  const policy = `default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: ${csp.resourceDomains.join(' ')}`;
  const html = (card as { text: string }).text.replace(
    '<head>',
    `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`,
  );

  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  const problems: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
  page.on('pageerror', (error) => problems.push(error.message));
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: (message) =>
      page.evaluate(
        (sent) => document.querySelector('iframe')!.contentWindow!.postMessage(sent, '*'),
        message,
      ),
  };
  await page.exposeFunction('receive', (message: unknown) => transport.onmessage?.(message));
  const capabilities = { openLinks: {} };
  const bridge = new sdk.AppBridge(null, { name: 'test', version: '1' }, capabilities, {
    hostContext: context,
  });
  const opened: string[] = [];
  const heights: number[] = [];
  bridge.onopenlink = async ({ url }) => {
    opened.push(url);
    return {};
  };
  bridge.onsizechange = ({ height }) => void heights.push(height ?? 0);
  const initialized = new Promise<void>((resolve) => (bridge.oninitialized = resolve));
  await bridge.connect(transport);
  await page.evaluate((text) => {
    addEventListener('message', ({ data }) =>
      (globalThis as unknown as { receive(data: unknown): void }).receive(data),
    );
    const frame = document.createElement('iframe');
    frame.sandbox.add('allow-scripts');
    frame.style.width = '600px';
    frame.srcdoc = text;
    document.body.append(frame);
  }, html);
  await initialized;
  const frame = page.frames()[1]!;
  await bridge.sendToolInput({ arguments: args });
  await bridge.sendToolResult(await client.callTool({ name, arguments: args }));
  await frame.waitForFunction(() => !document.body.innerText.includes('Looking up'));
  return { page, frame, bridge, problems, opened, heights };
}

test(
  'the card shows the sticker, the price bar and links that the host opens',
  { skip: withoutBrowser },
  async () => {
    const card = await show('read_window_sticker', { vin: STORED_VIN }, { theme: 'dark' });
    const { frame, page } = card;
    assert.equal(card.bridge.getAppVersion()?.name, 'monroney-card');
    assert.match(await frame.innerText('h1'), /^2026 Ford Explorer .*, a sample$/);
    const { label } = (await client.callTool({ name: 'read_window_sticker', arguments: { vin: STORED_VIN } }))
      .structuredContent as { label: { prices: { dollars: { total: number } } } };
    const total = label.prices.dollars.total.toLocaleString('en-US');
    assert.equal(await frame.innerText('.total'), `$${total} new`);
    assert.ok((await frame.locator('.bar i').count()) >= 3);
    assert.match(await frame.innerText('ul'), /Base price \$[\d,]+[^]*Destination \$[\d,]+/);
    await frame.waitForFunction(() => document.querySelector('img')!.naturalWidth === 1280);
    assert.equal(await frame.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await frame.click('text="PDF"');
    await frame.click('text=Page with all details');
    await eventually(
      async () => card.opened.length,
      (count) => count === 2,
    );
    assert.deepEqual(
      card.opened.map((url) => new URL(url).pathname),
      [`/api/sticker/${STORED_VIN}`, `/window-sticker/${STORED_VIN}`],
    );
    await eventually(
      async () => Math.max(...card.heights),
      (height) => height > 300,
    );
    card.bridge.setHostContext({ theme: 'light' });
    await frame.waitForFunction(() => document.documentElement.dataset.theme === 'light');
    assert.deepEqual(await card.bridge.teardownResource({}), {});
    assert.deepEqual(card.problems, []);
    await page.close();
  },
);

test(
  'the card shows a picture sticker without prices, and the reason if there is no sticker',
  { skip: withoutBrowser },
  async () => {
    const picture = await show('read_window_sticker', { vin: PICTURE });
    await picture.frame.waitForFunction(() => document.querySelector('img')!.naturalWidth > 0);
    assert.equal(await picture.frame.locator('.bar').count(), 0);
    const found = await show('get_window_sticker', { vin: STORED_VIN });
    await found.frame.waitForFunction(() => document.querySelector('img')!.naturalWidth > 0);
    assert.match(await found.frame.innerText('main'), /HARBOR BLUE METALLIC/);
    const none = await show('get_window_sticker', { vin: NONE });
    assert.match(await none.frame.innerText('main'), /No window sticker/);
    assert.equal(await none.frame.locator('img').count(), 0);
    const bad = await show('read_window_sticker', { vin: 'I'.repeat(17) });
    assert.match(await bad.frame.innerText('main'), /Position 1 is the letter I/);
    for (const { problems, page } of [picture, found, none, bad]) {
      assert.deepEqual(problems, []);
      await page.close();
    }
  },
);

test('text from a sticker is never interpreted as HTML', { skip: withoutBrowser }, async () => {
  const card = await show('read_window_sticker', { vin: STORED_VIN });
  const hostile = '<img src=x onerror="document.title=1">';
  await card.bridge.sendToolResult({
    content: [{ type: 'text', text: hostile }],
    structuredContent: {
      vin: hostile,
      vehicle: { model: hostile },
      links: { pdf: 'javascript:alert(1)', page: 'javascript:alert(2)' },
      label: { exterior: { color: hostile }, prices: { total: 1, options: [{ name: hostile, price: 1 }] } },
    },
  });
  await card.frame.waitForFunction((text) => document.querySelector('h1')?.textContent === text, hostile);
  assert.equal(await card.frame.locator('a').count(), 0);
  assert.equal(await card.frame.title(), 'Window sticker');
  await card.page.close();
});
