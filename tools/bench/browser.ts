/**
 * The first decode in a browser after modules and data have loaded: `npm run bench -- browser`. Every round starts a new
 * browser process, so no code is compiled yet.
 */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import { loadVpic } from '../../packages/vin/src/index.ts';
import type { VinAssets } from '../../src/pages/page-context.ts';
import { createVinAssets } from '../../src/pages/vin-assets.ts';
import type { BenchResult } from './decoder.ts';
import { figure } from './figures.ts';

const ROUNDS = 9;
const VINS = {
  'Ford truck': '1FTMW1T88MFA00001',
  Toyota: '5TFPC5DB6RX421403',
  'small maker': '1A9GPEAA4GC596001',
};
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

interface Round {
  ms: number;
  bytes: number;
}

/** Loads everything first, then times unpacking, indexing and decoding. */
const inPage = (module: string, vin: string): string => `(async () => {
  const { openVpic } = await import('${module}');
  const files = new Map();
  const load = async (name) => {
    if (!files.has(name)) files.set(name, await (await fetch(new URL(name, new URL('${module}', location)))).arrayBuffer());
    return files.get(name);
  };
  const index = JSON.parse(new TextDecoder().decode(await load('index.json')));
  const piece = [3, 2, 1].map((length) => '${vin}'.slice(0, length)).find((name) => index.pieces.includes(name));
  const bytes = (await load(piece + '.bin')).byteLength;
  const start = performance.now();
  const { vehicle } = await (await openVpic({ load })).decode('${vin}');
  if (!vehicle.make) throw new Error('nothing was decoded');
  return { ms: performance.now() - start, bytes };
})()`;

async function serve(assets: VinAssets, { url = '' }: IncomingMessage, res: ServerResponse): Promise<void> {
  const asset = await assets.find(url);
  res.setHeader('content-type', asset?.type ?? 'text/html');
  res.end(asset ? await asset.plain() : '<!doctype html><title>A page</title>');
}

export async function run(): Promise<BenchResult> {
  if (!existsSync(executablePath))
    throw new Error(`Chromium not found at ${executablePath}. Set CHROMIUM to its path.`);
  const assets = createVinAssets(loadVpic());
  const server = createServer((req, res) => void serve(assets, req, res));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const rows: string[][] = [];
  let worst = 0;
  try {
    const { port } = server.address() as AddressInfo;
    for (const [name, vin] of Object.entries(VINS)) {
      const rounds: Round[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
        try {
          const page = await browser.newPage();
          await page.goto(`http://127.0.0.1:${port}/`);
          rounds.push(await page.evaluate<Round>(inPage(assets.module, vin)));
        } finally {
          await browser.close();
        }
      }
      const times = rounds.map(({ ms }) => ms).sort((a, b) => a - b);
      const median = times[Math.floor(ROUNDS / 2)]!;
      worst = Math.max(worst, median);
      rows.push([
        name,
        figure(rounds[0]!.bytes / 1000),
        figure(times[0]!),
        figure(median),
        figure(times.at(-1)!),
      ]);
    }
  } finally {
    server.close();
  }
  return {
    name: `browser: the first decode in Chromium, ${ROUNDS} fresh browsers each`,
    columns: ['', 'KB of data', 'min ms', 'median ms', 'max ms'],
    rows,
    figures: { coldDecodeMs: worst },
    notes: ['After modules and data have loaded: unpacking, indexing, decoding.'],
  };
}
