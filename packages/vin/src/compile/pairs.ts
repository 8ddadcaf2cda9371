import { displayValue, type Element } from './elements.ts';

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
