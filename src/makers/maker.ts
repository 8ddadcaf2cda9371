import type { Reader } from '../reading/reader.ts';
import type { LabelText, Paint, Reading } from '../reading/types.ts';

/** What a source's answer came to. One table (`outcomes.ts`) says what the API makes of each. */
export type Outcome =
  | {
      kind: 'label';
      pdf: Buffer;
      host: string;
      /** Taken out while judging it, so that nobody parses the PDF twice. */
      text?: LabelText;
      /** Read while judging it, for this make. */
      read?: { make: string; reading: Reading };
      /** Lacks the end of its last table and nothing else: worth asking for once more. */
      missingTrailer?: true;
    }
  | { kind: 'none'; why: string }
  | { kind: 'refused'; why: string; retryAfterMs?: number }
  | { kind: 'failed'; why: string; retryAfterMs?: number };

/** Plain words, not patterns; `...` stands for the built-in ones. */
export interface OverrideWords {
  none?: readonly string[];
  refused?: readonly string[];
}

/**
 * One publisher of labels: data more than code. `docs/adding-a-source.md` walks through one. Its patterns search text
 * from outside, so they must take linear time: no unbounded `.*` between two words.
 */
export interface Source {
  id: string;
  /** As a person would say it: "Ford", "General Motors". */
  name: string;
  /** In vPIC's capitals. */
  makes: readonly string[];
  /** Other names of the company, meaning all of its makes: "GM". */
  alsoCalled?: readonly string[];
  /** What people call its makes, in lower case without spaces: `chevy`. */
  nicknames?: Readonly<Record<string, readonly string[]>>;
  /** Address templates with `{VIN}` (and `{TODAY}`), tried in turn. Overridable by `ADDRESS_<ID>` and `SOURCES_FILE`. */
  addresses: readonly string[];
  /** `fail-over`: the next address only when one failed or refused. `each`: also when one has none. */
  turn: 'fail-over' | 'each';
  /** Hosts a redirect may lead to, besides those of the addresses. */
  hosts?: readonly string[];
  headers?: Readonly<Record<string, string>>;
  /** Texts (of the body, or of a placeholder PDF) that mean: no label. */
  none: readonly RegExp[];
  /** Texts that mean: we are being kept out. */
  refused?: readonly RegExp[];
  /** The operator's own words, which `none` and `refused` were made with. */
  words?: OverrideWords;
  /** What a 200 with no bytes means here. */
  empty: 'none' | 'undecided';
  /** What a 404 means here: `failed` where a known answer for "no label" exists and a 404 is none of it. */
  notFound: 'none' | 'failed';
  /** What a 200 with a web page means here, when the page is no block page. */
  page: 'none' | 'failed';
  /** A label that is one picture, known by this notice and its size, since it has no VIN text. */
  picture?: { notice: RegExp; minBytes: number };
  /** Who reads its labels; null when they are pictures, and as long as nobody has written a reader. */
  reader: Reader | null;
  /** True for dealer-website platforms whose coverage can stop any day. */
  thirdParty: boolean;
  /** How long "none" is believed, in hours: for the newest model years, and for older cars. */
  noneHours: { recent: number; older: number };
  /** Model years as a person reads them: "2020 and newer". */
  years: string;
  /** The first model year with labels, about; null where it depends on something else than the year. */
  firstYear: number | null;
  typicalBytes: number | null;
  usualSeconds: number;
  /** What a person should know and do when there is no label. */
  whenMissing: string;
  /** Where the address was seen, and when somebody last saw it answer. */
  checked: string;
  /** How many real labels its reader was checked against; 0 where we only have our own drawings, or no reader. */
  verifiedOn: number;
  /** A VIN of this source's shape for demos and tests; its serial number is made up. */
  example: string;
  /** A factory that builds this source's cars and another's under the same first characters: both may have the label. */
  sharedPlant?: { start: string; with: string };
  /** Test VINs of this source's makes. Those that are `held` have a drawing: `npm run specimens` draws it. */
  specimens?: readonly SpecimenRow[];
}

/** A VIN with serial number 000000, which no factory issues; the rest of it decodes truthfully. */
export interface SpecimenRow {
  vin: string;
  /** As a person writes it. */
  make: string;
  /** What it is there to show, for the documents. */
  shows: string;
  state: 'held' | 'none' | 'off' | 'failed' | 'no-source';
  paint?: Paint | null;
}

/** What a source's labels are to whoever wants to read them. */
export function labelKind({ reader, picture }: Pick<Source, 'reader' | 'picture'>): LabelKind {
  return picture ? 'picture' : reader ? 'text' : 'unread';
}

/** `unread`: text that nobody has written a reader for yet. */
export type LabelKind = 'text' | 'picture' | 'unread';

/** Names the shape, so that a source's file is checked where it is written. */
export function source(described: Source): Source {
  return Object.freeze(described);
}

/** The address of one VIN. `{TODAY}` is a day, for a source that wants one in its query. */
export function addressOf(template: string, vin: string, now: number): string {
  return template.replaceAll('{VIN}', vin).replaceAll('{TODAY}', new Date(now).toISOString().slice(0, 10));
}

/** Every host this source may be asked at or may redirect to. */
export function hostsOf(source: Source): string[] {
  return [...new Set([...source.addresses.map((address) => new URL(address).host), ...(source.hosts ?? [])])];
}
