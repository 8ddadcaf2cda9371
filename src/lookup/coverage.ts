import { verifiedOn } from '@monroney/label/makers/index';
import { z } from 'zod';
import { titleCase } from '@monroney/label/lib/words';
import { STICKER_KINDS, labelKind, type Source } from '../makers/maker.ts';
import type { Lookup } from './find.ts';
import { UNCOVERED } from './uncovered-makes.ts';

export const Coverage = z.object({
  make: z.string().describe('The make as people write it.'),
  source: z.string().describe('Id of the label source; several makes may share one.'),
  years: z.string().describe('Model years with labels, in words.'),
  readable: z
    .boolean()
    .describe('True when we can read the label; false when it is a picture or has no reader yet.'),
  kind: z
    .enum(STICKER_KINDS)
    .describe(
      "original: from the manufacturer; original-via-platform: the same file, handed on by a dealer platform; dealer-copy: a dealer platform's own copy.",
    ),
  verifiedOn: z
    .int()
    .describe('How many real labels of this make the reader was checked against; 0 means drawings only.'),
  thirdParty: z
    .boolean()
    .describe('True if kind is dealer-copy. Dealer platforms could stop without notice.'),
  typicalBytes: z.int().nullable().describe('Typical size of a PDF in bytes; null when unknown.'),
  state: z
    .enum(['on', 'off', 'resting'])
    .describe(
      'on: in use; off: switched off by the operator; resting: it refuses our requests, and we try again later.',
    ),
  reason: z.string().nullable().describe('Why it is off or resting; null when on.'),
  since: z.string().nullable().describe('Since when it is off or resting, ISO 8601; null when on.'),
  page: z.url().describe('A page for people about this make.'),
});

export type Coverage = z.infer<typeof Coverage>;

/** The makes we cover and their current state, one row per make: for pages, tools and `/status.json`. */
export function coverage(lookup: Pick<Lookup, 'sources' | 'switches'>, baseUrl: string): Coverage[] {
  return lookup.sources.flatMap((source) => {
    const { state, reason, since } = lookup.switches.state(source.id);
    return source.makes.map((make) => ({
      make: titleCase(make),
      source: source.id,
      years: source.years,
      readable: labelKind(source) === 'text',
      kind: source.kind,
      verifiedOn: verifiedOn(make),
      thirdParty: source.kind === 'dealer-copy',
      typicalBytes: source.typicalBytes,
      state,
      reason,
      since: state === 'on' ? null : new Date(since).toISOString(),
      page: `${baseUrl}/makes/${makeSlug(make)}`,
    }));
  });
}

export function makeSlug(make: string): string {
  return make.toLowerCase().replace(/[ _]/g, '-');
}

/** The make that a person means. */
type MakeMatch =
  /** These makes, in vPIC's capitals. `exact` is false for a nickname, a name among other words, or a typo. */
  | { kind: 'covered'; makes: readonly string[]; exact: boolean }
  /** A make that publishes no labels, as people write it. */
  | { kind: 'not-covered'; name: string }
  /** Not the name of a make that we know; it may be a model. */
  | { kind: 'unknown' };

/** Words that people add to the name of a make. */
const FILLER_WORDS = new Set(
  'america american auto automobile automobiles automotive brand car cars co company corp corporation division group inc make motor motors north of the truck trucks us usa vehicle vehicles'.split(
    ' ',
  ),
);

/** For comparison: lower case, letters and digits only. */
function keyOf(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '');
}

/** Finds a make by its name, by a nickname, among other words, or with one or two wrong letters. */
export function matchMake(text: string, sources: readonly Source[]): MakeMatch {
  const names = namesOf(sources);
  const exact = names.get(keyOf(text));
  if (exact) return exact;
  const words = text
    .split(/[^\p{L}\p{N}-]+/u)
    .filter((word) => word && !FILLER_WORDS.has(word.toLowerCase()));
  return inexact(
    names.get(keyOf(words.join(''))) ?? makesAmong(words, names) ?? closestName(keyOf(words.join('')), names),
  );
}

function namesOf(sources: readonly Source[]): Map<string, MakeMatch> {
  const names = new Map<string, MakeMatch>();
  for (const { make, nicknames = [] } of UNCOVERED)
    for (const spelling of [make, ...nicknames])
      names.set(keyOf(spelling), { kind: 'not-covered', name: make });
  for (const { name, makes, aliases = [], nicknames = {} } of sources) {
    for (const spelling of [name, ...aliases])
      names.set(keyOf(spelling), { kind: 'covered', makes, exact: true });
    for (const [nickname, meant] of Object.entries(nicknames))
      names.set(keyOf(nickname), { kind: 'covered', makes: meant, exact: false });
  }
  // After the companies, so that "Ford" means the make, and not the company, which also makes Lincolns.
  for (const make of sources.flatMap(({ makes }) => makes))
    names.set(keyOf(make), { kind: 'covered', makes: [make], exact: true });
  return names;
}

/** `Ford F-150`, `Dodge Ram`, `Chevy and GMC`: all covered makes that are named. */
function makesAmong(words: readonly string[], names: ReadonlyMap<string, MakeMatch>): MakeMatch | null {
  const pairs = words.slice(1).map((word, index) => `${words[index]} ${word}`);
  const found = [...words, ...pairs].flatMap((word) => names.get(keyOf(word)) ?? []);
  const makes = found.flatMap((match) => (match.kind === 'covered' ? match.makes : []));
  if (makes.length > 0) return { kind: 'covered', makes: [...new Set(makes)], exact: false };
  return found[0] ?? null;
}

/** The closest name if it is unique: at most one edit away, or two for long names. */
function closestName(key: string, names: ReadonlyMap<string, MakeMatch>): MakeMatch | null {
  const maxDistance = key.length < 4 ? 0 : key.length < 7 ? 1 : 2;
  const candidates = [...names.keys()]
    .filter((name) => name.length >= 4)
    .map((name) => ({ name, edits: edits(key, name) }))
    .filter(({ edits }) => edits <= maxDistance)
    .sort((a, b) => a.edits - b.edits);
  const [first, second] = candidates;
  return first && first.edits !== second?.edits ? names.get(first.name)! : null;
}

function inexact(match: MakeMatch | null): MakeMatch {
  if (!match) return { kind: 'unknown' };
  return match.kind === 'covered' ? { ...match, exact: false } : match;
}

/** Shorter ones may be models: a Sonic is no Scion. */
const MIN_ANAGRAM = 6;

/** How many mistakes turn one into the other. The right letters in a wrong order (Subura) and y for i (Hunday) are common. */
function edits(key: string, name: string): number {
  const sorted = (text: string) => [...text].toSorted().join('');
  if (key.length >= MIN_ANAGRAM && sorted(key) === sorted(name)) return 1;
  return distance(key.replaceAll('y', 'i'), name.replaceAll('y', 'i'));
}

/** Edit distance, where swapping two neighboring letters is one edit. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let smallest = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        smallest = Math.min(smallest, rows[i - 2]![j - 2]! + 1);
      row.push(smallest);
    }
    rows.push(row);
  }
  return rows[a.length]![b.length]!;
}
