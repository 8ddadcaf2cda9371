/** The processes of a bench, each pinned to a core: the service, bare servers and the load generator. */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, type RunningService } from '../drill/drill.ts';
import { pathTo } from './figures.ts';
import type { CapturedResponse } from './http-bare.ts';
import type { LoadPlan, Turn } from './http-load.ts';

/** The servers share one core; the load generator uses the other. */
const SERVER_CORE = 0;
const CLIENT_CORE = 1;

/** The commands that pin a program to a core and raise its priority, where that is allowed. They replace themselves with it. */
const pinnedTo = (core: number): string[] => [
  ...(process.getuid?.() === 0 && existsSync('/usr/bin/nice') ? ['nice', '-n', '-15'] : []),
  ...(existsSync('/usr/bin/taskset') && availableParallelism() > 1 ? ['taskset', '-c', String(core)] : []),
];

function startProgram(script: string, core: number): ChildProcess {
  const [file, ...args] = [...pinnedTo(core), process.execPath, pathTo(script)];
  // Advanced serialization is needed for buffers and large arrays.
  return spawn(file, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], serialization: 'advanced' });
}

/** Sends a message to a program and returns its reply. */
function callProgram<T>(program: ChildProcess, message: object): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`a program of the bench ended with ${code}`));
    program.once('exit', fail).once('message', (reply) => {
      program.off('exit', fail);
      resolve(reply as T);
    });
    program.send(message);
  });
}

export interface Bench {
  dataDir: string;
  /** The service as operators start it, with the rate limit on, behind a trusted proxy. */
  start(): Promise<RunningService>;
  startBare(response: CapturedResponse): Promise<{ port: number; pid: number; stop(): void }>;
  load(plan: LoadPlan): Promise<Turn[][]>;
}

/** Runs a bench with a data folder of its own, and stops its programs however it ends. */
export async function withPrograms<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-'));
  const generator = startProgram('http-load.ts', CLIENT_CORE);
  try {
    return await work({
      dataDir,
      start: () => {
        // Responses contain links, so an ETag needs the same host name for any port.
        const env = { DATA_DIR: dataDir, SOURCE_ORIGIN: 'http://127.0.0.1:9', BASE_URL: 'http://localhost' };
        return serve(env, { before: pinnedTo(SERVER_CORE) });
      },
      async startBare(response) {
        const program = startProgram('http-bare.ts', SERVER_CORE);
        const port = await callProgram<number>(program, response);
        return { port, pid: program.pid!, stop: () => void program.kill() };
      },
      load: (plan) => callProgram(generator, plan),
    });
  } finally {
    generator.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}
