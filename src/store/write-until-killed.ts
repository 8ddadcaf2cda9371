/** Stores labels in a loop until it is killed. Started by `run-until-killed.ts`. */
import { silentLog } from '../lib/log.ts';
import { openStore, type StoreOptions } from './index.ts';
import { newLabel, pdfOf } from './testing.ts';

const [options = '', firstSerial = '0'] = process.argv.slice(2);
const store = await openStore({ ...(JSON.parse(options) as Omit<StoreOptions, 'log'>), log: silentLog });
process.stdout.write('open\n');

async function writeLabels(lane: number): Promise<void> {
  for (let serial = Number(firstSerial); ; serial++) {
    const vin = `1FTFW1E8${lane}${String(serial).padStart(8, '0')}`;
    const label = await store.addLabel(newLabel(vin), pdfOf(vin, 50_000 + ((serial * 7919) % 200_000)));
    await store.addMiss({ vin, source: 'ford', kind: 'failed', why: 'timeout', at: 0, until: 0 });
    await store.cachePreview(label, 640, Buffer.alloc(9000, 1));
    process.stdout.write(`${vin} ${label.sha256}\n`);
  }
}

await Promise.all([1, 2, 3].map(writeLabels));
