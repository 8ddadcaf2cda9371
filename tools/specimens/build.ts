/** Draws the specimens' labels into `src/lookup/specimens/` and records their sizes and checksums: `npm run specimens`. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { drawLabel } from './draw.ts';
import { specimenLabels } from './orders.ts';

const folder = new URL('../../src/lookup/specimens/', import.meta.url);
const drawn: Record<string, { bytes: number; sha256: string }> = {};
for (const order of specimenLabels) {
  const pdf = drawLabel(order);
  writeFileSync(new URL(`${order.vin}.pdf`, folder), pdf);
  drawn[order.vin] = { bytes: pdf.length, sha256: createHash('sha256').update(pdf).digest('hex') };
}
writeFileSync(new URL('drawn.json', folder), `${JSON.stringify(drawn, null, 2)}\n`);
process.stdout.write(`${specimenLabels.length} labels drawn.\n`);
