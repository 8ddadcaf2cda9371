/**
 * Replaces the decoder's data file while it is in use, and starts a second service on the same data folder: the first
 * continues, the second refuses to start.
 */
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
    writeFileSync(data, 'not a data file');
    expect(
      JSON.stringify(vpic.decode(vinOf(1))) === before,
      'a decode changed when its data file was replaced',
    );
    let loadError = '';
    try {
      loadBundled(data);
    } catch (error) {
      loadError = (error as Error).message;
    }
    expect(loadError !== '', 'an invalid data file was accepted');

    const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' };
    const first = await serve(env);
    const second = await serve(env).then(
      async (service) => (await service.kill('SIGKILL'), 'started'),
      (error: Error) => error.message,
    );
    expect(/in use by another running service/.test(second), `the second service: ${second.slice(0, 200)}`);
    expect(
      (await get(first.port, `/api/sticker/${specimens[0]!.vin}`)).status === 200,
      'the first service no longer serves labels',
    );
    await first.kill('SIGTERM');
    return result({ loadError: loadError.slice(0, 60), secondService: 'refused' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
