import { unlink } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '../../lib/log.ts';
import { openStore } from '../index.ts';
import { storeContract } from '../store-contract.ts';

storeContract('embedded store', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'monroney-store-'));
  const open = () => openStore({ dataDir, log: silentLog });
  const opened = {
    store: await open(),
    reopen: open,
    deleteBytes: (sha256: string) =>
      unlink(join(dataDir, 'labels', sha256.slice(0, 2), `${sha256.slice(2)}.pdf`)),
    cleanUp: async () => {
      await opened.store.close();
      await rm(dataDir, { recursive: true });
    },
  };
  return opened;
});
