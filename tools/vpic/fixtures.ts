/**
 * Decodes the VINs of packages/vin/test/vins.jsonl again, after new data: `node tools/vpic/fixtures.ts`. A test checks that
 * they cover every code and source; for another VIN, add a line with its `vin` and the ids of its `elements`.
 * Review the diff before committing, because the tests compare with this file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { loadVpic } from '../../packages/vin/src/index.ts';

const file = new URL('../../packages/vin/test/vins.jsonl', import.meta.url);
const now = new Date('2026-11-01T00:00:00Z');
const vpic = loadVpic();

const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line): { vin: string; elements: [number, ...string[]][] } => JSON.parse(line));
const lines = rows.map((row) => {
  const { vin, codes, suggested, possibleValues, repair, warning, vehicle, elements } = vpic.decodeFull(
    row.vin,
    { now },
  );
  const ids = new Set(row.elements.map(([id]) => id));
  const chosen = elements
    .filter(({ id }) => ids.has(id))
    .sort((a, b) => a.id - b.id)
    .map(({ id, value, source }) => [id, value, source]);
  return JSON.stringify({
    vin,
    codes,
    suggested,
    possibleValues,
    repair,
    warning,
    vehicle,
    elements: chosen,
  });
});
writeFileSync(file, `${lines.join('\n')}\n`);
