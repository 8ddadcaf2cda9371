/** Takes the lease of a VIN, waits for a line, and writes its result. `coordination.test.ts` starts, pauses and kills it. */
import { once } from 'node:events';
import { silentLog } from '../../src/lib/log.ts';
import { openStore, type StoreOptions } from '../../src/store/index.ts';
import { newLabel, pdfOf } from '../../src/store/testing.ts';

const [storeOptions = '', vin = '', outcome = ''] = process.argv.slice(2);
const store = await openStore({ ...(JSON.parse(storeOptions) as Omit<StoreOptions, 'log'>), log: silentLog });

// Like a lookup: checks first whether another instance has stored the result.
const result = await store.coordination!.singleFlight.once(vin, async () => {
  const storedResult = (await store.find(vin)).label?.host ?? (await store.find(vin)).miss?.why;
  if (storedResult) return storedResult;
  process.stdout.write('holding\n');
  await once(process.stdin, 'data');
  if (outcome === 'label')
    return (await store.addLabel(newLabel(vin, { host: 'late.example' }), pdfOf(vin))).host;
  const at = Date.now();
  await store.addMiss({ vin, source: 'ford', kind: 'none', why: 'late', at, until: at + 60_000 });
  return 'late';
});
process.stdout.write(`${result}\n`);
await store.close();
process.exit(0);
