/** Stores some labels and prints each one that is stored. `power-cut.ts` traces it. */
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import { newLabel, pdfOf } from '../../src/store/testing.ts';

const [dataDir = '', labels = '4'] = process.argv.slice(2);
const store = await openStore({ dataDir, log: silentLog });
for (let serial = 0; serial < Number(labels); serial += 2) {
  await Promise.all(
    [0, 1].map(async (lane) => {
      const vin = `1FTFW1E8${lane}PFA${String(serial).padStart(5, '0')}`;
      const pdf = pdfOf(vin, 9000);
      const { sha256 } = await store.addLabel(newLabel(vin), pdf);
      process.stdout.write(`${vin} ${sha256}\n`);
    }),
  );
}
await store.close();
