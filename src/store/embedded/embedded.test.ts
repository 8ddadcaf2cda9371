// lane: service
import { mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { type LabelFile, pdfName } from '../label-bytes.ts';
import { storeContract } from '../store-contract-tests.ts';

storeContract('embedded store', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'monroney-store-'));
  const open = () => openStore({ dataDir, log: silentLog });
  const opened = {
    store: await open(),
    reopen: open,
    deleteBytes: (label: LabelFile) => unlink(join(dataDir, pdfName(label))),
    replaceBytes: (label: LabelFile, bytes: Buffer) => writeFile(join(dataDir, pdfName(label)), bytes),
    async deleteRow(vin: string) {
      const rows = new DatabaseSync(join(dataDir, 'labels.sqlite'));
      rows.prepare('DELETE FROM vins WHERE vin = ?').run(vin);
      rows.close();
    },
    cleanUp: async () => {
      await opened.store.close();
      await rm(dataDir, { recursive: true });
    },
  };
  return opened;
});
