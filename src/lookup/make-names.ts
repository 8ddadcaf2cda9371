import type { Source } from '../makers/maker.ts';

/** What a person means by the name of a make. */
export type MakeMatch =
  /** These makes, in vPIC's capitals. `exact` unless it took a nickname, other words around it, or a typing mistake. */
  | { kind: 'covered'; makes: readonly string[]; exact: boolean }
  /** A make that publishes no labels, as people write it. */
  | { kind: 'not-covered'; name: string }
  /** Not the name of a make that we know; it may be a model. */
  | { kind: 'unknown' };

/** Makes without labels that people ask for, with what they are called besides. */
const WITHOUT_LABELS: Readonly<Record<string, readonly string[]>> = {
  Acura: [],
  'Aston Martin': ['aston'],
  Audi: [],
  Bentley: [],
  BMW: ['bimmer', 'beemer', 'bayerischemotorenwerke'],
  Bugatti: [],
  BYD: [],
  Daewoo: [],
  Daihatsu: [],
  Eagle: [],
  Ferrari: [],
  Fisker: [],
  Geo: [],
  Honda: [],
  INEOS: [],
  Isuzu: [],
  Jaguar: ['jag'],
  Lamborghini: ['lambo'],
  'Land Rover': ['rangerover', 'jlr', 'jaguarlandrover', 'rover'],
  Lotus: [],
  Lucid: [],
  Maserati: [],
  Maybach: [],
  Mazda: [],
  McLaren: [],
  'Mercedes-Benz': ['mercedes', 'benz', 'merc', 'mb', 'amg', 'daimler'],
  Mercury: [],
  MINI: ['minicooper'],
  Mitsubishi: ['mitsu'],
  Oldsmobile: ['olds'],
  Peugeot: [],
  Plymouth: [],
  Polestar: [],
  Pontiac: [],
  Porsche: [],
  Rivian: [],
  'Rolls-Royce': ['rolls'],
  Saab: [],
  Saturn: [],
  Scion: [],
  smart: [],
  Suzuki: [],
  Tesla: [],
  VinFast: [],
  Volkswagen: ['vw', 'vdub'],
  Volvo: [],
};

/** Words that people put around the name of a make. */
const AROUND = new Set(
  'america american auto automobile automobiles automotive brand car cars co company corp corporation division group inc make motor motors north of the truck trucks us usa vehicle vehicles'.split(
    ' ',
  ),
);

/** A name as it is compared: lower case, letters and digits only. */
function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');
}

/** What a person means by `text`: by its name, by a nickname, among other words, or with one or two letters wrong. */
export function matchMake(text: string, sources: readonly Source[]): MakeMatch {
  const names = namesOf(sources);
  const whole = names.get(keyOf(text));
  if (whole) return whole;
  const words = text.split(/[^\p{L}\p{N}-]+/u).filter((word) => word && !AROUND.has(word.toLowerCase()));
  return inexact(
    names.get(keyOf(words.join(''))) ?? amongWords(words, names) ?? misspelt(keyOf(words.join('')), names),
  );
}

function namesOf(sources: readonly Source[]): Map<string, MakeMatch> {
  const names = new Map<string, MakeMatch>();
  for (const [name, others] of Object.entries(WITHOUT_LABELS))
    for (const each of [name, ...others]) names.set(keyOf(each), { kind: 'not-covered', name });
  for (const { name, makes, aliases = [], nicknames = {} } of sources) {
    for (const each of [name, ...aliases]) names.set(keyOf(each), { kind: 'covered', makes, exact: true });
    for (const [nickname, meant] of Object.entries(nicknames))
      names.set(keyOf(nickname), { kind: 'covered', makes: meant, exact: false });
  }
  // After the companies: Ford the make comes before Ford the company, which makes Lincolns too.
  for (const make of sources.flatMap(({ makes }) => makes))
    names.set(keyOf(make), { kind: 'covered', makes: [make], exact: true });
  return names;
}

/** `Ford F-150`, `Dodge Ram`, `Chevy and GMC`: all covered makes that are named. */
function amongWords(words: readonly string[], names: ReadonlyMap<string, MakeMatch>): MakeMatch | null {
  const pairs = words.slice(1).map((word, at) => `${words[at]} ${word}`);
  const found = [...words, ...pairs].flatMap((word) => names.get(keyOf(word)) ?? []);
  const makes = found.flatMap((each) => (each.kind === 'covered' ? each.makes : []));
  if (makes.length > 0) return { kind: 'covered', makes: [...new Set(makes)], exact: false };
  return found[0] ?? null;
}

/** The one name that is at most one letter away, two for long names. */
function misspelt(key: string, names: ReadonlyMap<string, MakeMatch>): MakeMatch | null {
  const most = key.length < 4 ? 0 : key.length < 7 ? 1 : 2;
  const near = [...names.keys()]
    .filter((name) => name.length >= 4)
    .map((name) => ({ name, off: distance(key, name) }))
    .filter(({ off }) => off <= most)
    .sort((a, b) => a.off - b.off);
  const [first, second] = near;
  return first && first.off !== second?.off ? names.get(first.name)! : null;
}

function inexact(meant: MakeMatch | null): MakeMatch {
  if (!meant) return { kind: 'unknown' };
  return meant.kind === 'covered' ? { ...meant, exact: false } : meant;
}

/** Letters to change, add, leave out or swap with their neighbour. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
