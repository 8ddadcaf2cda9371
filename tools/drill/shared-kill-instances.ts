/** Instances of the service that are killed at random and restarted. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serve, type RunningService } from './drill.ts';

export interface Instance {
  name: string;
  /** Null while it's down. */
  service: RunningService | null;
  /** When it was last killed. */
  killedAt: number;
  dataDir: string;
}

export interface Instances {
  all: Instance[];
  kills: number[];
  startsMs: number[];
  /** Kills a running instance, unless it's the last one, and restarts it later. */
  killOne(random: () => number): void;
  /** Logged warnings and errors with their counts. */
  problems(): string[];
  /** Waits until all are running again. */
  allRunning(): Promise<void>;
  stop(): Promise<void>;
}

export async function startInstances(count: number, env: Record<string, string>): Promise<Instances> {
  const root = mkdtempSync(join(tmpdir(), 'drill-shared-kill-'));
  const startsMs: number[] = [];
  const kills: number[] = [];
  const restarts = new Set<Promise<void>>();
  const all: Instance[] = Array.from({ length: count }, (_, n) => ({
    name: `instance ${n + 1}`,
    service: null,
    killedAt: -Infinity,
    dataDir: join(root, String(n)),
  }));
  async function start(instance: Instance): Promise<void> {
    // exec replaces the shell, and the log of all restarts goes to one file.
    const before = ['sh', '-c', 'exec "$@" >>"$0"', `${instance.dataDir}.log`];
    const service = await serve({ LOG_LEVEL: 'warn', ...env, DATA_DIR: instance.dataDir }, { before });
    startsMs.push(service.startMs);
    instance.service = service;
  }
  await Promise.all(all.map(start));
  startsMs.length = 0;

  return {
    all,
    kills,
    startsMs,
    killOne(random) {
      const up = all.filter(({ service }) => service);
      if (up.length < 2) return;
      const instance = up[Math.floor(random() * up.length)]!;
      const service = instance.service!;
      instance.service = null;
      instance.killedAt = performance.now();
      kills.push(instance.killedAt);
      const restart = service
        .kill('SIGKILL')
        .then(() => wait(random() * 1500))
        .then(() => start(instance))
        .finally(() => restarts.delete(restart));
      restarts.add(restart);
    },
    problems() {
      const counts = new Map<string, number>();
      for (const { dataDir } of all) {
        if (!existsSync(`${dataDir}.log`)) continue;
        for (const line of readFileSync(`${dataDir}.log`, 'utf8').split('\n').filter(Boolean)) {
          const { message, error } = JSON.parse(line) as { message: string; error?: string };
          const problem = `${message}: ${error?.split('\n')[0] ?? ''}`;
          counts.set(problem, (counts.get(problem) ?? 0) + 1);
        }
      }
      return [...counts].map(([problem, times]) => `${times} × ${problem}`);
    },
    allRunning: async () => void (await Promise.all(restarts)),
    async stop() {
      await Promise.allSettled(restarts);
      await Promise.all(all.map(async ({ service }) => service?.kill('SIGTERM')));
      rmSync(root, { recursive: true, force: true });
    },
  };
}
