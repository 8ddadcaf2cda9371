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
function displayValue(element: Element, attribute: string): string {
  const text = element.lookup ? (element.lookup.get(attribute.trim()) ?? '') : attribute;
  return (element.capitals ? upper(text) : text).replace(/[\t\r\n]/g, ' ');
}

/** An element with one of its attributes: what a pattern, an engine model or a vehicle spec contributes. */
export interface Pair {
  element: Element;
  attribute: string;
  value: string;
  /** Set for formula patterns, whose value is part of the VIN. */
  formula: { start: number; length: number; base: Pair } | null;
  /** Its final number, set once all are collected. */
  id: number;
}

/** For case-insensitive comparison. */
export function fold(text: string): string {
  return text.toLowerCase();
}

export class Pairs {
  readonly #byKey = new Map<string, Pair>();
  readonly #elements: Map<number, Element>;
  constructor(elements: Map<number, Element>) {
    this.#elements = elements;
  }

  of(elementId: number, attribute: string): Pair {
    const key = `${elementId}\t${attribute}`;
    let pair = this.#byKey.get(key);
    if (!pair) {
      const element = this.#elements.get(elementId);
      if (!element) throw new Error(`the table element has no row ${elementId}`);
      pair = { element, attribute, value: displayValue(element, attribute), formula: null, id: -1 };
      this.#byKey.set(key, pair);
    }
    return pair;
  }

  formula(elementId: number, attribute: string, start: number, length: number): Pair {
    const key = `#${start},${length}\t${elementId}\t${attribute}`;
    let pair = this.#byKey.get(key);
    if (!pair) {
      const base = this.of(elementId, attribute);
      pair = { ...base, formula: { start, length, base } };
      this.#byKey.set(key, pair);
    }
    return pair;
  }

  all(): Pair[] {
    return [...this.#byKey.values()];
  }

  /** Numbers the pairs: by element, formulas last, and within an element by value, which compresses better. */
  number(order: (pair: Pair) => string): Pair[] {
    const all = [...this.#byKey.values()].map((pair) => ({ pair, order: order(pair) }));
    const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    all.sort(
      (a, b) =>
        Number(a.pair.formula !== null) - Number(b.pair.formula !== null) ||
        a.pair.element.id - b.pair.element.id ||
        compare(a.order, b.order) ||
        compare(a.pair.attribute, b.pair.attribute) ||
        (a.pair.formula?.start ?? 0) - (b.pair.formula?.start ?? 0) ||
        (a.pair.formula?.length ?? 0) - (b.pair.formula?.length ?? 0),
    );
    all.forEach(({ pair }, id) => (pair.id = id));
    return all.map(({ pair }) => pair);
  }
}
