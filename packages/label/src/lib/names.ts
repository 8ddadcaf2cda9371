import type { Vehicle } from '@monroney/vin';
import { titleCase, inNormalCase, withHyphens } from './words.ts';

/** Names of cars. Browsers load this file too, for the name below the VIN field, so it must not need Node. */

/** The parts of a car's name, as its label prints them, else as vPIC does. */
export interface NameParts {
  year: string | null;
  make: string | null;
  model: string | null;
  /** Trim and, on a label, body or cab and drive. */
  trim: string | null;
}

/** `2024 Jeep Gladiator Rubicon`; null when the make is unknown. Everything that names a car uses this. */
export function carName(vehicle: Vehicle | null, label: PrintedName | null = null): string | null {
  const parts = nameParts(vehicle, label);
  return parts.make && joined(parts.year, parts.make, parts.model, parts.trim);
}

/** `Gladiator Rubicon`, for headings that already name the make. */
export function shortName({ make, model, trim }: NameParts): string | null {
  return joined(model, trim) || make;
}

export function nameParts(vehicle: Vehicle | null, label: PrintedName | null): NameParts {
  const decoded = {
    year: vehicle?.year ?? null,
    make: vehicle?.make ?? null,
    model: vehicle?.model ?? null,
    trim: vehicle ? oneTrim(vehicle) : null,
    trims: vehicle?.trim ?? null,
  };
  const make = decoded.make ?? label?.make.toUpperCase();
  const known = { year: label?.year?.toString() ?? decoded.year, make: make ? titleCase(make) : null };
  const printed = label && printedName(label, decoded);
  return { ...known, ...(printed ?? decodedParts(decoded)) };
}

/** Drops the model's name from the trim: `RC` and `Rc 390` are an RC 390. */
function decodedParts({ model, trim }: Pick<NameParts, 'model' | 'trim'>): Pick<NameParts, 'model' | 'trim'> {
  const name = model && withoutType(model);
  const repeatsModel = name && trim?.toLowerCase().startsWith(`${name.toLowerCase()} `);
  return { model: name, trim: repeatsModel ? trim!.slice(name.length + 1) : trim };
}

const joined = (...words: (string | null)[]): string => words.filter(Boolean).join(' ');

/** Null if vPIC lists several trims, because we don't know which one the car has. */
function oneTrim({ trim, model }: Vehicle): string | null {
  // Some makers give the vehicle type as the trim.
  if (!trim || /[,/;]/.test(trim) || trim.length > 30 || /^(?:MPV|SUV|Truck|Passenger Car)$/i.test(trim))
    return null;
  return model?.toLowerCase().endsWith(trim.toLowerCase()) ? null : trim;
}

/** What a label prints about a car's name. */
interface PrintedName {
  make: string;
  /** The model line. */
  model: string | null;
  /** What the base price is of, which may name the model where the model line doesn't. */
  series?: string | null;
  year: number | null;
}

/** What the VIN says, for what the label doesn't print. */
interface DecodedName {
  make: string | null;
  model: string | null;
  trim: string | null;
  /** All trims that vPIC lists for such VINs. */
  trims: string | null;
}

/** Longer lines aren't names, and label text is untrusted. */
const MAX_CHARACTERS = 80;
const IN_NAMES = /^[\p{L}\d][\p{L}\d .,'’"+&/()-]*$/u;

const NUMBER = '\\d{1,3}(?:\\.\\d{1,2})?';
const UNIT = `(?:''|["”″'’′]|[- ]?(?:FT|FOOT|IN|INCH)(?![A-Z])\\.?)`;
const MEASURED = '(?:BOX|BED|WB|WHEELBASE|CA)';
/** Lengths, which nobody says: `145" WB`, `5.5' BOX`, `6-FT BED`, `84 CA`. */
const LENGTH = new RegExp(
  `(?:^|[ /])(?:(?:${NUMBER}${UNIT}[- ]?){1,2}${MEASURED}?|${NUMBER}[- ]?${MEASURED}|WB)(?=[ /]|$)`,
  'gi',
);

/** What makers print in their own way. GM's `CC` may be a chassis cab on heavy trucks, so there it stays. */
const MAKERS_WORDS: [make: RegExp, printed: RegExp, said: string][] = [
  // The name of a family of trucks, printed above the model: `SUPER DUTY F250`.
  [/^FORD$/i, /^(?:SUPER DUTY|F-SERIES) (?=F-?\d)/i, ''],
  // The code of a version: `GT/RUT`.
  [/^SUBARU$/i, /\/[A-Z]{3}(?= |$)/g, ''],
  [/^(?:CHEVROLET|GMC)$/i, /(?<!\S)(CREW|DBL|REG)(?= (?!CAB|CHAS|VAN)|$)/gi, '$1 CAB'],
  [/^(?:CHEVROLET|GMC)$/i, /^(?!.*[3-6]500)(.* )?CC(?= |$)/i, '$1CREW CAB'],
];

const DRIVES: [RegExp, string][] = [
  [/^(?:ALL[- ]WHEEL DRIVE|AWD)(?= |$)/i, 'AWD'],
  [/^(?:(?:FOUR|4)[- ]WHEEL DRIVE|4WD)(?= |$)/i, '4WD'],
  [/^(?:FRONT[- ]WHEEL DRIVE|FWD)(?= |$)/i, 'FWD'],
  [/^(?:REAR[- ]WHEEL DRIVE|RWD)(?= |$)/i, 'RWD'],
  [/^2WD(?= |$)/i, '2WD'],
  [/^4X4(?= |$)/i, '4x4'],
  [/^4X2(?= |$)/i, '4x2'],
];

/** Canadian labels name the cab in French. */
const BODIES: [RegExp, string][] = [
  [/^(?:CONV(?:ERTIBLE)?|CABRIOLET|D[EÉ]CAPOTABLE)(?= |$)/i, 'Convertible'],
  [/^COUP[EÉ](?= |$)/i, 'Coupe'],
  [/^(?:SEDAN|BERLINE)(?= |$)/i, 'Sedan'],
  [/^SUPER ?CREW(?= |$)/i, 'SuperCrew'],
  [/^SUPER CHAS(?:SIS)?(?: CAB)?(?= |$)/i, 'SuperCab Chassis'],
  [/^CREW CHAS(?:SIS)?(?: CAB)?(?= |$)/i, 'Crew Cab Chassis'],
  [/^REG(?:ULAR)? CHAS(?:SIS)?(?: CAB)?(?= |$)/i, 'Regular Cab Chassis'],
  [/^SUPER ?CAB(?= |$)/i, 'SuperCab'],
  [/^CREW ?MAX(?= |$)/i, 'CrewMax'],
  [/^(?:CREW CAB|(?:[AÀ] )?CABINE D['’][EÉ]QUIPE)(?= |$)/i, 'Crew Cab'],
  [/^(?:QUAD CAB|(?:[AÀ] )?CABINE QUAD)(?= |$)/i, 'Quad Cab'],
  [/^(?:MEGA CAB|(?:[AÀ] )?CABINE M[EÉ]GA)(?= |$)/i, 'Mega Cab'],
  [/^(?:DOUBLE|DBL) CAB(?= |$)/i, 'Double Cab'],
  [/^(?:REG(?:ULAR)? CAB|R\/C|(?:[AÀ] )?CABINE SIMPLE)(?= |$)/i, 'Regular Cab'],
  [/^CHAS(?:SIS)? CAB(?= |$)/i, 'Chassis Cab'],
  [/^SRW(?= |$)/i, 'SRW'],
  [/^DRW(?= |$)/i, 'DRW'],
];

/**
 * The model as the label names it, and the rest of the name: trim, then body or cab, then drive, because that is the
 * order people say them in. Null if the label prints no model line that can be a name.
 */
function printedName(
  label: PrintedName,
  decoded: DecodedName,
): { model: string | null; trim: string } | null {
  const line = withoutMake(label.model, label, decoded);
  if (!line) return null;
  const series = withoutMake(label.series ?? null, label, decoded);
  // Only vPIC calls a Giulia `Giulia (952)`.
  const model = decoded.model && withoutType(decoded.model).replace(/(?<! ) \([^()]*\)$/, '');
  const { name, words } = findModel(line, series, model);
  const parts = sorted(words);
  // vPIC's trim only where the label prints none.
  const trim = parts.trim.length ? tidyTrim(parts.trim, model, decoded) : decodedTrim(name, decoded.trim);
  return { model: name, trim: [trim, ...parts.body, ...parts.drive].filter(Boolean).join(' ') };
}

/** The line without year, make and marks; null if it can't be a name. */
function withoutMake(
  printed: string | null,
  { make, year }: PrintedName,
  decoded: DecodedName,
): string | null {
  if (!printed || printed.length > MAX_CHARACTERS) return null;
  let line = withHyphens(printed.replace(/[®™]/g, '')).trim().split(/\s+/).join(' ');
  for (const word of [year ?? /^(?:19|20)\d\d/.exec(line)?.[0], make, decoded.make]) {
    const start = `${word} `.toUpperCase();
    if (word && line.toUpperCase().startsWith(start)) line = line.slice(start.length);
  }
  line = line.replace(LENGTH, '');
  for (const [of, printedWord, said] of MAKERS_WORDS)
    if (of.test(decoded.make ?? make)) line = line.replace(printedWord, said);
  line = line.trim();
  return IN_NAMES.test(line) ? line : null;
}

/** `Kicks`, without the vehicle type that Nissan adds to the model: `Kicks MPV`. */
function withoutType(model: string): string {
  return model.replace(/^(.+) MPV$/i, '$1');
}

interface Found {
  /** The model as people write it; null if neither the label nor the VIN names it apart from the rest. */
  name: string | null;
  words: string;
}

const bare = (text: string): string => text.replace(/[ -]/g, '').toUpperCase();

/** If the line doesn't name the model, as in `SWINGER SPECIAL EDITION`, the series or vPIC does. */
function findModel(line: string, series: string | null, model: string | null): Found {
  if (!model) return { name: null, words: line };
  const inLine = afterModel(line, model);
  if (inLine) return inLine;
  // The label may name the model in another way than vPIC.
  const words = new Set(line.toUpperCase().split(/[ -]/));
  const isNamed = model
    .toUpperCase()
    .split(/[ -]/)
    .some((word) => word.length > 2 && words.has(word));
  if (isNamed) return { name: null, words: line };
  if (!series) return { name: model, words: line };
  const inSeries = afterModel(series, model);
  // A series without the model is another car's.
  return inSeries ? { name: model, words: `${inSeries.words} ${line}` } : { name: null, words: line };
}

/** Finds the model in the line, whatever its hyphens and spaces. A body before it, as in French, follows it in the name. */
function afterModel(line: string, model: string): Found | null {
  const wanted = bare(model);
  const tokens = line.split(' ');
  for (let first = 0; first < tokens.length; first++) {
    let joined = '';
    for (let last = first; last < tokens.length && joined.length < wanted.length; last++) {
      joined += bare(tokens[last]!);
      if (!joined.startsWith(wanted)) continue;
      const glued = joined.slice(wanted.length);
      // A `300S` is called that, but an `F350SRW` is an F-350.
      const isApart = glued === '' || /^[SD]RW$/.test(glued);
      const printed = tokens.slice(first, last + 1).join(' ');
      if (!isApart && !/^(?:[A-Z]{1,2}|\d+[A-Z]?\+?)$/.test(glued)) continue;
      const before = sorted(tokens.slice(0, first).join(' '));
      const words = [isApart ? glued : '', ...tokens.slice(last + 1), ...before.body, ...before.drive];
      const name = [...before.trim.map(inCarCase), isApart ? model : inCarCase(printed)];
      return { name: name.join(' '), words: words.filter(Boolean).join(' ') };
    }
  }
  return null;
}

/** The bodies and cabs that a model line names: `Coupe`, `Crew Cab`. */
export function bodiesIn(line: string): string[] {
  return sorted(line.trim().split(/\s+/).join(' ')).body;
}

/** The words of a line by their place in the name. */
function sorted(line: string): { trim: string[]; body: string[]; drive: string[] } {
  const parts = { trim: [] as string[], body: [] as string[], drive: [] as string[] };
  let left = line;
  while (left) {
    const [list, word, length] = nextWord(left);
    if (!parts[list].includes(word)) parts[list].push(word);
    left = left.slice(length).trimStart();
  }
  return parts;
}

function nextWord(line: string): ['trim' | 'body' | 'drive', string, number] {
  for (const [list, patterns] of [
    ['drive', DRIVES],
    ['body', BODIES],
  ] as const) {
    for (const [pattern, word] of patterns) {
      const match = pattern.exec(line);
      if (match) return [list, word, match[0].length];
    }
  }
  const word = line.split(' ', 1)[0]!;
  return ['trim', word, word.length];
}

function tidyTrim(words: readonly string[], model: string | null, { trim, trims }: DecodedName): string {
  const kept = words
    // GM's code of an equipment group; the Camaro 1SS is a trim.
    .filter((word) => words.length === 1 || word === '1SS' || !/^1S[A-Z]$/.test(word))
    // A Transit 250 is also printed as `T-250`.
    .map((word) => (/^T-\d{3}$/.test(word) && model?.endsWith('Transit') ? word.slice(2) : word));
  // vPIC knows which letters are small: `350h`, `e-Supercharger`.
  const spelled = new Map(
    trims
      ?.split(/[ ,/;]+/)
      .filter((word) => /\p{Ll}/u.test(word))
      .map((word) => [word.toUpperCase(), word]),
  );
  const roof = /^[LMH]\w+ Roof$/.exec(trim ?? '')?.[0];
  return kept
    .map((word) => (roof && word === `${roof[0]}R` ? roof : (spelled.get(word) ?? inCarCase(word))))
    .join(' ')
    .replace('STR Frame', 'Straight Frame');
}

/** vPIC's trim, unless the model's name contains it, as in `300S`. */
function decodedTrim(model: string | null, trim: string | null): string {
  return !trim || (model && bare(model).includes(bare(trim))) ? '' : inCarCase(trim);
}

/** A printed name in normal case; names that aren't all capitals stay as they are. */
function inCarCase(printed: string): string {
  if (printed !== printed.toUpperCase()) return printed;
  // Hybrids and electric cars have a small letter: `NX 350h`, `RZ 450e`.
  return inNormalCase(printed, true).replace(/(?<=(?<!\d)\d{3})[HE](?=\+?(?: |$))/g, (letter) =>
    letter.toLowerCase(),
  );
}
