import type { Vehicle } from '@monroney/vin';
import { bodiesIn } from '../lib/names.ts';
import { joinWithAnd, plantName, titleCase } from '../lib/words.ts';
import type { Label, PrintedCar } from './types.ts';

/** Longer texts aren't what they should be, and these are stored with every label. */
const MAX_CHARACTERS = 200;

/** What a label says about the car; null if it couldn't be read. */
export function printedCar(label: Label | null): PrintedCar | null {
  if (!label) return null;
  const { make, model, series, year, engine, assembly } = label;
  const { total, base, currency } = label.prices;
  const short = (text: string | null | undefined) => (text && text.length <= MAX_CHARACTERS ? text : null);
  return {
    make,
    model: short(model),
    ...(series ? { series: short(series) } : {}),
    year,
    engine: short(engine),
    assembly: short(assembly),
    price: { total, base, currency },
  };
}

/**
 * Where the label and the VIN contradict each other, in one sentence; null if they don't. Compares only what both say
 * clearly: a false alarm is worse than none.
 */
export function contradictionOf(
  vehicle: Vehicle | null,
  otherYear: string | null,
  car: PrintedCar | null | undefined,
): string | null {
  if (!vehicle || !car) return null;
  const found = [
    yearConflict(vehicle, otherYear, car),
    engineConflict(vehicle, car),
    bodyConflict(vehicle, car),
    plantConflict(vehicle, car),
  ].filter((conflict) => conflict !== null);
  if (found.length === 0) return null;
  const says = (which: keyof Conflict) => joinWithAnd(found.map((conflict) => conflict[which]));
  return `The sticker says ${says('printed')}, but the VIN says ${says('decoded')}.`;
}

/** What the label says, and what the VIN says. */
interface Conflict {
  printed: string;
  decoded: string;
}

function yearConflict(vehicle: Vehicle, otherYear: string | null, { year }: PrintedCar): Conflict | null {
  if (!year || !vehicle.year || [vehicle.year, otherYear].includes(String(year))) return null;
  return { printed: `model year ${year}`, decoded: `model year ${vehicle.year}` };
}

const DISPLACEMENT = /(?<![\d.,])(\d[.,]\d)(?: ?L(?!\p{L})|[-– ]?LIT(?:ER|RE)S?(?!\p{L}))/giu;
/** Only layouts that exist: an L83 and an LT4 are engines of GM, and `V2` may be a version. */
const CYLINDERS =
  /(?<![\p{L}\d]|\d[.,])(?:(?:V-?(6|8|1[026])|I-?([3-6])|L-?([346]))(?![\p{L}\d.])|([234568]|1[026])[- ]?CYL(?:IND(?:ER|RE)S?)?(?!\p{L}))/giu;
const HYBRID = /HYB|PLUG|PHEV|4XE|ENERGI|EREV|REEV|RANGE[- ]EXTEND/i;
/** Displacements are rounded in different ways. */
const MAX_ROUNDING = 0.15;

/** The only match of a pattern in a text, and its number; null if there is none, or several that differ. */
function onlyMatch(text: string, pattern: RegExp): { text: string; number: number } | null {
  const found = Array.from(text.matchAll(pattern), ([match, ...groups]) => ({
    text: match,
    number: Number(groups.find(Boolean)!.replace(',', '.')),
  }));
  return new Set(found.map(({ number }) => number)).size === 1 ? found[0]! : null;
}

function engineConflict(vehicle: Vehicle, { engine, model }: PrintedCar): Conflict | null {
  if (!engine) return null;
  const printed = { liters: onlyMatch(engine, DISPLACEMENT), cylinders: onlyMatch(engine, CYLINDERS) };
  const liters = Number.parseFloat(vehicle.engine.displacement ?? '') || null;
  const cylinders = Number(vehicle.engine.cylinders) || null;
  const isElectric = vehicle.engine.fuel === 'Electric' && !liters && !cylinders;
  if (isElectric && printed.liters && !HYBRID.test(`${engine} ${model}`))
    return { printed: engineWords(printed.liters.number, layoutOf(printed.cylinders)), decoded: 'electric' };
  // Only what both say.
  const both = {
    liters: liters && printed.liters && { printed: printed.liters.number, decoded: liters },
    cylinders: cylinders && printed.cylinders && { printed: printed.cylinders, decoded: cylinders },
  };
  const differs =
    (both.liters && Math.abs(both.liters.printed - both.liters.decoded) > MAX_ROUNDING) ||
    (both.cylinders && both.cylinders.printed.number !== both.cylinders.decoded);
  if (!differs) return null;
  return {
    printed: engineWords(
      both.liters && both.liters.printed,
      both.cylinders && layoutOf(both.cylinders.printed),
    ),
    decoded: engineWords(
      both.liters && both.liters.decoded,
      both.cylinders && `${both.cylinders.decoded}-cylinder`,
    ),
  };
}

/** `5.7L V8`. */
function engineWords(liters: number | null, layout: string | 0 | null): string {
  return [liters && `${liters.toFixed(1)}L`, layout].filter(Boolean).join(' ');
}

/** `V8` and `I4` as printed; vPIC only counts the cylinders. */
function layoutOf(cylinders: { text: string; number: number } | null): string | null {
  if (!cylinders) return null;
  const letter = /^[VI]/i.exec(cylinders.text)?.[0].toUpperCase();
  return letter ? `${letter}${cylinders.number}` : `${cylinders.number}-cylinder`;
}

/** vPIC calls some two-door coupes sedans, so only roofs and printed numbers of doors are compared. */
function bodyConflict({ bodyClass, doors }: Vehicle, { model }: PrintedCar): Conflict | null {
  if (!model) return null;
  const [printed, ...others] = bodiesIn(model).filter((body) => body === 'Coupe' || body === 'Convertible');
  const decoded = /^(?:Coupe|Convertible)/.exec(bodyClass ?? '')?.[0];
  if (printed && others.length === 0 && decoded && printed !== decoded)
    return { printed: printed.toLowerCase(), decoded: decoded.toLowerCase() };
  const count = /(?<!\S)([24])[- ]DOOR(?!\S)/i.exec(model)?.[1];
  // vPIC counts the tailgate of some cars.
  const counted = doors && { 2: '2', 3: '2', 4: '4', 5: '4' }[doors];
  if (count && counted && count !== counted)
    return { printed: `${count} doors`, decoded: `${counted} doors` };
  return null;
}

const COUNTRIES: [RegExp, string][] = [
  [/(?<!\p{L})(?:U\.? ?S\.? ?A\.?|UNITED STATES)(?!\p{L})/iu, 'US'],
  [/(?<!\p{L})CAN(?:ADA)?(?!\p{L})/iu, 'Canada'],
  [/(?<!\p{L})M[EÉ]X(?:I(?:CO|QUE))?(?!\p{L})/iu, 'Mexico'],
  [/(?<!\p{L})(?:KOREA|KOR)(?!\p{L})/iu, 'Korea'],
  [/(?<!\p{L})JAPAN(?!\p{L})/iu, 'Japan'],
  [/(?<!\p{L})ITALY(?!\p{L})/iu, 'Italy'],
];

const STATES = new Map(
  (
    'AL Alabama,AZ Arizona,CA California,GA Georgia,IL Illinois,IN Indiana,KS Kansas,KY Kentucky,LA Louisiana,' +
    'MI Michigan,MO Missouri,MS Mississippi,NJ New Jersey,NV Nevada,OH Ohio,SC South Carolina,TN Tennessee,TX Texas,VA Virginia'
  )
    .toUpperCase()
    .split(',')
    .flatMap((state): [string, string][] => [
      [state.slice(0, 2), state.slice(3)],
      [state.slice(3), state.slice(3)],
    ]),
);

/** Country and state of a place, as far as it is clear. A city's name isn't compared: neighbors share plants. */
function regionOf(place: string): { country: string | null; state: string | null } {
  const countries = COUNTRIES.filter(([pattern]) => pattern.test(place)).map(([, country]) => country);
  const states = place
    .toUpperCase()
    .split(',')
    .slice(1)
    .map((part) => STATES.get(part.replace(/(?<!\s)\s*U\.? ?S\.? ?A\.?\s*$/, '').trim()))
    .filter(Boolean);
  const country = countries.length === 1 ? countries[0]! : null;
  return { country, state: country === 'US' && states.length === 1 ? states[0]! : null };
}

/** The country that a printed place or vPIC's plant names, as far as it is clear: `US`, `Canada`. */
export function countryOf(place: string): string | null {
  return regionOf(place).country;
}

function plantConflict({ plant }: Vehicle, { assembly }: PrintedCar): Conflict | null {
  if (!plant || !assembly) return null;
  const [printed, decoded] = [regionOf(assembly), regionOf(plant)];
  const differs = (one: string | null, other: string | null) => one && other && one !== other;
  if (!differs(printed.country, decoded.country) && !differs(printed.state, decoded.state)) return null;
  // Only names of ours: a warning must not repeat what anyone may have printed there.
  const place = printed.state
    ? titleCase(printed.state)
    : `the ${printed.country}`.replace(/^the (?!US$)/, '');
  return { printed: `built in ${place}`, decoded: `built in ${plantName(plant)}` };
}
