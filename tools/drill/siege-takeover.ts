/** What an intruder can do from inside: in a child process, or with write access to the data folder. */
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { attempts } from '../../src/pdf/hostile-child.ts';
import { startChild } from '../../src/pdf/child-process.ts';
import type { Attack } from './siege-target.ts';

const command = promisify(execFile);
const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** What the kernel must prevent, because Node can't. */
const NEEDS_KERNEL = ['connect to a port', 'connect to a local socket', 'signal the service'];

export const takeoverAttacks: readonly Attack[] = [
  {
    number: 'T5',
    name: 'hostile code in the child that opens PDFs',
    async run(target) {
      const child = await startChild('text', new AbortController().signal, path('src/pdf/hostile-child.ts'));
      if (!child) return 'the child did not start';
      const job = {
        secret: join(target.dataDir, 'labels.sqlite'),
        written: join(target.dataDir, 'written'),
        port: target.service.port,
        socket: join(target.dataDir, 'no-socket'),
        pid: target.service.pid,
      };
      const opened = await child.open({ job, bytes: 0 }, 60_000);
      await child.kill();
      if (!('reply' in opened) || !('result' in opened.reply)) return 'the child died';
      const outcomes = opened.reply.result as Record<string, string>;
      const possible = Object.keys(attempts).filter(
        (name) => outcomes[name] === 'succeeded' && !(child.gap && NEEDS_KERNEL.includes(name)),
      );
      return possible.length === 0 ? null : `it could ${possible.join(', ')}`;
    },
  },
  {
    number: 'T6',
    name: 'code in the data folder',
    long: true,
    async run(target) {
      const compiled = join(target.dataDir, 'compiled');
      mkdirSync(compiled, { recursive: true });
      await target.restart();
      await target.restart();
      return readdirSync(compiled).length === 0 ? null : 'the service loads code from the data folder';
    },
  },
  {
    number: 'T7',
    name: 'links in the data folder, then admin commands',
    async run() {
      const folder = mkdtempSync(join(tmpdir(), 'siege-links-'));
      try {
        for (const name of [
          'labels',
          'withdrawn',
          'tmp',
          'quarantine',
          'labels.sqlite',
          'cache.sqlite',
          'rebuild.unfinished',
        ]) {
          const [dataDir, victim] = [join(folder, name, 'data'), join(folder, name, 'victim')];
          mkdirSync(dataDir, { recursive: true });
          const isFile = name.includes('.');
          if (isFile) writeFileSync(victim, '');
          else mkdirSync(victim);
          symlinkSync(victim, join(dataDir, name));
          const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
          for (const args of [['labels'], ['rebuild'], ['quarantine', 'remove', '--all']])
            // Most of them fail, which is right.
            await command(process.execPath, [path('bin/monroney.mjs'), 'admin', ...args], { env }).catch(
              () => null,
            );
          const changed = isFile
            ? readFileSync(victim, 'utf8') !== '' || existsSync(`${victim}-wal`)
            : readdirSync(victim).length > 0;
          if (changed) return `something was written through the link ${name}`;
        }
        return null;
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
    long: true,
  },
];
