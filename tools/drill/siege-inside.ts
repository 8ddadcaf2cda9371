/** What can happen from inside: hostile code in a child process, and damage to the data folder. */
import { execFile } from 'node:child_process';
import {
  existsSync,
  globSync,
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
import { startChild } from '../../src/pdf/child-start.ts';
import { get, serve } from './drill.ts';
import { carOf } from './hostile-source.ts';
import { attack, longAttack, type Attack } from './siege-target.ts';

const command = promisify(execFile);
const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** What the kernel must prevent, because Node can't. */
const NEEDS_KERNEL = ['connect to a port', 'connect to a local socket', 'signal the service'];

export const insideAttacks: readonly Attack[] = [
  longAttack('9', 'one bit of a stored label flipped on disk', async (target) => {
    const vin = carOf('ford');
    const intact = await get(target.service.port, `/api/sticker/${vin}`);
    if (intact.status !== 200) return `no label to damage: ${intact.status}`;
    const file = globSync('**/*', { cwd: target.dataDir })
      .map((name) => join(target.dataDir, name))
      .find((name) => name.includes(String(intact.headers.etag).replaceAll('"', '').slice(4)));
    if (!file) return 'the label is not on disk';
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(file, bytes);
    await target.restart();
    const after = await get(target.service.port, `/api/sticker/${vin}`);
    return after.status === 200 && !after.body.equals(intact.body) ? 'wrong bytes served' : null;
  }),
  longAttack('14', 'rm service.lock, then a second service', async (target) => {
    for (const lock of globSync('**/*.lock', { cwd: target.dataDir })) rmSync(join(target.dataDir, lock));
    const second = await serve({ DATA_DIR: target.dataDir }).catch(() => null);
    if (!second) return null;
    await second.kill('SIGKILL');
    return 'it started';
  }),
  attack('T5', 'hostile code in the child that opens PDFs', async (target) => {
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
  }),
  longAttack('T6', 'code in the data folder', async (target) => {
    const compiled = join(target.dataDir, 'compiled');
    mkdirSync(compiled, { recursive: true });
    await target.restart();
    await target.restart();
    return readdirSync(compiled).length === 0 ? null : 'the service loads code from the data folder';
  }),
  longAttack('T7', 'links in the data folder, then admin commands', async () => {
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
  }),
];
