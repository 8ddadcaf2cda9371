/** Damage to the data folder. */
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { get, serve } from './drill.ts';
import { carOf } from './hostile-source.ts';
import type { Attack } from './siege-target.ts';

export const diskAttacks: readonly Attack[] = [
  {
    number: '9',
    name: 'one bit of a stored label flipped on disk',
    async run(target) {
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
    },
    long: true,
  },
  {
    number: '14',
    name: 'rm service.lock, then a second service',
    long: true,
    async run(target) {
      for (const lock of globSync('**/*.lock', { cwd: target.dataDir })) rmSync(join(target.dataDir, lock));
      const second = await serve({ DATA_DIR: target.dataDir }).catch(() => null);
      if (!second) return null;
      await second.kill('SIGKILL');
      return 'it started';
    },
  },
];
