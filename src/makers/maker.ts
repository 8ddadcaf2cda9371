import { inWords, joinWithAnd } from '@monroney/label/lib/words';
import { readerOf } from '@monroney/label/makers/index';
import type { LabelText, Paint, Reading } from '@monroney/label/reading/types';

/** The result of one request to a source. `lookup/find.ts` turns it into a finding. */
export type Outcome =
  | {
      kind: 'label';
      pdf: Buffer;
      host: string;
      /** Extracted while judging the response, so that the PDF is parsed once. */
      text?: LabelText;
      /** The reading for this make, if judging the response already produced one. */
      read?: { make: string | null; reading: Reading };
      /** Only the end of the last table is missing, so one more request is worthwhile. */
      missingTrailer?: true;
    }
  | { kind: 'none'; why: string }
  | { kind: 'refused'; why: string; retryAfterMs?: number }
  | { kind: 'failed'; why: string; retryAfterMs?: number };

/** Stands for the built-in phrases. */
export const KEEP = '...';

/** Plain phrases, not patterns; `KEEP` includes the built-in ones. */
export interface OverrideWords {
  none?: readonly string[];
  refused?: readonly string[];
}

/**
 * Where one publisher's labels come from. `docs/changing.md` explains how to write one. Its patterns search
 * untrusted text, so they must run in linear time: no unbounded `.*` between two words.
 */
export interface Source {
  id: string;
  /** The name shown to users: "Ford", "General Motors". */
  name: string;
  /** vPIC's names, in upper case. */
  makes: readonly string[];
  /** Other names of the company, which mean all of its makes: "GM". */
  aliases?: readonly string[];
  /** Informal names of its makes, in lower case without spaces: `chevy`. */
  nicknames?: Readonly<Record<string, readonly string[]>>;
  /** URL templates with `{VIN}` (and `{TODAY}`), tried in order. `ADDRESS_<ID>` and `SOURCES_FILE` override them. */
  urls: readonly string[];
  /** `fail-over` tries the next URL only after a failure or refusal; `try-all` also after a "none". */
  strategy: 'fail-over' | 'try-all';
  /** Hosts that redirects may lead to, in addition to those of `urls`. */
  hosts?: readonly string[];
  headers?: Readonly<Record<string, string>>;
  /**
   * Text of a response body or a placeholder PDF that means "no label". Must name the sticker, the car or the VIN:
   * "not found" is also what gateways say about hosts and routes.
   */
  none: readonly RegExp[];
  /** Text that means "no label" in a PDF only: any website under maintenance may say it too. */
  placeholder?: readonly RegExp[];
  /** Text that means the source blocks us. */
  refused?: readonly RegExp[];
  /** The operator's phrases that `none` and `refused` were built from. */
  words?: OverrideWords;
  /** The meaning of a 200 with an empty body. */
  empty: 'none' | 'failed';
  /** The meaning of a 404: `failed` if the source is known to report "no label" in another way. */
  notFound: 'none' | 'failed';
  /** `failed`, or what only the source's own pages contain if such a page instead of a label means "none". */
  page: 'failed' | RegExp;
  /** Labels that are pictures, without the VIN as text, are recognized by this notice and their size. */
  picture?: { notice: RegExp; minBytes: number };
  /** Whose file it is and who hands it out. Everything we say about a label's origin is derived from this. */
  kind: StickerKind;
  /** Hosts of `urls` that are a dealership's own website, to name them as what they are. */
  dealerships?: readonly string[];
  /** How many hours a "none" is stored: for this and last year's cars, and for older ones. */
  noneHours: { recent: number; older: number };
  /** Model years with labels, as shown to users: "2020 and newer". */
  years: string;
  /** The approximate first model year with labels; null if that depends on something else. */
  firstYear: number | null;
  typicalBytes: number | null;
  typicalSeconds: number;
  /** Tells users who got no label which cars are covered and what to do. */
  whenMissing: string;
  /** The evidence that the URLs work, with its date. */
  checked: string;
  /** A valid VIN with a made-up serial number, for the demo and the tests. */
  example: string;
  /** A plant that builds cars for two sources with the same VIN prefix, so that either may have the label. */
  sharedPlant?: { vinPrefix: string; sourceId: string };
  /** Test VINs of this source's makes. `npm run specimens` draws the labels of those that are `held`. */
  specimens?: readonly SpecimenRow[];
}

/** A VIN with serial number 000000, which no factory issues; everything else decodes correctly. */
export interface SpecimenRow {
  vin: string;
  /** In title case. */
  make: string;
  /** What it demonstrates, for the documentation. */
  shows: string;
  state: 'held' | 'none' | 'off' | 'failed' | 'no-source';
  paint?: Paint | null;
}

/**
 * `original`: the manufacturer's file from the manufacturer's host. `original-via-platform`: the manufacturer's file,
 * handed on by a dealer website platform. `dealer-copy`: a copy that a dealer website or its platform made.
 */
export const STICKER_KINDS = ['original', 'original-via-platform', 'dealer-copy'] as const;
export type StickerKind = (typeof STICKER_KINDS)[number];

/** What stickers of a kind are, for people; null for the usual one. */
export const ORIGINS: Readonly<Record<StickerKind, string | null>> = {
  original: null,
  'original-via-platform': "the manufacturer's own files, handed on by a dealer website platform",
  'dealer-copy': 'copies from dealer websites',
};

/** Dealer websites and their platforms could stop without notice. */
export function comesViaDealers({ kind }: { kind: StickerKind }): boolean {
  return kind !== 'original';
}

/** Where the labels come from, for people. Follows the operator's URLs, so it names no host that isn't asked. */
export function originOf(source: Pick<Source, 'kind' | 'name' | 'urls' | 'dealerships'>): string {
  if (source.kind === 'original') return source.name;
  const hosts = [...new Set(source.urls.map((url) => new URL(url).host))];
  const own = hosts.filter((host) => source.dealerships?.includes(host));
  const websites =
    own.length === 1 ? "a dealership's own website" : `${inWords(own.length)} dealerships' own websites`;
  const places = joinWithAnd([
    ...(own.length > 0 ? [`${websites} (${own.join(', ')})`] : []),
    ...(hosts.length > own.length ? ['a dealer website platform'] : []),
  ]);
  return source.kind === 'dealer-copy'
    ? `copies from ${places}`
    : `${source.name}'s own files, handed on by ${places}`;
}

export function labelKind({ makes, picture }: Pick<Source, 'makes' | 'picture'>): LabelKind {
  return picture ? 'picture' : makes.some(readerOf) ? 'text' : 'unread';
}

/** `unread`: labels with text, but without a reader so far. */
type LabelKind = 'text' | 'picture' | 'unread';

/**
 * For sources whose "none" is known only to be JSON that says "not found": either nothing else, or about the label or the
 * car. The path in "Route /sticker/… not found" doesn't count.
 */
export const LABEL_NOT_FOUND: readonly RegExp[] = [
  /"not found\b/i,
  /\bno (?:window )?(?:sticker|label|document|vehicle)\b/i,
  /\b(?:sticker|label|monroney|document|vehicle|vin)\b[^"<>{}/:]{0,60}\bnot found\b/i,
];

/**
 * The make to read a source's label by. Null if the VIN doesn't tell: then the label says which of the source's makes it
 * is, unless it is a picture.
 */
export function makeToRead(source: Pick<Source, 'makes' | 'picture'>, decoded: string | null) {
  return decoded ?? (labelKind(source) === 'text' ? null : source.makes[0]!);
}

/** Which of a source's makes a label says it is; the first of them if it isn't read. */
export function makeOnLabel(
  { makes }: Pick<Source, 'makes'>,
  reading: Pick<Reading, 'label'> | null,
): string {
  const printed = reading?.label?.make.toUpperCase();
  return makes.find((make) => make === printed) ?? makes[0]!;
}

/** What most sources have in common. */
const DEFAULTS = {
  strategy: 'fail-over',
  none: [],
  empty: 'failed',
  notFound: 'failed',
  page: 'failed',
  kind: 'original',
  noneHours: { recent: 24, older: 14 * 24 },
  typicalBytes: null,
  typicalSeconds: 2,
} as const satisfies Partial<Source>;

/** A source states only what differs from the defaults. */
export function defineSource(
  fields: Omit<Source, keyof typeof DEFAULTS> & Partial<Pick<Source, keyof typeof DEFAULTS>>,
): Source {
  return Object.freeze({ ...DEFAULTS, ...fields });
}

/** The source of a make's labels, or null if there is none. `make` is vPIC's name, in any case. */
export function sourceForMake(make: string | null, list: readonly Source[]): Source | null {
  const upperCased = make?.toUpperCase();
  return list.find((source) => upperCased !== undefined && source.makes.includes(upperCased)) ?? null;
}

/** The sources that may have a car's label, the likeliest first; empty if the make publishes no labels. */
export function sourcesFor(vin: string, make: string | null, list: readonly Source[]): Source[] {
  const first = sourceForMake(make, list);
  if (!first) return [];
  const { sharedPlant } = first;
  if (!sharedPlant || !vin.startsWith(sharedPlant.vinPrefix)) return [first];
  return [first, ...list.filter(({ id }) => id === sharedPlant.sourceId)];
}

/**
 * The source of a manufacturer's makes, for a VIN that several of them share. Null if they have different ones, or if only
 * one of several makes has any: the car is then more likely another's.
 */
export function commonSource(makes: readonly string[], list: readonly Source[]): Source | null {
  const published = makes.flatMap((make) => sourceForMake(make, list) ?? []);
  const [first] = published;
  if (!first || published.some((other) => other !== first)) return null;
  return published.length > 1 || makes.length === 1 ? first : null;
}

/** The URL for one VIN. `{TODAY}` is for sources that require a date in the query. */
export function urlFor(template: string, vin: string, now: number): string {
  return template.replaceAll('{VIN}', vin).replaceAll('{TODAY}', new Date(now).toISOString().slice(0, 10));
}

/** Every host that this source's requests and redirects may go to. */
export function hostsOf(source: Source): string[] {
  return [...new Set([...source.urls.map((url) => new URL(url).host), ...(source.hosts ?? [])])];
}

/** The source keeps `words`, because workers in other processes need them as data. */
export function withWords(source: Source, words: OverrideWords | undefined): Source {
  if (!words) return source;
  return {
    ...source,
    none: patterns(words.none, source.none),
    placeholder: words.none && !words.none.includes(KEEP) ? [] : source.placeholder,
    refused: patterns(words.refused, source.refused ?? []),
    words,
  };
}

function patterns(words: readonly string[] | undefined, builtIn: readonly RegExp[]): readonly RegExp[] {
  return words?.flatMap((phrase) => (phrase === KEEP ? builtIn : [pattern(phrase)])) ?? builtIn;
}

/** Ignores case and the kind of white space between words. */
function pattern(phrase: string): RegExp {
  const words = phrase.trim().split(/\s+/);
  // oxlint-disable-next-line patterns/linear -- Words contain no white space, so each repetition ends where a word begins.
  return new RegExp(words.map((word) => RegExp.escape(word)).join('\\s+'), 'i');
}
