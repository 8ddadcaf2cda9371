import { CONVERSION, type Pass } from './matcher.ts';
import type { Release } from './reader.ts';
import type { NumberOf, Terms } from './terms.ts';
import type { values } from './values.ts';
import { DIVISIONS, shortened } from './vpic-shape.ts';

const PRINTED = 1;
/** More pairs than there are, so that two fit into one number. */
const PAIRS = 2 ** 20;
const ID_OF: Record<string, 'make' | 'manufacturer' | 'model'> = {
  MakeID: 'make',
  ManufacturerId: 'manufacturer',
  ModelID: 'model',
};

interface Target {
  field: number;
  numberOf: NumberOf;
}

/** Columns of elements, as NHTSA's flat responses print them. */
export function printedColumns(release: Release, print: ReturnType<typeof values>) {
  const { slots, pairSlot, formulaFrom, elementFlags, elementCode, elementId } = release;
  const slotOfCode = new Map(
    elementCode.map((code, slot) => [code, (elementFlags[slot]! & PRINTED) === 0 ? -1 : slot]),
  );
  const divisionsOf = Array.from(elementId, (id) => DIVISIONS.filter(({ to }) => to === id));

  /** `current`: gets the number of each field's value. */
  function open(terms: Terms, current: Uint32Array) {
    /** For each slot its field, or −1. */
    const fieldOf = new Int16Array(elementId.length).fill(-1);
    const numbersOf: NumberOf[] = [];
    /** `rows`: like `known`, for the rows of the pairs. */
    const ids: (Target & { slot: number; rows: Uint32Array })[] = [];
    /** Per pair, the number of its text plus one. A pair belongs to one element. */
    const known = new Uint32Array(formulaFrom);
    const quotients = new Map<number, number>();
    const years: number[] = [];

    /** A displacement that was computed from another, with as many decimals as NHTSA prints. */
    function quotient(pass: Pass, slot: number, vin: string, numberOf: NumberOf): number {
      const pair = pass.pair[slot]!;
      for (const { from, more } of divisionsOf[slot]!) {
        const by = release.slot(from);
        if (pass.rank[by] === 0 || pass.source[by] === CONVERSION) continue;
        const dividend = pass.pair[by]!;
        const key = pair * PAIRS + dividend;
        // A formula's text differs between VINs.
        let number = dividend < formulaFrom ? quotients.get(key) : undefined;
        if (number === undefined) {
          number = numberOf(shortened(release.text(pair), print.text(dividend, vin), more));
          quotients.set(key, number);
        }
        return number;
      }
      return numberOf(release.text(pair));
    }

    function readRepeated(pass: Pass, vin: string): void {
      for (const item of print.repeated(pass)) {
        const pair = pass.repeatedPair[item]!;
        const slot = pairSlot[pair]!;
        const field = fieldOf[slot]!;
        if (field === -1) continue;
        const numberOf = numbersOf[slot]!;
        if (current[field] === 0 && pair < formulaFrom) {
          if (known[pair] === 0) known[pair] = numberOf(release.text(pair)) + 1;
          current[field] = known[pair]! - 1;
          continue;
        }
        const texts = [terms.texts[current[field]!], print.text(pair, vin)];
        current[field] = numberOf(texts.filter(Boolean).join(', '));
      }
    }

    return {
      add(code: string, slot: number, field: number): void {
        const numberOf = terms.ofField(field);
        if (Object.hasOwn(ID_OF, code))
          ids.push({ field, numberOf, slot, rows: new Uint32Array(formulaFrom) });
        else if (slot !== -1) {
          fieldOf[slot] = field;
          numbersOf[slot] = numberOf;
        }
      },

      read(pass: Pass, vin: string): void {
        const { touched, touchedCount, pair: pairs, source } = pass;
        for (let item = 0; item < touchedCount; item++) {
          const slot = touched[item]!;
          const field = fieldOf[slot]!;
          if (field === -1) continue;
          const pair = pairs[slot]!;
          if (pair === -1) current[field] = years[pass.year] ??= numbersOf[slot]!(String(pass.year));
          else if (pair >= formulaFrom) current[field] = numbersOf[slot]!(print.text(pair, vin));
          else if (source[slot] === CONVERSION) current[field] = quotient(pass, slot, vin, numbersOf[slot]!);
          else {
            if (known[pair] === 0) known[pair] = numbersOf[slot]!(release.text(pair)) + 1;
            current[field] = known[pair]! - 1;
          }
        }
        if (pass.repeatedPair.length > 0) readRepeated(pass, vin);
        for (let index = 0; index < ids.length; index++) {
          const { slot, field, numberOf, rows } = ids[index]!;
          const pair = pass.pair[slot]!;
          if (pass.rank[slot] === 0 || pair >= formulaFrom) continue;
          if (rows[pair] === 0)
            rows[pair] = numberOf(release.text(pair) === '' ? null : String(release.row(pair) ?? '')) + 1;
          current[field] = rows[pair]! - 1;
        }
      },
    };
  }

  return {
    /** The slot of an element, −1 if it never has a value, null if there is no such element. */
    slotOf: (code: string): number | null =>
      Object.hasOwn(ID_OF, code) ? slots[ID_OF[code]!] : (slotOfCode.get(code) ?? null),
    open,
  };
}
