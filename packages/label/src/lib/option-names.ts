import { inNormalCase, isInCapitals, withHyphens } from './words.ts';

/** Names of options and equipment, as printed on a label and as people write them. */

/** Marks that labels spell out, two of them in French. */
const MARKS: Record<string, string> = { R: '®', MD: '®', TM: '™', MC: '™' };

/**
 * A printed name as people write it: `TRAILER TOW PKG:` is "Trailer Tow Package". With the label that it is from, a name
 * that is cut there gets its end from another place on it. Abbreviations are English.
 */
export function optionName(printed: string, label?: PrintedTexts): string {
  // The lookbehinds make it linear: without them, every colon or star of a run that isn't at the end would be tried.
  const whole = completed(printed, label).replace(/^[*\s]+(?=[^*\s])|(?<![*\s])[*\s]+$/g, '');
  const name = withHyphens(whole.replace(/(?<![\s:])[\s:]+$/, '') || printed)
    .replace(/(?<=\p{L})'(?=\p{L})/gu, '’')
    .replace(/(?<=\p{L}) ?\((R|MD|TM|MC)\)/gu, (_, mark: string) => MARKS[mark]!);
  const spaced = withSpaces(label && label.language !== 'en' ? name : written(name));
  return asNoun(isInCapitals(spaced) ? withCodes(inNormalCase(spaced)) : withoutLoudWords(spaced));
}

/** `Engine, 6.2L V8` is a "6.2L V8 Engine". */
function asNoun(name: string): string {
  return name.replace(/^(Engine|Transmission), (?!None$|.* with )(.+)$/, '$2 $1');
}

/** Spaces where labels leave them out or add them around punctuation. */
function withSpaces(name: string): string {
  return name
    .replace(/(?<=\S) (?=,)/gu, '')
    .replace(/(?<=[\p{L}"]),(?=\S)|(?<=\p{L}):(?=[\p{L}\d])|(?<=[®™])(?=\p{L})/gu, '$& ')
    .replace(/(?<=\p{L})(?=\([\p{L}\d])|(?<=\d")(?=\p{L})|(?<= -)(?=\p{L})/gu, ' ')
    .replace(/(?<=\p{L}{3})\+(?=\d)/gu, ' + ')
    .replace(/(?<=[\p{L}\d]\/) (?=[\p{L}\d])|(?<=\p{L}-) (?=\p{L})/gu, '')
    .replace(/(?<= )\*(?=\p{L})|(?<=\p{L})\*(?= |$)/gu, '');
}

/** GM's code of an option, as in `(Dealer Installed - PCI)`, keeps its capitals. */
function withCodes(name: string): string {
  return name.replace(/(?<=- ?)\p{Lu}\p{Ll}{2}(?=\)$)/u, (code) => code.toUpperCase());
}

const LOUD = /^\p{Lu}{4,}$/u;

/** Words in capitals that stand together in another name, or before a code: `CREAMY WHITE (WC9) Paint`. */
function withoutLoudWords(name: string): string {
  const words = name.split(' ');
  const isLoud = (word: string | undefined): boolean => LOUD.test(word ?? '');
  return words
    .map((word, at) =>
      isLoud(word) && (isLoud(words[at - 1]) || isLoud(words[at + 1]) || words[at + 1]?.startsWith('('))
        ? inNormalCase(word)
        : word,
    )
    .join(' ');
}

/** A paint's name without what every paint is: `Octane Red Exterior Paint` is "Octane Red". */
export function paintName(printed: string, label?: PrintedTexts): string {
  return optionName(printed, label).replace(/ exterior paint$/i, '');
}

/** A printed place as people write it: `BOWLING GREEN, KY U.S.A.` is "Bowling Green, KY U.S.A." */
export function placeName(printed: string): string {
  const name = isInCapitals(printed) ? inNormalCase(printed) : printed;
  return withHyphens(name).replace(/, [a-z]{2}(?!\p{L})/giu, (state) => state.toUpperCase());
}

/** The entries of a table: what is printed, and what it means. */
function entriesOf(table: string): [printed: string, said: string][] {
  return table.split(/,\s+/).map((entry) => entry.trim().split(': ') as [string, string]);
}

/** Abbreviations on English labels that mean one thing, whatever is beside them. */
const WORDS = new Map(
  entriesOf(`
    ACCY: Accessory, ADAPT: Adaptive, ALTR: Alternator, ALUM: Aluminum, ANDZD: Anodized,
    ANNV: Anniversary, APPRNCE: Appearance, ASST: Assist, ATK: Atkinson, BATT: Battery,
    BLCK: Black, BLK: Black, BRHT: Bright, BSW: Blackwall, CARPT: Carpet,
    CHRG: Charge, CLSTR: Cluster, CLTH: Cloth, CNCTD: Connected, CNTRL: Control,
    COMPRTS: Compartments, CRPT: Carpet, CTL: Control, CTR: Center, CTRL: Control,
    CYL: Cylinder, DFRST: Defrost, DIAG: Diagonal, DIFFRNTL: Differential, DLR: Dealer,
    DRVR: Driver, DWN: Down, EBNY: Ebony, ECVT: Electronic CVT, ELCTR: Electronic,
    ELECTR: Electronic, ENG: Engine, FLD: Fold, FLR: Floor, FRNT: Front,
    FRT: Front, GRP: Group, HTD: Heated, HV: High-Voltage, HYB: Hybrid,
    ILLUM: Illuminated, INDIV: Individual, INSTR: Instrument, INTELL: Intelligent,
    IP: Instrument Panel, LIGHTNG: Lighting, LNERS: Liners, LNRS: Liners, LART: Lariat, LTD: Limited,
    LTHR: Leather, MCHND: Machined, MET: Metallic, MGMT: Management, MNT: Mount,
    MONIT: Monitoring, MOS: Months, MRRORS: Mirrors, MTHS: Months, PKG: Package,
    PKT: Pocket, PKTS: Pockets, PNTD: Painted, PREM: Premium, PRFM: Performance,
    PROJCTR: Projector, PROJECTN: Projection, PTD: Painted, PWR: Power, RR: Rear,
    SCN: Screen, SCRN: Screen, SPD: Speed, SPKR: Speakers, STD: Standard,
    STRG: Steering, SUSPEN: Suspension, SVC: Service, SYS: System, TOUCHSCRN: Touchscreen,
    TRACTN: Traction, TRANS: Transmission, TRLR: Trailer, VEHCVR: Vehicle Cover, VNYL: Vinyl,
    WHL: Wheel, WHLS: Wheels, WIN: Window, WRPD: Wrapped
  `),
);

/** Abbreviations that mean this only beside other words, as regular expressions. */
const PHRASES = entriesOf(`
    BUMPER / BUMPER: Bumper to Bumper, TINTED CC: Tinted Clearcoat, A/S(?= ): All-Season,
    ALL-SEAS: All-Season, A/T(?= TIRE): All-Terrain,
    ECVT TRANSMISSION: Electronic Continuously Variable Transmission,
    CVT TRANSMISSION: Continuously Variable Transmission, HYBRID ELEC: Hybrid Electric,
    ELEC(?= TEN-| CLIMATE| PWR): Electronic, SPEED AUTO: Speed Automatic, SPD AUTO: Speed Automatic,
    AUTO(?= TRANS): Automatic, CONN(?= PKG): Connectivity, EQUIP(?=:): Equipment,
    EXT AND INT AUTO DIM: Exterior and Interior Auto-Dimming, EXT(?= NCM): Extended-Range,
    LEATHER PERF: Leather Perforated, PKG DIST: Package Discount, HI(?= OUTPUT| GLOSS): High,
    HO(?= ENGINE| TURBO): High-Output, MACH(?= ALUM): Machined, MAN(?= FOLD): Manual, MD(?= DARK): Medium,
    MED(?= SLATE): Medium, STR(?= WH| COLUMN): Steering, STAB(?= BAR): Stabilizer, TER(?= MGMT): Terrain,
    PRESS(?= MONIT): Pressure, DIG(?= INSTR): Digital, AIR COND: Air Conditioning,
    OPEN DIFF: Open Differential, SLIP DIFF: Slip Differential, DRV(?=/): Driver, DR(?=/PASS): Driver,
    DR(?= LOCKS): Door, DRV(?= UNIT): Drive, PEDAL DRV: Pedal Drive, PWR DRV: Power Driver,
    PASS(?= SEAT| WIN): Passenger, SAT(?= RADIO): Satellite, SAT\\.(?= RADIO): Satellite,
    RADIO SUB: Radio Subscription
`).map(
  // oxlint-disable-next-line patterns/linear -- The rule checks regular expressions, and these are words.
  ([printed, said]): [RegExp, string] => [new RegExp(`(?<![\\p{L}\\d])${printed}(?!\\p{L})`, 'giu'), said],
);

/** Units that are glued to their number, and "with". */
const GLUED: [RegExp, string][] = [
  [/(?<![\p{L}\d])W\/O(?=[ \p{L}])/giu, 'without'],
  [/(?<![\p{L}\d])W\/ ?(?=[\p{L}\d"])/giu, 'with '],
  [/(?<![\p{L}\d])INCL\.?(?= W|$)/giu, 'Included'],
  [/(?<![\p{L}\d])INCL(?!\p{L})\.?/giu, 'Including'],
  [/(?<=\d)(?=(?:WHEEL|TOUCH|TIME)(?!\p{L}))/giu, '-'],
  [/(?<=MIN)(?=\d)/giu, ' '],
  [/(?<=\d)D(?= PLAN)/giu, '-Day'],
  [/(?<=\d) MOS(?= TRIAL)/giu, '-Month'],
  [/(?<=\d)GAL(?!\p{L})/giu, '-Gallon'],
  [/(?<=\d)AMP(?!\p{L})/giu, '-Amp'],
  [/(?<=\d)KWH(?!\p{L})/giu, ' kWh'],
  [/(?<=\d)KW(?!\p{L})/giu, ' kW'],
  [/(?<=\d)[ -]?YR(?!\p{L})/giu, '-Year'],
  [/(?<=\d)-MO\.?(?!\p{L})/giu, '-Month'],
  [/(?<=\dG)(?=WI-FI)/giu, ' '],
  [/(?<=PKG)\.(?=\d)/giu, ' '],
  [/(?<=\d)(?=\d{3}#)/g, ','],
  [/(?<=\d)#/g, ' lb'],
];

/** The name with whole words for what is abbreviated on English labels; in capitals if it was. */
function written(name: string): string {
  const inCapitals = isInCapitals(name);
  const say = (said: string): string => (inCapitals ? said.toUpperCase() : said);
  let text = name;
  for (const [printed, said] of [...GLUED, ...PHRASES]) text = text.replace(printed, say(said));
  return text.replace(/(?<![\p{L}\d])(\p{L}+)(?!\p{L})(\.(?=[ )]|$))?/gu, (printed, word: string) => {
    const said = WORDS.get(word.toUpperCase());
    return said === undefined ? printed : say(said);
  });
}

/** What a label prints, as far as names may be cut there. */
export interface PrintedTexts {
  language: string;
  exterior: { color: string } | null;
  interior: string | null;
  engine: string | null;
  transmission: string | null;
  prices: Record<'options' | 'taxes' | 'fees' | 'discounts', readonly PrintedLine[]>;
  standard: readonly { items: readonly string[] }[];
  warranty?: readonly string[] | null;
}

interface PrintedLine {
  name: string;
  children?: readonly string[];
}

/** Labels that cut names do so after 23 to 30 characters. */
const MIN_CUT = 20;
/** More names than this with the same beginning are a list of something, not one name. */
const MAX_LONGER = 10;

const found = new WeakMap<PrintedTexts, Map<string, string>>();

/** A name that ends in the middle of a word, with the rest of the word if the label prints it elsewhere. */
function completed(printed: string, label: PrintedTexts | undefined): string {
  if (!label || printed.length < MIN_CUT) return printed;
  let names = found.get(label);
  if (!names) found.set(label, (names = cutNames(textsOf(label))));
  return names.get(printed) ?? printed;
}

/** Every name on a label that people read. */
export function textsOf(label: PrintedTexts): string[] {
  const { exterior, interior, engine, transmission, prices, standard, warranty } = label;
  const { options, taxes, fees, discounts } = prices;
  return [
    ...[exterior?.color, interior, engine, transmission].filter((text) => typeof text === 'string'),
    ...[...options, ...taxes, ...fees, ...discounts].flatMap(({ name, children = [] }) => [
      name,
      ...children,
    ]),
    ...standard.flatMap(({ items }) => items),
    ...(warranty ?? []),
  ];
}

/** Whole names by cut ones. In order, the longer names with the same beginning follow a name. */
function cutNames(texts: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  const sorted = [...new Set(texts)].filter(({ length }) => length >= MIN_CUT).toSorted();
  sorted.forEach((name, at) => {
    if (!/\p{L}$/u.test(name)) return;
    const longer = sorted.slice(at + 1, at + 2 + MAX_LONGER);
    const end = longer.findIndex((other) => !other.startsWith(name));
    const ends = longer
      .slice(0, end < 0 ? longer.length : end)
      .map((other) => /^\p{L}+/u.exec(other.slice(name.length))?.[0] ?? '');
    const longest = ends.toSorted((one, other) => other.length - one.length)[0] ?? '';
    // A plural is another name, not the rest of this one.
    if (ends.length > MAX_LONGER || /^S?$/i.test(longest)) return;
    if (ends.every((one) => longest.startsWith(one))) names.set(name, name + longest);
  });
  return names;
}
