import type { Vehicle } from '@monroney/vin';
import { titleCase } from './words.ts';

/** `2024 Jeep Gladiator Rubicon`; null when the make is unknown. */
export function carName(vehicle: Vehicle | null): string | null {
  if (!vehicle?.make) return null;
  return [vehicle.year, titleCase(vehicle.make), ...modelAndTrim(vehicle)].filter(Boolean).join(' ');
}

/** `Gladiator Rubicon`, for headings that already name the make. */
export function shortName(vehicle: Vehicle | null): string | null {
  if (!vehicle?.model) return vehicle?.make ? titleCase(vehicle.make) : null;
  return modelAndTrim(vehicle).filter(Boolean).join(' ');
}

/** `Kicks`, without the vehicle type that Nissan adds to the model: `Kicks MPV`. */
export function modelName(vehicle: Vehicle | null): string | null {
  return vehicle?.model?.replace(/(?<=.) MPV$/i, '') ?? null;
}

/** Drops the model's name from the trim: `RC` and `Rc 390` are an RC 390. */
function modelAndTrim(vehicle: Vehicle): (string | null)[] {
  const model = modelName(vehicle);
  const trim = oneTrim(vehicle);
  const repeatsModel = model && trim?.toLowerCase().startsWith(`${model.toLowerCase()} `);
  return [model, repeatsModel ? trim!.slice(model.length + 1) : trim];
}

/** Null if vPIC lists several trims, because we don't know which one the car has. */
function oneTrim({ trim, model }: Vehicle): string | null {
  // Some makers give the vehicle type as the trim.
  if (!trim || /[,/;]/.test(trim) || trim.length > 30 || /^(?:MPV|SUV|Truck|Passenger Car)$/i.test(trim))
    return null;
  return model?.toLowerCase().endsWith(trim.toLowerCase()) ? null : trim;
}

/** Abbreviations that stay in capitals. */
const CAPITALS = new Set(
  'ABS AC AM AMG AT4 AUX AWD BMW CD CVT DVD EPA EV FM FWD GM GMC GPS GT GVWR HD HEV HID HUD LED LT LTZ MP3 MSRP MT NCAP PHEV RS RWD SD SE SEL SLE SLT SUV SXM SXT TFT TPMS TRD UHF US USA USB UV VIN WI XL XLT XM'.split(
    ' ',
  ),
);
const LOWER_CASE = new Set('a an and at by for from in of on or the to with w w/'.split(' '));

/**
 * A printed name as people write it: `TRAILER TOW PACKAGE:` is "Trailer Tow Package". Names that aren't all capitals
 * only lose a colon at the end.
 */
export function optionName(printed: string): string {
  // The lookbehind makes it linear: without it, every colon of a run that isn't at the end would be tried.
  const name = printed.replace(/(?<![\s:])[\s:]+$/, '') || printed;
  const letters = name.replace(/[^\p{L}]/gu, '');
  if (letters.length < 4 || letters !== letters.toUpperCase()) return name;
  return name
    .split(/(\s+)/)
    .map((word, index) =>
      index % 2
        ? word
        : word
            .split(/([-/–])/)
            .map((part, i, parts) => cased(part, index === 0 && i === 0, parts.length === 1))
            .join(''),
    )
    .join('');
}

function cased(word: string, first: boolean, whole: boolean): string {
  const bare = word.replace(/[^\p{L}\d]/gu, '');
  const lower = word.toLowerCase();
  // `A/S`, all-season, doesn't start with an article.
  if (!whole && bare === 'A') return word;
  if (LOWER_CASE.has(lower) || LOWER_CASE.has(bare.toLowerCase())) return first ? capitalised(lower) : lower;
  // Engine and trim codes: V8, 3.6L, 10R80, XLT. A word without a vowel is one too.
  if (CAPITALS.has(bare) || /\d/.test(bare) || (bare.length <= 4 && !/[AEIOUYÀ-Þ]/.test(bare))) return word;
  return capitalised(lower);
}

function capitalised(word: string): string {
  return word.replace(/\p{L}/u, (letter) => letter.toUpperCase());
}
