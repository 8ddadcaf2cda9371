import { FIRST_YEAR, OPEN_YEAR } from '../layout.ts';
import { MAKE, MANUFACTURER, type Pairs } from './elements.ts';
import { groupBy } from '../group-by.ts';
import type { Links } from './pattern-words.ts';
import type { Tables } from './tables.ts';

interface Wmi {
  text: string;
  manufacturer: string;
  type: number;
  truck: number;
  /** Seconds since 1970. */
  published: number;
  makes: string[];
  links: { schema: number; from: number; to: number }[];
}

/** For each schema, those that share a group with it. */
function neighbors(groups: Iterable<{ schema: number }[]>, count: number): Int32Array[] {
  const sets = Array.from({ length: count }, (_, schema) => new Set([schema]));
  for (const group of groups) for (const a of group) for (const b of group) sets[a.schema]!.add(b.schema);
  return sets.map((set) => Int32Array.from(set));
}

/** Manufacturers with their schemas, without schemas that no manufacturer uses. */
export function readLinks(tables: Tables): { wmis: Wmi[]; links: Links } {
  const wmis = new Map<string, Wmi>();
  for (const [id, text, manufacturer, type, truck, published] of tables.get('wmi')!) {
    if (!text || published === null) continue;
    wmis.set(id!, {
      text,
      manufacturer: manufacturer ?? '',
      type: Number(type ?? 0),
      truck: Number(truck ?? 0),
      published: Math.max(
        0,
        Date.parse(`${published!.slice(0, 10)}T${published!.slice(11, 19) || '00:00:00'}Z`) / 1000,
      ),
      makes: [],
      links: [],
    });
  }
  for (const [wmi, make] of tables.get('wmi_make')!) if (make) wmis.get(wmi!)?.makes.push(make);

  const linked = new Set(
    tables
      .get('wmi_vinschema')!
      .filter(([wmi]) => wmis.has(wmi!))
      .map(([, schema]) => Number(schema)),
  );
  const schemas = new Map<number, number>();
  const unchecked = new Set<number>();
  const rows = tables.get('vinschema')!.map(([id, flag]) => ({ id: Number(id), flag }));
  for (const { id, flag } of rows.sort((a, b) => a.id - b.id)) {
    if (!linked.has(id)) continue;
    if (flag === 't') unchecked.add(schemas.size);
    schemas.set(id, schemas.size);
  }
  const used: { wmi: string; first: string; schema: number }[] = [];
  for (const [wmi, schemaId, from, to] of tables.get('wmi_vinschema')!) {
    const schema = schemas.get(Number(schemaId));
    const owner = wmis.get(wmi!);
    if (schema === undefined || !owner || from === null) continue;
    const year = (text: string) => Math.min(Math.max(Number(text) - FIRST_YEAR, 0), OPEN_YEAR - 1);
    owner.links.push({ schema, from: year(from!), to: to === null ? OPEN_YEAR : year(to!) });
    used.push({ wmi: wmi!, first: from!, schema });
  }
  for (const table of ['wmi', 'wmi_make', 'wmi_vinschema', 'vinschema']) tables.delete(table);
  const sorted = [...wmis.values()].sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));
  for (const wmi of sorted) wmi.links.sort((a, b) => a.schema - b.schema || a.from - b.from);
  return {
    wmis: sorted,
    links: {
      schemas,
      unchecked,
      nearSameYear: neighbors(groupBy(used, ({ wmi, first }) => `${wmi} ${first}`).values(), schemas.size),
      nearAny: neighbors(groupBy(used, ({ wmi }) => wmi).values(), schemas.size),
    },
  };
}

/** Manufacturers as numbers, with the pairs they contribute. */
export function wmiSections(wmis: Wmi[], pairs: Pairs) {
  const makes = wmis.map((wmi) => wmi.makes.map((make) => pairs.of(MAKE, make).id));
  return {
    wmiManufacturer: wmis.map((wmi) => pairs.of(MANUFACTURER, wmi.manufacturer).id),
    wmiType: wmis.map((wmi) => wmi.type),
    wmiTruck: wmis.map((wmi) => wmi.truck),
    wmiPublic: wmis.map((wmi) => wmi.published),
    wmiMakeCount: makes.map((own) => own.length),
    wmiMake: makes.flat(),
    wmiLinkCount: wmis.map((wmi) => wmi.links.length),
    linkSchema: wmis.flatMap((wmi) => wmi.links.map((link) => link.schema)),
    linkFrom: wmis.flatMap((wmi) => wmi.links.map((link) => link.from)),
    linkTo: wmis.flatMap((wmi) => wmi.links.map((link) => link.to)),
  };
}
