/** Fills a store with labels that we drew and any number of generated rows. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checkDigit } from '@monroney/vin';
import { readerVersionOf } from '@monroney/label/read-text';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/index.ts';
import type { HeldLabel } from '../../src/store/store.ts';
import { drawLabel } from '../specimens/draw.ts';

/** The model of all generated VINs, which differ in serial number and check digit. Its response is long. */
const MODEL = '1FTEW2LP1TKE90000';

export function vinOf(serial: number, model = MODEL): string {
  const vin = model.slice(0, 11) + String(serial).padStart(6, '0');
  return vin.slice(0, 8) + checkDigit(vin)! + vin.slice(9);
}

export interface FilledStore {
  vins: string[];
  /** VINs whose labels have `fileBytes` bytes each. */
  fileVins: string[];
}

/** Serial numbers of cars with their own file. Generated rows have none. */
const FIRST_FILE = 900_000;

export async function fillStore(
  dataDir: string,
  { rows, files, fileBytes }: { rows: number; files: number; fileBytes: number },
): Promise<FilledStore> {
  const store = await openStore({ dataDir, log: silentLog });
  const stored: HeldLabel[] = [];
  try {
    for (let n = 0; n < files; n++) {
      const vin = vinOf(FIRST_FILE + n);
      const pdf = drawLabel({ vin, make: 'Ford' });
      const label = { vin, make: 'FORD', source: 'ford', host: 'www.windowsticker.forddirect.com' };
      const read = {
        fetched: Date.now(),
        paint: { color: 'Oxford White', code: null },
        reader: readerVersionOf('FORD'),
      };
      stored.push(await store.addLabel({ ...label, ...read }, padded(pdf, fileBytes)));
    }
  } finally {
    await store.close();
  }
  return { vins: addRows(dataDir, rows, stored), fileVins: stored.map(({ vin }) => vin) };
}

/** Appends bytes, because real labels are larger: they contain pictures and fonts. */
function padded(pdf: Buffer, bytes: number): Buffer {
  const padding = Buffer.alloc(Math.max(0, bytes - pdf.length));
  for (let i = 0; i < padding.length; i++) padding[i] = (i * 131 + (i >> 7)) & 255;
  return Buffer.concat([pdf, padding]);
}

function addRows(dataDir: string, rows: number, files: readonly HeldLabel[]): string[] {
  const db = new DatabaseSync(join(dataDir, 'labels.sqlite'));
  const insert = db.prepare('INSERT INTO vins (vin, label, make, bytes, sha256) VALUES (?, ?, ?, ?, ?)');
  const vins: string[] = [];
  db.exec('BEGIN');
  for (let n = 0; n < rows; n++) {
    const vin = vinOf(n);
    const label = { ...files[n % files.length]!, vin, fetched: 1.79e12 };
    insert.run(vin, JSON.stringify(label), label.make, label.bytes, label.sha256);
    vins.push(vin);
  }
  db.exec('COMMIT');
  db.close();
  return vins;
}
