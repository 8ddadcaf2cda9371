import { additionalText, descriptor, errorText } from './error-text.ts';
import { liters, valueOrNull, type values } from './values.ts';
import { byManufacturer, Kinds } from './kinds.ts';
import type { Diagnosis } from './lazy-decoded.ts';
import type { Pass } from './matcher.ts';
import { printedColumns } from './printed-columns.ts';
import type { RawDecode, DecodedColumn } from './types.ts';
import type { Release } from './reader.ts';
import { Terms, type NumberOf } from './terms.ts';
import type { Verdict } from './verdict.ts';
import type { yearChooser } from './year-chooser.ts';

const INDEXES_OF_16_BITS = 65_535;

/** What the columns need of the decoder. */
export interface Engine {
  release: Release;
  chooser: ReturnType<typeof yearChooser>;
  print: ReturnType<typeof values>;
  codesFound(): number[];
  verdict(): Verdict;
  /** Whether the VIN that was decoded last is of an incomplete vehicle. */
  isIncomplete(): boolean;
  /** Identifies a VIN. Whether its decode depends on nothing but its kind. */
  hasKind(vin: string, now: Date): boolean;
  rawResult(vin: string): RawDecode;
  /** Decodes other VINs, so nothing about this one can be read afterwards. */
  diagnose(vin: string, codes: number[], now: Date): Diagnosis;
}

/** What fields about the VIN itself share, each computed when a field first needs it. */
interface About {
  codes: number[];
  raw: RawDecode | null;
  diagnosis: Diagnosis | null;
  now: Date;
}

/** Reads one field of the VIN that was decoded last, as the number of its value. */
type Read = (pass: Pass | null, vin: string, about: About) => number;
type Reader = (to: NumberOf) => Read;

/** More is forgotten, to bound the memory: about 20 MB for the texts, 10 for the kinds. */
const MAX_TERMS = 200_000;
const MAX_PACKED = 2_000_000;

/** Decodes VINs into columns, without an object or a new string for each. */
export function columnDecoder(engine: Engine) {
  const { release, chooser, print } = engine;
  const { state, run, decodeIdentified } = chooser;
  const vehicle = vehicleReaders(engine);
  const about = aboutReaders(engine);
  const printed = printedColumns(release, print);

  /** Reads VINs into lists of terms. Those of a kind that was read before have the same list. */
  function open(fields: readonly string[], now: Date, modelYear: number | undefined) {
    const terms = new Terms();
    const wanted = new Uint8Array(release.vehicleSlots);
    /** The terms of the VIN that is being read, by field. */
    const current = new Uint32Array(fields.length);
    const elements = printed.open(terms, current);
    const readers: { read: Read; field: number; isLast: boolean }[] = [];
    let addsDefaults = print.defaultsFillVehicle;
    for (const [field, name] of fields.entries()) {
      const reader = Object.hasOwn(vehicle, name) ? vehicle[name] : Object.hasOwn(about, name) && about[name];
      if (reader) {
        const read = reader(terms.ofField(field, UNIQUE.has(name)));
        readers.push({ read, field, isLast: DIAGNOSIS.has(name) });
      } else {
        const slot = printed.slotOf(name);
        if (slot === null) throw new RangeError(`There is no field "${name}".`);
        if (slot !== -1) wanted[slot] = 1;
        elements.add(name, slot, field);
      }
      addsDefaults ||= !reader || /^[A-Z]/.test(name);
    }
    // A diagnosis decodes other VINs, so it comes after everything else about this one.
    readers.sort((a, b) => Number(a.isLast) - Number(b.isLast));
    const found: About = { codes: [], raw: null, diagnosis: null, now };
    /** Where the terms of each kind are in `packed`. */
    const kinds = new Kinds();
    let packed = new Uint32Array(65_536);
    let end = 0;

    function readAll(vin: string): void {
      decodeIdentified(now, wanted, modelYear);
      const pass = state.wmi === -1 ? null : state.best.pass;
      if (addsDefaults && pass !== null && !state.hasDefaults) run.addDefaults(pass, state.wmi);
      current.fill(0);
      if (pass !== null) elements.read(pass, vin);
      found.codes = engine.codesFound();
      found.raw = null;
      found.diagnosis = null;
      for (const { read, field } of readers) current[field] = read(pass, vin, found);
    }

    /** Their number, then the terms. */
    function pack(): number {
      if (end + current.length >= packed.length) {
        const larger = new Uint32Array(packed.length * 2 + current.length);
        larger.set(packed);
        packed = larger;
      }
      const start = end++;
      for (let field = 0; field < current.length; field++)
        if (current[field] !== 0) packed[end++] = current[field]!;
      packed[start] = end - start - 1;
      return start;
    }

    return {
      terms,
      packed: () => packed,
      isFull: () => terms.texts.length > MAX_TERMS || end > MAX_PACKED,
      /** Where the terms of a VIN are. */
      find(vin: string): number {
        const hasKind = engine.hasKind(vin, now) && !release.isException(vin);
        const known = hasKind ? kinds.find(chooser.codes) : -1;
        if (known !== -1) return known;
        readAll(vin);
        const start = pack();
        // Without errors nothing depends on the serial number.
        if (hasKind && found.codes[0] === 0) kinds.keep(start);
        return start;
      },
    };
  }

  return (given: readonly string[], now: Date, modelYear?: number) => {
    const fields = [...new Set(given)];
    let memory = open(fields, now, modelYear);
    return (vins: readonly (string | null)[]): DecodedColumn[] => {
      if (memory.isFull()) memory = open(fields, now, modelYear);
      const starts = new Int32Array(vins.length);
      for (const row of byManufacturer(vins)) {
        const vin = vins[row];
        starts[row] = vin === null || vin === undefined ? -1 : memory.find(vin.toUpperCase());
      }
      const columns = columnsOf(starts, memory.packed(), memory.terms, fields.length);
      return given.map((field) => columns[fields.indexOf(field)]!);
    };
  };
}

/** The columns of rows whose terms begin at `starts`. */
function columnsOf(starts: Int32Array, packed: Uint32Array, terms: Terms, count: number): DecodedColumn[] {
  const rows = starts.length;
  const Indexes = rows <= INDEXES_OF_16_BITS ? Uint16Array : Uint32Array;
  // All columns in one array, because each row writes to most of them.
  const all = new Indexes(rows * count);
  const columns = Array.from({ length: count }, (_, field) => ({
    indexes: all.subarray(field * rows, (field + 1) * rows),
    values: [null] as (string | null)[],
  }));
  const { fields, texts } = terms;
  /** The index of each term in its column. */
  const indexOf = new Uint32Array(texts.length);
  for (let row = 0; row < rows; row++) {
    const start = starts[row]!;
    if (start === -1) continue;
    const end = start + packed[start]!;
    for (let at = start + 1; at <= end; at++) {
      const term = packed[at]!;
      const field = fields[term]!;
      if (indexOf[term] === 0) indexOf[term] = columns[field]!.values.push(texts[term]!) - 1;
      all[field * rows + row] = indexOf[term]!;
    }
  }
  return columns;
}

/** A text that depends on nothing but the codes, unless the VIN is special. Each is made once. */
const byCodes =
  (textOf: (codes: number[], vin: string) => string, isSpecial?: (vin: string) => boolean): Reader =>
  (to) => {
    const known: number[] = [];
    return (_, vin, { codes }) => {
      if (isSpecial?.(vin)) return to(textOf(codes, vin));
      let key = 0;
      for (let index = 0; index < codes.length; index++) key |= 1 << (codes[index]! & 31);
      return (known[key] ??= to(textOf(codes, vin)));
    };
  };

const DIAGNOSIS = new Set(['suggested', 'warning', 'repair', 'otherYear']);
const UNIQUE = new Set(['suggested', 'repair', 'SuggestedVIN', 'VehicleDescriptor']);

/** Fields of the vehicle, as `decode` has them. */
function vehicleReaders({ release, print }: Engine): Record<string, Reader> {
  const { slot, slots, formulaFrom, firstPair, pairCount } = release;

  /** The value of one element. Each pair is printed once. */
  const value =
    (which: number, form: (text: string) => string | null = valueOrNull): Reader =>
    (to) => {
      /** Per pair, the number of its value plus one. */
      const known = new Uint32Array(which === -1 ? 0 : pairCount(which));
      const first = which === -1 ? 0 : firstPair[which]!;
      return (pass, vin) => {
        if (pass === null || which === -1 || pass.rank[which] === 0) return 0;
        const pair = pass.pair[which]!;
        if (pair >= formulaFrom) return to(form(print.text(pair, vin)));
        const at = pair - first;
        if (known[at] === 0) known[at] = to(form(release.text(pair))) + 1;
        return known[at]! - 1;
      };
    };

  /** A value made of several elements. Combinations are remembered by the numbers of their pairs. */
  const joined =
    (parts: number[], join: (texts: (string | null)[]) => string | null): Reader =>
    (to) => {
      const known = new Map<number, number>();
      return (pass, vin) => {
        if (pass === null) return 0;
        const textOf = () => to(join(parts.map((which) => print.value(pass, which, vin))));
        let key = 0;
        for (let part = 0; part < parts.length; part++) {
          const which = parts[part]!;
          key *= 2 ** 17;
          if (which === -1 || pass.rank[which] === 0) continue;
          const pair = pass.pair[which]!;
          if (pair >= formulaFrom) return textOf();
          key += pair - firstPair[which]! + 1;
        }
        let index = known.get(key);
        if (index === undefined) known.set(key, (index = textOf()));
        return index;
      };
    };

  return {
    year: (to) => {
      const known: number[] = [];
      return (pass) => (pass === null || pass.year === 0 ? 0 : (known[pass.year] ??= to(String(pass.year))));
    },
    make: value(slots.make),
    model: value(slots.model),
    trim: value(slot(38)),
    bodyClass: value(slots.body),
    driveType: value(slot(15)),
    doors: value(slot(14)),
    displacement: value(slot(13), liters),
    cylinders: value(slot(9)),
    fuel: value(slot(24)),
    electrification: value(slot(126)),
    horsepower: value(slot(71)),
    transmission: joined([slot(37), slot(63)], ([style, speeds]) =>
      style && speeds ? `${speeds}-Speed ${style}` : style!,
    ),
    plant: joined([slot(31), slot(77), slot(75)], (parts) => parts.filter(Boolean).join(', ')),
    manufacturer: value(slots.manufacturer),
  };
}

/** Fields about the VIN itself: those of `decode`, and elements by their code. */
function aboutReaders(engine: Engine): Record<string, Reader> {
  const { release, chooser } = engine;
  const text =
    (of: (vin: string, about: About) => string | null): Reader =>
    (to) =>
    (_, vin, about) =>
      to(of(vin, about));
  const rawOf = (vin: string, about: About): RawDecode => (about.raw ??= engine.rawResult(vin));
  const diagnosis = (vin: string, about: About): Diagnosis =>
    (about.diagnosis ??= engine.diagnose(vin, about.codes, about.now));
  const codes = byCodes((found) => found.join(','));
  const hasWrong = (): boolean => (engine.verdict().wrong | engine.verdict().invalidPositions) !== 0;
  /** Made once for VINs with the same errors, unless it repeats characters of the VIN. */
  const additional: Reader = (to) => {
    const known: number[] = [];
    return (_, vin, about) => {
      const { wrong, unused, invalidPositions } = engine.verdict();
      const hasOtherYear = chooser.state.otherYear !== 0;
      const textOf = () => to(additionalText(rawOf(vin, about), hasOtherYear));
      if (invalidPositions !== 0) return textOf();
      const flags = (hasOtherYear ? 2 : 0) | (engine.isIncomplete() ? 1 : 0);
      return (known[(unused << 5) | (wrong << 2) | flags] ??= textOf());
    };
  };
  return {
    codes,
    suggested: text((vin, about) => diagnosis(vin, about).suggested),
    warning: text((vin, about) => diagnosis(vin, about).warning),
    repair: text((vin, about) => diagnosis(vin, about).repair),
    otherYear: text((vin, about) => diagnosis(vin, about).otherYear),
    SuggestedVIN: text((vin, about) => (hasWrong() ? rawOf(vin, about).suggested : null)),
    ErrorCode: codes,
    PossibleValues: text((vin, about) => (hasWrong() ? rawOf(vin, about).possibleValues : null)),
    AdditionalErrorText: additional,
    ErrorText: byCodes(
      (found, vin) => errorText(found, release.errorName, release.isException(vin)),
      release.isException,
    ),
    VehicleDescriptor: text((vin) => descriptor(vin)),
  };
}
