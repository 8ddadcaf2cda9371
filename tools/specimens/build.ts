/** Draws the specimens' labels into `src/lookup/specimens/` and records their sizes, checksums and names: `npm run specimens`. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Drawn } from '../../src/lookup/specimens/index.ts';
import { readText } from '@monroney/label/read-text';
import { extractText } from '@monroney/label/pdf/text';
import { printedCar } from '@monroney/label/reading/printed-car';
import { drawLabel } from './draw.ts';
import { specimenLabels } from './orders.ts';

const folder = new URL('../../src/lookup/specimens/', import.meta.url);
const drawn: Record<string, Drawn> = {};
for (const order of specimenLabels) {
  const pdf = drawLabel(order);
  writeFileSync(new URL(`${order.vin}.pdf`, folder), pdf);
  const { label } = readText(await extractText(pdf), { make: order.make, vin: order.vin });
  const sha256 = createHash('sha256').update(pdf).digest('hex');
  drawn[order.vin] = { bytes: pdf.length, sha256, car: printedCar(label) };
}
writeFileSync(new URL('drawn.json', folder), `${JSON.stringify(drawn, null, 2)}\n`);
process.stdout.write(`${specimenLabels.length} labels drawn.\n`);
