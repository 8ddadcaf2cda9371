import { litres, said } from './forms.ts';
import { additionalText, descriptor, errorText } from './error-text.ts';
import { VIN, type Pass } from './matcher.ts';
import type { RawDecode } from './raw.ts';
import { emptySlots, type Release } from './reader.ts';
import type { DecodedElement, Vehicle } from './types.ts';

const sources: DecodedElement['source'][] = [
  'pattern',
  'pattern',
  'formula',
  'engine model',
  'conversion',
  'vehicle spec',
  'default',
  'wmi',
  'vin',
];
const PRINTED = 1;
const NINTH = 8;

/** What vPIC's texts mention besides the codes. */
export interface Asides {
  yearInDoubt: boolean;
  isException: boolean;
}

/** Turns the items of a pass into what people read. */
export function values(release: Release) {
  const { slots, slot, formulaFrom, formulaStart, formulaLength, elementFlags, pairSlot } = release;
  const years = Array.from({ length: 3000 }, (_, year) => String(year));
  // One answer a pair, so that nothing is trimmed, compared or rounded twice.
  const saidOf = emptySlots<string | null>(formulaFrom);
  const litresOf = new Map<string, string | null>();

  const at = {
    trim: slot(38),
    drive: slot(15),
    doors: slot(14),
    displacement: slot(13),
    cylinders: slot(9),
    fuel: slot(24),
    style: slot(37),
    speeds: slot(63),
    city: slot(31),
    state: slot(77),
    country: slot(75),
  };

  /** A formula's value is the VIN's own characters, with the bar in place of the check digit. */
  function formula(pair: number, vin: string): string {
    const start = formulaStart[pair - formulaFrom]!;
    const end = start + formulaLength[pair - formulaFrom]!;
    return start <= NINTH && end > NINTH
      ? `${vin.slice(start, NINTH)}|${vin.slice(NINTH + 1, end)}`
      : vin.slice(start, end);
  }

  function value(pass: Pass, which: number, vin: string): string | null {
    if (which === -1 || pass.rank[which] === 0) return null;
    const pair = pass.pair[which]!;
    if (pair >= formulaFrom) return formula(pair, vin);
    const known = saidOf[pair];
    return known === undefined ? (saidOf[pair] = said(release.text(pair))) : known;
  }

  function displacement(text: string | null): string | null {
    if (text === null) return null;
    let made = litresOf.get(text);
    if (made === undefined) litresOf.set(text, (made = litres(text)));
    return made;
  }

  function plant(city: string | null, state: string | null, country: string | null): string | null {
    let text = city;
    if (state !== null) text = text === null ? state : `${text}, ${state}`;
    if (country !== null) text = text === null ? country : `${text}, ${country}`;
    return text;
  }

  function vehicle(pass: Pass, vin: string): Vehicle {
    const style = value(pass, at.style, vin);
    const speeds = style === null ? null : value(pass, at.speeds, vin);
    return {
      year: pass.year === 0 ? null : years[pass.year]!,
      make: value(pass, slots.make, vin),
      model: value(pass, slots.model, vin),
      trim: value(pass, at.trim, vin),
      bodyClass: value(pass, slots.body, vin),
      driveType: value(pass, at.drive, vin),
      doors: value(pass, at.doors, vin),
      engine: {
        displacement: displacement(value(pass, at.displacement, vin)),
        cylinders: value(pass, at.cylinders, vin),
        fuel: value(pass, at.fuel, vin),
      },
      transmission: speeds === null ? style : `${speeds}-Speed ${style}`,
      plant: plant(value(pass, at.city, vin), value(pass, at.state, vin), value(pass, at.country, vin)),
      manufacturer: value(pass, slots.manufacturer, vin),
    };
  }

  function element(which: number, text: string, source: number, valueId = ''): DecodedElement {
    return {
      id: release.elementId[which]!,
      name: release.elementName[which]!,
      code: release.elementCode[which]!,
      group: release.elementGroup[which] || null,
      value: text,
      valueId,
      source: sources[source]!,
    };
  }

  /** Null where the value prints nothing. */
  function printed(
    which: number,
    pair: number,
    source: number,
    pass: Pass,
    vin: string,
  ): DecodedElement | null {
    if (pair === -1) return element(which, years[pass.year]!, source);
    if (pair >= formulaFrom) return element(which, formula(pair, vin), source);
    const text = release.text(pair);
    return text === '' ? null : element(which, text, source, String(release.row(pair) ?? ''));
  }

  /** Items of repeating elements: patterns by id, then the engine model's, then the vehicle specs'. */
  function addRepeated(pass: Pass, vin: string, found: DecodedElement[]): void {
    const order = pass.repeatedPair.map((_, item) => item);
    order.sort(
      (a, b) =>
        pairSlot[pass.repeatedPair[a]!]! - pairSlot[pass.repeatedPair[b]!]! ||
        pass.repeatedOrder[a]! - pass.repeatedOrder[b]! ||
        a - b,
    );
    for (const item of order) {
      const pair = pass.repeatedPair[item]!;
      if ((elementFlags[pairSlot[pair]!]! & PRINTED) === 0) continue;
      const one = printed(pairSlot[pair]!, pair, pass.repeatedSource[item]!, pass, vin);
      if (one) found.push(one);
    }
  }

  /** What the procedure says of the VIN itself. */
  function addVerdict(raw: RawDecode, asides: Asides, found: DecodedElement[]): void {
    const say = (id: number, text: string) => {
      const which = slot(id);
      // The code is a look-up, with itself as its row.
      if (text !== '' && which !== -1) found.push(element(which, text, VIN, id === 143 ? text : ''));
    };
    say(142, raw.suggested ?? '');
    say(143, raw.codes.join(','));
    say(144, raw.possibleValues);
    say(156, additionalText(raw, asides.yearInDoubt));
    say(191, errorText(raw.codes, release.errorName, asides.isException));
    say(196, descriptor(raw.vin));
  }

  /** Every public element that has a value; of an unknown manufacturer (`pass` null) only the verdict. */
  function elements(pass: Pass | null, raw: RawDecode, asides: Asides): DecodedElement[] {
    const found: DecodedElement[] = [];
    if (pass) {
      for (let which = 0; which < release.slotCount; which++) {
        if (pass.rank[which] === 0 || (elementFlags[which]! & PRINTED) === 0) continue;
        const one = printed(which, pass.pair[which]!, pass.source[which]!, pass, raw.vin);
        if (one) found.push(one);
      }
      if (pass.repeatedPair.length > 0) addRepeated(pass, raw.vin, found);
    }
    addVerdict(raw, asides, found);
    return found;
  }

  /** Whether any default says what the API answers with; "Not Applicable" says nothing, so none does as a rule. */
  const answeredByDefaults = Array.from(release.defaults).some(
    (pair) => release.answered[pairSlot[pair]!] === 1 && said(release.text(pair)) !== null,
  );

  return { value, vehicle, elements, answeredByDefaults };
}
