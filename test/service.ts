import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfig } from '../src/config.ts';
import { createLog } from '../src/lib/log.ts';
import { openLabelWorkers, type LabelWorkers } from '../src/lookup/label-workers.ts';
import { start } from '../src/main.ts';
import { createResponseChecker, isDocumented, type ResponseChecker } from './documented.ts';

/** The real service on a free port with its own data folder. Log lines are collected for the test. */
export interface Service {
  origin: string;
  dataDir: string;
  logs: string[];
  runtime: Awaited<ReturnType<typeof start>>['runtime'];
  get(path: string, init?: RequestInit): Promise<Response>;
  json<T = Record<string, never>>(path: string, init?: RequestInit): Promise<T>;
  close(): Promise<void>;
}

/**
 * Tests exceed the limit of ten requests in ten seconds, so each request has its own IP address: the service trusts
 * X-Forwarded-For from this machine.
 */
let lastIp = Math.floor(Math.random() * 100_000);
export function freshIp(): string {
  lastIp++;
  return `198.${18 + ((lastIp >> 16) & 1)}.${(lastIp >> 8) & 255}.${lastIp & 255}`;
}

/** The shared store's URLs if these tests run on it: see `test/shared/contract.test.ts`. */
const testStore = JSON.parse(process.env.TEST_STORE ?? '{}') as Record<string, string>;

/** Long enough for a machine that is slow or busy. */
const DEADLINE_MS = 120_000;
/** Shared by all services in a process. */
let workers: LabelWorkers | undefined;
const checkers = new Map<string, ResponseChecker>();

export interface ServiceOptions {
  /** Its own workers, started by its first label and counted in its metrics. By default all services share one pool. */
  ownWorkers?: boolean;
  /** Multiplies the timeouts of sources and of the shared store's servers. `PATIENT` is for tests without such a timeout. */
  timeoutFactor?: number;
}

/** However slow the machine is: the runner ends a test that hangs. */
export const PATIENT = { timeoutFactor: 100 };

export async function startService(
  env: Record<string, string> = {},
  { ownWorkers = false, timeoutFactor }: ServiceOptions = {},
): Promise<Service> {
  const dataDir = env.DATA_DIR ?? mkdtempSync(path.join(tmpdir(), 'monroney-'));
  const logs: string[] = [];
  const log = createLog('info', (lines) => logs.push(...lines.trimEnd().split('\n')));
  const running = await start(
    readConfig({
      PORT: '0',
      HOST: '127.0.0.1',
      TRUSTED_PROXIES: '127.0.0.1',
      SOURCE_PACE_MS: '0',
      ...testStore,
      ...env,
      DATA_DIR: dataDir,
    }),
    log,
    {
      warmWorkers: false,
      timeoutFactor,
      // Starting a worker and reading its first label takes half a second of CPU time. Workers exit with this process.
      ...(ownWorkers
        ? {}
        : {
            workers: (workers ??= openLabelWorkers({
              warm: false,
              deadlineMs: DEADLINE_MS,
              maxWaitMs: DEADLINE_MS,
            })),
          }),
    },
  );
  let checker: Promise<ResponseChecker> | undefined;
  const createChecker = async () => {
    const openapi = await (await fetch(`${running.origin}/openapi.json`)).text();
    // Compiling the schemas takes 200 ms, and services in a file differ only in their ports.
    const key = openapi.replaceAll(running.origin, '');
    const check =
      checkers.get(key) ??
      createResponseChecker(JSON.parse(openapi) as Parameters<typeof createResponseChecker>[0]);
    checkers.set(key, check);
    return check;
  };
  /** Checks every documented response against the OpenAPI document. */
  const get = async (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    if (!headers.has('x-forwarded-for')) headers.set('x-forwarded-for', freshIp());
    // Uncompressed, so that tests can compare lengths and ETags with the body.
    if (!headers.has('accept-encoding')) headers.set('accept-encoding', 'identity');
    const send = () => fetch(`${running.origin}${url}`, { ...init, headers });
    const response = await send().catch((error: Error) => {
      // The service may close an idle connection just when it is used again. Browsers resend such requests too.
      const { code } = (error.cause ?? {}) as { code?: string };
      const wasClosed = code === 'ECONNRESET' || code === 'UND_ERR_SOCKET';
      if (!wasClosed || !['GET', 'HEAD'].includes(init.method ?? 'GET')) throw error;
      return send();
    });
    const type = response.headers.get('content-type') ?? '';
    if (isDocumented(url, type))
      await (
        await (checker ??= createChecker())
      )(init.method ?? 'GET', url, response);
    return response;
  };
  return {
    origin: running.origin,
    dataDir,
    logs,
    runtime: running.runtime,
    get,
    json: async <T>(url: string, init?: RequestInit) => (await (await get(url, init)).json()) as T,
    async close() {
      // Its clients are idle by now.
      await running.close(0);
      log.flush();
      if (!env.DATA_DIR) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
