import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import type { Decoded, VpicLists } from '@monroney/vin';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Finding, LookupResult } from '../lookup/finding.ts';
import { readerVersionOf } from '@monroney/label/read-text';
import type { Reading } from '@monroney/label/reading/types';
import { createLimiter } from '../lib/limits.ts';
import { silentLog } from '../lib/log.ts';
import { createLongWork } from '../lib/long-work.ts';
import { createMemoryCache } from '../lib/memory-cache.ts';
import { createMetrics } from '../lib/metrics.ts';
import type { HeldLabel } from '../store/store.ts';
import { createHttpApp, type HttpOptions } from './app.ts';
import type { ApiDependencies, LabelLookup } from './operation.ts';
import { serveDocuments } from './service-routes.ts';
import { budgetOf, LIMIT, type ApiLimiter } from './limit.ts';
import type { Document } from './response.ts';
import type { Route } from './route.ts';
import { serveApi } from './routes.ts';
import type { ServerLimits } from './server.ts';

/** For the tests of this folder: a fake lookup with fixed findings, and dependencies without limits. */

export const HELD = '1FTEW2LP0TK000000';
export const NONE = '2LMPJ8J99PB000000';
export const OFF = '5XYP5DGC4PG000000';
export const FAILED = 'JF2SKAGC8RH000000';
export const NO_SOURCE = '1HGCV3F53MA000000';
export const FETCHED = Date.UTC(2026, 10, 15, 8, 30, 12);

export function pdfOf(bytes: number): Buffer {
  return Buffer.alloc(bytes, '%PDF-1.4 a label of ours ');
}

export function labelOf(vin: string, pdf: Buffer): HeldLabel {
  const sha256 = createHash('sha256').update(pdf).digest('hex');
  const paint = { color: 'Harbor Blue Métallic', code: null };
  return {
    vin,
    make: 'FORD',
    source: 'ford',
    host: 'example.com',
    fetched: FETCHED,
    bytes: pdf.length,
    sha256,
    paint,
    reader: readerVersionOf('FORD'),
  };
}

const vehicle = {
  year: '2026',
  make: 'FORD',
  model: 'F-150',
  trim: null,
  bodyClass: 'Pickup',
  driveType: null,
  doors: '4',
  engine: { displacement: '3.5L', cylinders: '6', fuel: 'Gasoline', electrification: null, horsepower: null },
  transmission: null,
  plant: 'DEARBORN',
  manufacturer: 'FORD MOTOR COMPANY, USA',
};

const decode = (vin: string): Decoded => ({
  vin,
  vehicle,
  codes: [0],
  suggested: null,
  warning: null,
  repair: null,
  otherYear: null,
});

const reading: Reading = {
  reader: readerVersionOf('FORD')!,
  readable: false,
  reason: 'picture',
  vin: null,
  paint: null,
  label: null,
  proof: null,
};

const findings: Record<string, Finding> = {
  [NONE]: { state: 'none', why: 'no', until: Number.MAX_SAFE_INTEGER },
  [OFF]: { state: 'off', reason: 'for a test', since: FETCHED },
  [FAILED]: { state: 'failed', why: 'timeout', retryAfter: 30 },
  [NO_SOURCE]: { state: 'no-source' },
};

interface FakeLookup {
  lookup: LabelLookup;
  /** VINs that were looked up, in order. */
  found: string[];
  pdf: Buffer;
  label: HeldLabel;
}

/** Has one label, for `HELD`; the other VINs above have one outcome each. */
export function fakeLookup(pdf: Buffer = pdfOf(300_000)): FakeLookup {
  const label = labelOf(HELD, pdf);
  const found: string[] = [];
  const find = async (vin: string, options: { sticker: boolean }): Promise<LookupResult> => {
    found.push(vin);
    const held: Finding | null = vin === HELD ? { state: 'held', label } : null;
    const isKnown = options.sticker || vin === NONE;
    const finding = held ?? (isKnown ? findings[vin] : null) ?? { state: 'not-asked' };
    return { vin, decoded: decode(vin), source: null, finding, specimen: false };
  };
  const lookup: LabelLookup = {
    decode,
    find,
    pdf: async () => pdf,
    lines: async () => [['A line']],
    reading: async () => reading,
    switches: { onWithheldChange() {} },
    preview: async (_, width) => (width === 320 ? null : Buffer.from('RIFF-picture')),
  };
  return { lookup, found, pdf, label };
}

interface FakeDependencies extends HttpOptions, ApiDependencies {
  documents: Map<string, () => Document>;
  contacts: [string, string][];
}

export function dependenciesWith(
  lookup: LabelLookup,
  more: Partial<FakeDependencies> = {},
): FakeDependencies {
  const contacts: [string, string][] = [];
  return {
    ...bareOptions('http://labels.example'),
    lookup,
    store: { ready: async () => {}, onReplaced() {} },
    outages: { networkDownSince: () => null },
    limiter: { policy: LIMIT, take: () => ({ allowed: true, remaining: 9, waitMs: 10_000 }) },
    pdfCacheBytes: 8_000_000,
    vpic: {
      month: '2026-10',
      values: (vin) => ({ VIN: vin }),
      variables: () => [],
      wmi: () => null,
      makes: () => [],
      modelsInParts: () => [],
      lists: {} as VpicLists,
    },
    longWork: createLongWork(),
    documents: new Map([
      ['/openapi.json', () => ({ type: 'application/json', body: '{"openapi":"3.1.0"}' })],
    ]),
    noteContact: (raw, route) => void (raw && contacts.push([raw, route])),
    contacts,
    ...more,
  };
}

const bareOptions = (baseUrl: string) => ({
  baseUrl,
  trustedProxies: [],
  log: silentLog,
  metrics: createMetrics(),
  memory: createMemoryCache(),
  limiter: null,
  pageLimit: null,
  noteContact() {},
  lifecycle: () => null,
});

/** An app without routes and limits. */
export const bareApp = (baseUrl: string, more: Partial<HttpOptions> = {}): FastifyInstance =>
  createHttpApp({ ...bareOptions(baseUrl), ...more });

type Page = Route['handle'];

/** The API, the documents, and one page for everything else. */
export function appWith(
  dependencies: FakeDependencies,
  page: Page = () => ({ status: 200, headers: {}, body: 'page' }),
): FastifyInstance {
  const app = createHttpApp(dependencies);
  serveApi(app, dependencies);
  serveDocuments(app, dependencies.documents);
  app.serve({ template: '/*', limit: 'page', methods: ['*'], handle: page });
  return app;
}

/** Sends requests without a connection. */
export function client(lookup: LabelLookup, more?: Partial<FakeDependencies>) {
  const dependencies = dependenciesWith(lookup, more);
  const app = appWith(dependencies);
  const get = (
    url: string,
    headers: Record<string, string> = {},
    method: 'GET' | 'HEAD' | 'OPTIONS' = 'GET',
  ): Promise<LightMyRequestResponse> => app.inject({ url, headers, method });
  return { get, ...dependencies };
}

/** Runs a real server on a free port while `use` runs. */
export async function serving(
  dependencies: FakeDependencies,
  use: (origin: string, port: number, server: Server) => Promise<void>,
  { page, limits }: { page?: Page; limits?: Partial<ServerLimits> } = {},
): Promise<void> {
  const app = appWith({ ...dependencies, limits }, page);
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    await use(origin, Number(new URL(origin).port), app.server);
  } finally {
    app.server.closeAllConnections();
    await app.close();
  }
}

/** Everything that is ready happens first. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

export const countingLimiter = (): ApiLimiter => ({
  policy: LIMIT,
  take: createLimiter(budgetOf(LIMIT), () => FETCHED).take,
});

/** Sends raw bytes and reads until the server closes the connection. */
export async function sendRaw(port: number, text: string | Buffer): Promise<string> {
  const socket = await openSocket(port);
  socket.write(text);
  let response = '';
  socket.on('data', (chunk) => (response += chunk.toString('latin1')));
  await once(socket, 'close');
  return response;
}

/** A GET request as text, with more header lines if wanted. */
export const getRequest = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`;

export const rawGet = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** Reads until `count` bodies of the form `[[…]]` have arrived, or the connection is closed. */
export async function bracketed(socket: Socket, count: number): Promise<string[]> {
  let text = '';
  let found: string[] = [];
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    found = [...text.matchAll(/\[\[([^[\]]*)\]\]/g)].map(([, body]) => body!);
    if (found.length >= count) break;
  }
  return found;
}

/** For tests with several addresses: elsewhere, 127.0.0.1 is the only loopback address. */
export const notOnLinux = process.platform === 'linux' ? false : 'needs Linux';

/** Opens a connection that has been accepted. With a path, a request for it has been sent. */
export async function openFrom(localAddress: string, port: number, path?: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).on('error', () => {});
  await once(socket, 'connect');
  socket.write(rawGet(path ?? '/healthz'));
  if (path === undefined) await once(socket, 'data');
  return socket.resume();
}

export async function closed(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}
