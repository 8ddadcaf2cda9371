/** Turns vPIC's printed values into the API's, for the offline decoder and for responses of the live API. */

import { additionalText, descriptor, errorText } from './error-text.ts';
import { VIN, type Pass } from './matcher.ts';
import type { RawDecode, DecodedElement, Vehicle } from './types.ts';
import { emptySlots, type Release } from './reader.ts';

/** vPIC's printed values under the names of its web API; missing, empty and "Not Applicable" mean the same. */
export interface PrintedValues {
  ModelYear?: string | null;
  Make?: string | null;
  Model?: string | null;
  Trim?: string | null;
  BodyClass?: string | null;
  DriveType?: string | null;
  Doors?: string | null;
  DisplacementL?: string | null;
  EngineCylinders?: string | null;
  FuelTypePrimary?: string | null;
  ElectrificationLevel?: string | null;
  EngineHP?: string | null;
  TransmissionStyle?: string | null;
  TransmissionSpeeds?: string | null;
  PlantCity?: string | null;
  PlantState?: string | null;
  PlantCountry?: string | null;
  Manufacturer?: string | null;
}

export function vehicleOf(printed: PrintedValues): Vehicle {
  return {
    year: valueOrNull(printed.ModelYear),
    make: valueOrNull(printed.Make),
    model: valueOrNull(printed.Model),
    trim: valueOrNull(printed.Trim),
    bodyClass: valueOrNull(printed.BodyClass),
    driveType: valueOrNull(printed.DriveType),
    doors: valueOrNull(printed.Doors),
    engine: {
      displacement: liters(printed.DisplacementL),
      cylinders: valueOrNull(printed.EngineCylinders),
      fuel: valueOrNull(printed.FuelTypePrimary),
      electrification: valueOrNull(printed.ElectrificationLevel),
      horsepower: valueOrNull(printed.EngineHP),
    },
    transmission: transmission(printed.TransmissionStyle, printed.TransmissionSpeeds),
    plant: plant(printed.PlantCity, printed.PlantState, printed.PlantCountry),
    manufacturer: valueOrNull(printed.Manufacturer),
  };
}

/** The value as printed, including trailing spaces; null if it's empty or "Not Applicable". */
export function valueOrNull(value: string | null | undefined): string | null {
  return !value || value === 'Not Applicable' || value.trim() === '' ? null : value;
}

/** `3.474057568` becomes `3.5L`, `0.6494` becomes `0.65L`: a motorcycle's engine needs the second decimal. */
export function liters(value: string | null | undefined): string | null {
  const number = Number(valueOrNull(value) ?? 'none');
  if (!Number.isFinite(number) || number <= 0) return null;
  // The small amount keeps 1.15, which is slightly less in binary, from rounding down.
  const hundredths = Math.round(number * 100 + 1e-9);
  return hundredths < 100
    ? `${(hundredths / 100).toFixed(2)}L`
    : `${(Math.round(number * 10 + 1e-9) / 10).toFixed(1)}L`;
}

/** The style as printed, after the number of speeds if known: `10-Speed Automatic`. */
export function transmission(
  style: string | null | undefined,
  speeds: string | null | undefined,
): string | null {
  const name = valueOrNull(style);
  const count = valueOrNull(speeds);
  return name && count ? `${count}-Speed ${name}` : name;
}

export function plant(...parts: (string | null | undefined)[]): string | null {
  return (
    parts
      .map(valueOrNull)
      .filter((part) => part !== null)
      .join(', ') || null
  );
}

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

/** What vPIC's texts depend on besides the codes. */
interface TextFlags {
  isYearUncertain: boolean;
  isException: boolean;
}

/** Turns the items of a pass into printed values. */
export function values(release: Release) {
  const { slots, slot, formulaFrom, formulaStart, formulaLength, elementFlags, pairSlot } = release;
  const years = Array.from({ length: 3000 }, (_, year) => String(year));
  // Cached per pair, so that nothing is trimmed, compared or rounded twice.
  const cachedValues = emptySlots<string | null>(formulaFrom);
  const litersOf = new Map<string, string | null>();

  const slotOf = {
    trim: slot(38),
    drive: slot(15),
    doors: slot(14),
    displacement: slot(13),
    cylinders: slot(9),
    fuel: slot(24),
    electrification: slot(126),
    horsepower: slot(71),
    style: slot(37),
    speeds: slot(63),
    city: slot(31),
    state: slot(77),
    country: slot(75),
  };

  /** A formula's value: characters of the VIN, with a bar in place of the check digit. */
  function formula(pair: number, vin: string): string {
    const start = formulaStart[pair - formulaFrom]!;
    const end = start + formulaLength[pair - formulaFrom]!;
    return start <= NINTH && end > NINTH
      ? `${vin.slice(start, NINTH)}|${vin.slice(NINTH + 1, end)}`
      : vin.slice(start, end);
  }

  /** The text of a pair. */
  const text = (pair: number, vin: string): string =>
    pair >= formulaFrom ? formula(pair, vin) : release.text(pair);

  function value(pass: Pass, which: number, vin: string): string | null {
    if (which === -1 || pass.rank[which] === 0) return null;
    const pair = pass.pair[which]!;
    if (pair >= formulaFrom) return formula(pair, vin);
    const cached = cachedValues[pair];
    return cached === undefined ? (cachedValues[pair] = valueOrNull(release.text(pair))) : cached;
  }

  function displacement(text: string | null): string | null {
    if (text === null) return null;
    let rounded = litersOf.get(text);
    if (rounded === undefined) litersOf.set(text, (rounded = liters(text)));
    return rounded;
  }

  function plant(city: string | null, state: string | null, country: string | null): string | null {
    let text = city;
    if (state !== null) text = text === null ? state : `${text}, ${state}`;
    if (country !== null) text = text === null ? country : `${text}, ${country}`;
    return text;
  }

  function vehicle(pass: Pass, vin: string): Vehicle {
    const style = value(pass, slotOf.style, vin);
    const speeds = style === null ? null : value(pass, slotOf.speeds, vin);
    return {
      year: pass.year === 0 ? null : years[pass.year]!,
      make: value(pass, slots.make, vin),
      model: value(pass, slots.model, vin),
      trim: value(pass, slotOf.trim, vin),
      bodyClass: value(pass, slots.body, vin),
      driveType: value(pass, slotOf.drive, vin),
      doors: value(pass, slotOf.doors, vin),
      engine: {
        displacement: displacement(value(pass, slotOf.displacement, vin)),
        cylinders: value(pass, slotOf.cylinders, vin),
        fuel: value(pass, slotOf.fuel, vin),
        electrification: value(pass, slotOf.electrification, vin),
        horsepower: value(pass, slotOf.horsepower, vin),
      },
      transmission: speeds === null ? style : `${speeds}-Speed ${style}`,
      plant: plant(
        value(pass, slotOf.city, vin),
        value(pass, slotOf.state, vin),
        value(pass, slotOf.country, vin),
      ),
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

  /** Null if the value is empty. */
  function printed(
    which: number,
    pair: number,
    source: number,
    pass: Pass,
    vin: string,
  ): DecodedElement | null {
    if (pair === -1) return element(which, years[pass.year]!, source);
    if (pair >= formulaFrom) return element(which, formula(pair, vin), source);
    const value = release.text(pair);
    return value === '' ? null : element(which, value, source, String(release.row(pair) ?? ''));
  }

  /** The items of repeating elements: patterns by id, then engine model, then vehicle specs. */
  function repeated(pass: Pass): number[] {
    const order = pass.repeatedPair.map((_, item) => item);
    if (order.length === 1) return order;
    return order.sort(
      (a, b) =>
        pairSlot[pass.repeatedPair[a]!]! - pairSlot[pass.repeatedPair[b]!]! ||
        pass.repeatedOrder[a]! - pass.repeatedOrder[b]! ||
        a - b,
    );
  }

  function addRepeated(pass: Pass, vin: string, found: DecodedElement[]): void {
    for (const item of repeated(pass)) {
      const pair = pass.repeatedPair[item]!;
      if ((elementFlags[pairSlot[pair]!]! & PRINTED) === 0) continue;
      const decoded = printed(pairSlot[pair]!, pair, pass.repeatedSource[item]!, pass, vin);
      if (decoded) found.push(decoded);
    }
  }

  /** Adds the elements about the VIN itself: errors, suggestions, descriptor. */
  function addVerdict(raw: RawDecode, flags: TextFlags, found: DecodedElement[]): void {
    const add = (id: number, text: string) => {
      const which = slot(id);
      // The error code is its own id.
      if (text !== '' && which !== -1) found.push(element(which, text, VIN, id === 143 ? text : ''));
    };
    add(142, raw.suggested ?? '');
    add(143, raw.codes.join(','));
    add(144, raw.possibleValues);
    add(156, additionalText(raw, flags.isYearUncertain));
    add(191, errorText(raw.codes, release.errorName, flags.isException));
    add(196, descriptor(raw.vin));
  }

  /** Every public element with a value; only those about the VIN if the manufacturer is unknown (`pass` is null). */
  function elements(pass: Pass | null, raw: RawDecode, flags: TextFlags): DecodedElement[] {
    const found: DecodedElement[] = [];
    if (pass) {
      for (let which = 0; which < release.slotCount; which++) {
        if (pass.rank[which] === 0 || (elementFlags[which]! & PRINTED) === 0) continue;
        const decoded = printed(which, pass.pair[which]!, pass.source[which]!, pass, raw.vin);
        if (decoded) found.push(decoded);
      }
      if (pass.repeatedPair.length > 0) addRepeated(pass, raw.vin, found);
    }
    addVerdict(raw, flags, found);
    return found;
  }

  /** Whether any default fills one of the vehicle's fields. Usually none does, because they're "Not Applicable". */
  const defaultsFillVehicle = Array.from(release.defaults).some(
    (pair) => release.vehicleSlots[pairSlot[pair]!] === 1 && valueOrNull(release.text(pair)) !== null,
  );

  return { value, text, vehicle, elements, repeated, defaultsFillVehicle };
}
