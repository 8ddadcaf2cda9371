/**
 * Chooses the VINs of packages/vin/test/vins.jsonl and writes their decodes: `node tools/vpic/fixtures.ts DUMP`.
 * They are generated from the manufacturers and years of the dump. Of many thousands, it keeps those that cover
 * something no other does: a code, an element from a source, a value of a lookup table, a warning, a kind of repair.
 * Review the diff before committing, because the tests compare with this file.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hasRightCheckDigit, loadVpic, type DecodedFull } from '../../packages/vin/src/index.ts';
import { readTables, type Field } from './copy.ts';
import { openDump } from './dump.ts';
import { YEAR_CODES, makeUpVin, mistype, pick, replaceAt, randomFrom } from './random-vins.ts';

const NOW = new Date('2026-11-01T00:00:00Z');
const CANDIDATES = 60_000;
const LONG_LISTS = new Set(['Make', 'Model', 'Trim', 'Series', 'Manufacturer Name', 'Engine Model']);
const LISTED_VALUES = new Set([
  'Body Class',
  'Drive Type',
  'Fuel Type - Primary',
  'Transmission Style',
  'Vehicle Type',
]);

// The makes whose window stickers are published, because they are looked up most.
const MAKES_WITH_LABELS = new Set(
  (
    'FORD,LINCOLN,CHEVROLET,GMC,BUICK,CADILLAC,JEEP,RAM,DODGE,CHRYSLER,FIAT,ALFA ROMEO,SUBARU,KIA,HYUNDAI,GENESIS,' +
    'TOYOTA,LEXUS,NISSAN,INFINITI'
  ).split(','),
);

const path = process.argv[2];
if (!path) {
  process.stderr.write('Usage: node tools/vpic/fixtures.ts DUMP\n');
  process.exit(2);
}
const vpic = loadVpic();
const random = randomFrom(2026);
const { wmis, years, exceptions } = await seeds(path);

/** What this decode covers. */
function features(full: DecodedFull): Map<string, number | null> {
  const covered = new Map<string, number | null>([
    [`codes ${full.codes.join(',')}`, null],
    [`marks ${full.suggested?.replace(/[^!]/g, '').length}`, null],
    [`repair ${repairKind(full)}`, null],
    [
      `warning ${(full.warning ?? '')
        .replace(/\b[A-Z0-9]+\b|[,;]/g, '')
        .replace(/\s+(and|or|to)\b|\s+/g, ' ')
        .slice(0, 50)}`,
      null,
    ],
    [`small maker ${full.vin[2] === '9'} ${full.codes[0]}`, null],
    [
      `wrong check digit accepted ${!hasRightCheckDigit(full.vin) && !full.codes.includes(1)} ${full.codes.join(',')}`,
      null,
    ],
    [`displacement ${full.vehicle?.engine.displacement?.length}`, null],
  ]);
  const counts = new Map<number, number>();
  for (const { id, name, value, source } of full.elements) {
    counts.set(id, (counts.get(id) ?? 0) + 1);
    covered.set(`${id} from ${source}`, id);
    if (LISTED_VALUES.has(name)) covered.set(`${name} ${value}`, id);
    else if (!LONG_LISTS.has(name) && value === '') covered.set(`${id} empty`, id);
  }
  for (const [id, count] of counts) if (count > 1) covered.set(`${id} repeated`, id);
  const type = full.elements.find((element) => element.name === 'Vehicle Type')?.value;
  const decade = full.vehicle?.year?.slice(0, 3);
  covered.set(`${type} of ${decade}`, null);
  const make = full.vehicle?.make ?? '';
  if (MAKES_WITH_LABELS.has(make) && full.codes[0] === 0 && full.vehicle?.model) {
    covered.set(`${make} of ${Math.floor(Number(full.vehicle.year) / 4)}`, null);
  }
  covered.set(
    `${type} uncertain ${full.otherYear !== null} ${full.vehicle?.year ? Number(full.vehicle.year) < 2010 : ''}`,
    null,
  );
  return covered;
}

function repairKind({ vin, repair, suggested }: DecodedFull): string {
  if (!repair) return 'none';
  if (repair === suggested) return 'suggested';
  const changed = vin.split('').filter((character, index) => character !== repair[index]).length;
  return changed === 2 ? 'swap' : repair[8] === vin[8] ? 'look-alike' : 'check digit';
}

const wmisWithLabels: string[] = [];

function candidate(n: number): string {
  const from = n % 2 === 0 && wmisWithLabels.length > 0 ? wmisWithLabels : wmis;
  const wmi = from[Math.floor(random() * from.length)] ?? '';
  const span = years.get(wmi) ?? [];
  const code = span.length > 0 ? (span[Math.floor(random() * span.length)] ?? 'A') : pick(YEAR_CODES, random);
  const vin = makeUpVin(wmi, code, vpic, random, NOW);
  if (from === wmis && MAKES_WITH_LABELS.has(vpic.decode(vin, { now: NOW }).vehicle?.make ?? ''))
    wmisWithLabels.push(wmi);
  if (n % 4 === 1) return mistype(vin, random);
  if (n % 40 === 2) return replaceAt(vin, 10, pick('0UZ', random));
  if (n % 40 === 3)
    return replaceAt(
      replaceAt(vin, 14, pick('AB', random)),
      4 + Math.floor(random() * 5),
      pick('0Z', random),
    );
  if (n % 40 === 6) return replaceAt(vin, 9, pick('ABZ', random));
  if (n % 400 === 7) return replaceAt(vin, 1, pick('0UE', random));
  return vin;
}

interface Selected {
  full: DecodedFull;
  features: Map<string, number | null>;
}
const counts = new Map<string, number>();
let selected: Selected[] = [];
const consider = (vin: string): void => {
  const full = vpic.decodeFull(vin, { now: NOW });
  const covers = features(full);
  if (![...covers.keys()].some((feature) => !counts.has(feature))) return;
  selected.push({ full, features: covers });
  for (const feature of covers.keys()) counts.set(feature, (counts.get(feature) ?? 0) + 1);
};
for (const vin of exceptions) consider(vin);
for (let n = 0; n < CANDIDATES; n++) consider(candidate(n));

// The first ones may cover nothing that later ones don't.
selected = selected.filter(({ features: covers }) => {
  if ([...covers.keys()].some((feature) => counts.get(feature) === 1)) return true;
  for (const feature of covers.keys()) counts.set(feature, (counts.get(feature) ?? 0) - 1);
  return false;
});

// Each element from each source is listed once, with the first VIN that has it.
const listed = new Set<string>();
const lines = selected
  .sort((a, b) => (a.full.vin < b.full.vin ? -1 : 1))
  .map(({ full, features: covers }) => {
    const elementIds = new Set<number>();
    for (const [feature, id] of covers) {
      if (id === null || listed.has(feature)) continue;
      listed.add(feature);
      elementIds.add(id);
    }
    const elements = full.elements
      .filter(({ id }) => elementIds.has(id))
      .sort((a, b) => a.id - b.id)
      .map(({ id, value, source }) => [id, value, source]);
    const { vin, codes, suggested, possibleValues, repair, warning, vehicle } = full;
    return JSON.stringify({ vin, codes, suggested, possibleValues, repair, warning, vehicle, elements });
  });
writeFileSync(
  fileURLToPath(new URL('../../packages/vin/test/vins.jsonl', import.meta.url)),
  `${lines.join('\n')}\n`,
);
process.stderr.write(`${lines.length} VINs cover ${counts.size} features.\n`);

async function seeds(
  dump: string,
): Promise<{ wmis: string[]; years: Map<string, string[]>; exceptions: string[] }> {
  const byId = new Map<Field, string>();
  const years = new Map<string, string[]>();
  const links: [Field, number, number][] = [];
  const exceptions: string[] = [];
  const { stream } = await openDump(dump);
  await readTables(stream, (table, columns) => {
    const columnIndex = (name: string): number => columns.indexOf(name);
    if (table === 'wmi')
      return (row) => void byId.set(row[columnIndex('id')] ?? null, row[columnIndex('wmi')] ?? '');
    if (table === 'wmi_vinschema') {
      return (row) =>
        void links.push([
          row[columnIndex('wmiid')] ?? null,
          Number(row[columnIndex('yearfrom')]),
          Number(row[columnIndex('yearto')] ?? 2027),
        ]);
    }
    if (table === 'vinexception') {
      return (row) => {
        const vin = row[columnIndex('vin')] ?? '';
        if (exceptions.length < 400 && /^[A-HJ-NPR-Z0-9]{17}$/.test(vin)) exceptions.push(vin);
      };
    }
    return null;
  });
  for (const [id, from, to] of links) {
    const wmi = byId.get(id) ?? '';
    const codes = years.get(wmi) ?? [];
    for (let year = Math.max(from, 1981); year <= Math.min(to, 2028); year++) {
      codes.push(YEAR_CODES.charAt((year - 1980) % 30));
    }
    years.set(wmi, codes);
  }
  return {
    wmis: [...byId.values()].filter((wmi) => wmi.length === 3 || wmi.length === 6),
    years,
    exceptions,
  };
}
