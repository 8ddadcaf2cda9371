/** Starts the service for a bench and sends it requests. */
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HEAP_FLAGS } from '../../bin/permissions.mjs';
import type { BareTask } from './http-bare.ts';
import type { LoadPlan } from './http-load.ts';
import { callProgram, pathTo, SERVER_CORE, startProgram, type Program } from './processes.ts';

/** The default plan: plain GETs by 16 connections in turns of 150 ms. */
export function planOf(wanted: Pick<LoadPlan, 'servers' | 'paths'> & Partial<LoadPlan>): LoadPlan {
  const servers = wanted.servers.map(({ port, pid }) => ({ port, pid }));
  const { method = 'GET', status = 200 } = wanted;
  return {
    extra: '',
    connections: 16,
    turnMs: 150,
    turns: 10,
    warmMs: 1000,
    ...wanted,
    method,
    status,
    bodyless: method === 'HEAD' || status === 304,
    servers,
  };
}

export interface CapturedResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

const PER_RESPONSE_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Captures one response of the service for the bare server to repeat. */
export function captureResponse(
  port: number,
  path: string,
  method = 'GET',
  extra = '',
): Promise<CapturedResponse> {
  const headers = Object.fromEntries(
    extra
      .split('\r\n')
      .filter(Boolean)
      .map((line) => line.split(': ') as [string, string]),
  );
  return new Promise((resolve, reject) => {
    const request = http.request({ port, path, method, headers, host: '127.0.0.1', agent: false }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        const sent: Record<string, string> = {};
        for (let i = 0; i < res.rawHeaders.length; i += 2) {
          if (!PER_RESPONSE_HEADERS.has(res.rawHeaders[i]!.toLowerCase()))
            sent[res.rawHeaders[i]!.toLowerCase()] = res.rawHeaders[i + 1]!;
        }
        resolve({ status: res.statusCode!, headers: sent, body: Buffer.concat(chunks) });
      });
    });
    request.on('error', reject).end();
  });
}

export async function startBare(task: BareTask): Promise<Program & { port: number }> {
  const program = startProgram(pathTo('http-bare.ts'), [], { core: SERVER_CORE });
  const { port } = await callProgram<{ port: number }>(program, task);
  return { ...program, port };
}

export async function startService(
  dataDir: string,
  env: Record<string, string> = {},
  nodeFlags: readonly string[] = HEAP_FLAGS,
  /** Null: any core. */
  core: number | null = SERVER_CORE,
) {
  const program = startProgram(pathTo('http-service.ts'), [], {
    core: core ?? undefined,
    env: {
      // `npm start` has this cache after its first start.
      NODE_COMPILE_CACHE: join(tmpdir(), 'monroney-bench-compiled'),
      DATA_DIR: dataDir,
      // Stored responses contain links, so they need the same host name for any port.
      BASE_URL: 'http://localhost:8080',
      TRUSTED_PROXIES: '127.0.0.1',
      SOURCE_ORIGIN: 'http://127.0.0.1:9',
      ...env,
    },
    nodeFlags,
  });
  const { port } = await callProgram<{ port: number }>(program);
  return { ...program, port };
}
