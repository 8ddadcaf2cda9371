/** Replaces files under a running service and starts a second one on its folder: the first continues, the second refuses. */
import { copyFileSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadBundled } from '@monroney/vin';
import { vinOf } from '../bench/filled-store.ts';
import { serve, get, collectFailures, type DrillResult } from './drill.ts';
import { specimens } from '../../src/lookup/specimens/index.ts';

export async function run(): Promise<DrillResult> {
  const { expect, result } = collectFailures('replaced');
  const folder = await mkdtemp(join(tmpdir(), 'drill-replaced-'));
  try {
    const data = join(folder, 'vpic.bin');
    copyFileSync(fileURLToPath(new URL('../../packages/vin/data/vpic.bin', import.meta.url)), data);
    const vpic = loadBundled(data);
    const before = JSON.stringify(vpic.decode(vinOf(1)));
    truncateSync(data, 1000);
    expect(
      JSON.stringify(vpic.decode(vinOf(1))) === before,
      'a decode changed when its data file was cut short',
    );
    writeFileSync(data, 'something else altogether');
    expect(
      JSON.stringify(vpic.decode(vinOf(1))) === before,
      'a decode changed when its data file was replaced',
    );
    let refused = '';
    try {
      loadBundled(data);
    } catch (error) {
      refused = (error as Error).message;
    }
    expect(refused !== '', 'a data file that is none was taken');

    const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' };
    const first = await serve(env);
    const second = await serve(env).then(
      async (service) => (await service.kill('SIGKILL'), 'started'),
      (error: Error) => error.message,
    );
    expect(/in use by another running service/.test(second), `the second service: ${second.slice(0, 200)}`);
    expect(
      (await get(first.port, `/api/sticker/${specimens[0]!.vin}`)).status === 200,
      'the first was disturbed',
    );
    await first.kill('SIGTERM');
    return result({ newStartSays: refused.slice(0, 60), secondService: 'refused' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
