import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const MONRONEY = fileURLToPath(new URL('../../bin/monroney.mjs', import.meta.url));
const FIXTURES = fileURLToPath(new URL('fixtures-service.ts', import.meta.url));

export interface RunningService {
  origin: string;
  dataDir: string;
  stop(): Promise<void>;
}

/** Starts `monroney serve` on a free port with a temporary folder. */
export const startProcess = (): Promise<RunningService> => start([MONRONEY, 'serve']);

/** Starts the same HTTP stack with the tools that the conformance suites require. */
export const startFixtures = (): Promise<RunningService> => start([FIXTURES]);

async function start(args: string[]): Promise<RunningService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'monroney-'));
  const env = {
    ...process.env,
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    LIMIT: 'off',
  };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let output = '';
  const origin = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const url = /http:\/\/localhost:\d+(?!\d|$)/.exec(output)?.[0];
      if (url) resolve(url);
    });
    child.once('exit', () => reject(new Error(`The service didn't start: ${output}`)));
  });
  return {
    origin,
    dataDir,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
