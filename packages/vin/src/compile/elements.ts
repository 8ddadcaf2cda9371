import type { Tables } from './tables.ts';

export const MAKE = 26;
const ERROR_CODE = 143;
export const MANUFACTURER = 27;
export const MODEL = 28;
const MODEL_YEAR = 29;
export const VEHICLE_TYPE = 39;
export const BODY_CLASS = 5;
export const ENGINE_MODEL = 18;

/** Elements that never come from a pattern. */
export const notFromPatterns = new Set([MAKE, MANUFACTURER, MODEL_YEAR, VEHICLE_TYPE]);
/** Elements that can have several values. */
export const repeating = new Set([114, 121, 129, 150, 154, 155, 169, 186]);
const capitals = new Set([MAKE, MANUFACTURER, VEHICLE_TYPE]);

export interface Element {
  id: number;
  name: string;
  /** Its key in the web API's flat format. */
  code: string;
  group: string | null;
  /** `lookup`, `string`, `int` or `decimal`. */
  dataType: string;
  weight: number;
  isPrivate: boolean;
  hasDecode: boolean;
  lookup: Map<string, string> | null;
  capitals: boolean;
}

export function readElements(tables: Tables): Map<number, Element> {
  const lookups = new Map<string, Map<string, string>>();
  const lookup = (table: string): Map<string, string> => {
    let names = lookups.get(table);
    if (!names) {
      names = new Map((tables.get(table) ?? []).map(([id, name]) => [id!, name ?? '']));
      if (!names.has('0')) names.set('0', 'Not Applicable');
      lookups.set(table, names);
    }
    return names;
  };
  const elements = (tables.get('element') ?? []).map(
    ([id, name, table, isPrivate, group, decode, weight, code, dataType]): Element => ({
      id: Number(id),
      name: name ?? '',
      code: code ?? '',
      group: group ?? null,
      dataType: dataType ?? '',
      weight: Number(weight ?? 0),
      isPrivate: isPrivate === 't',
      hasDecode: decode !== null,
      lookup: table ? lookup(table.toLowerCase()) : null,
      capitals: capitals.has(Number(id)),
    }),
  );
  elements.sort((a, b) => a.id - b.id);
  return new Map(elements.map((element) => [element.id, element]));
}

/**
 * Every value that a coded element can have, whether or not a pattern uses it. Error codes have a list of their own, and 0 is
 * in no table.
 */
export function* codedValues(elements: Iterable<Element>): Generator<{ element: number; id: string }> {
  for (const { id: element, lookup } of elements)
    if (lookup && element !== ERROR_CODE)
      for (const id of lookup.keys()) if (id !== '0') yield { element, id };
}

/** Like PostgreSQL's `upper`, which maps each character to one character. */
function upper(text: string): string {
  return text.replace(/\p{L}/gu, (letter) => {
    const capital = letter.toUpperCase();
    return capital.length === letter.length ? capital : letter;
  });
}

/** The displayed value of an element's attribute. */
export function displayValue(element: Element, attribute: string): string {
  const text = element.lookup ? (element.lookup.get(attribute.trim()) ?? '') : attribute;
  return (element.capitals ? upper(text) : text).replace(/[\t\r\n]/g, ' ');
}
