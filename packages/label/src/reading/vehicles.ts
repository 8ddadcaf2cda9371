import { hasRightCheckDigit } from '@monroney/vin/check-digit';
import type { Box, Label, LabelText, Line, TextPage } from './types.ts';
import { isUnder } from './line-search.ts';
import { isMoney } from './money.ts';
import { recordPlace } from './reader.ts';

/** Which car a label is of: its pages, its VIN, and the model that it names. */

/**
 * Seventeen characters with a check digit at position 9 and a letter somewhere: seventeen ones are no VIN, although
 * their check digit is right. The last four are always digits.
 */
const VIN_CHARACTERS = /(?=\d{0,16}[A-Z])[A-HJ-NPR-Z0-9]{8}[0-9X][A-HJ-NPR-Z0-9]{4}\d{4}/;
/** A word that looks like a VIN. Barcode fonts print their first and last bar as an `I`. */
const VIN_WORD = new RegExp(`^(VIN)?I?(${VIN_CHARACTERS.source})I?$`);
const NAMED_VIN = new RegExp(`(?:VIN|VEHICLEID(?:ENTIFICATION)?(?:NUMBER|NO))(${VIN_CHARACTERS.source})`);

/**
 * The words that look like a VIN. One is certain if the word `VIN` comes before it or its check digit is right.
 * Words are joined only after the word `VIN`, and only if the check digit is right: on every third Ford label,
 * neighboring numbers joined would look like a VIN.
 */
export function printedVins(spaced: string): { vin: string; certain: boolean }[] {
  const vins: { vin: string; certain: boolean }[] = [];
  let named = false;
  // What follows the word `VIN`, as long as that is no VIN itself.
  let pieces: string | null = null;
  for (const [word] of spaced.toUpperCase().matchAll(/[A-Z0-9\p{Pd}]+/gu)) {
    const bare = word.replace(/[^A-Z0-9]/g, '');
    const [, name, vin] = VIN_WORD.exec(bare) ?? [];
    if (vin) vins.push({ vin, certain: named || name !== undefined || hasRightCheckDigit(vin) });
    pieces = vin || pieces === null ? null : pieces + bare;
    if (pieces !== null && pieces.length >= 17) {
      const joined = pieces.slice(0, 17);
      if (VIN_WORD.test(joined) && hasRightCheckDigit(joined)) vins.push({ vin: joined, certain: true });
      pieces = null;
    }
    named = bare === 'VIN';
    if (named) pieces = '';
  }
  return vins;
}

/** The pages of one vehicle, and which of the file's pages they are. */
interface VehiclePages {
  text: LabelText;
  /** Numbers from 1. */
  pages: number[];
}

/**
 * The pages of one vehicle. In a file with two labels, these are the pages with the requested VIN and no other; null if
 * they can't be told apart.
 */
export function pagesOfVehicle(text: LabelText, vin: string | undefined): VehiclePages | null {
  const all = text.pages.map((page, index) => ({ page, number: index + 1, ...vinsOn(page, vin) }));
  const printed = new Set(all.flatMap(({ certain }) => certain));
  if (vin && all.some(({ own }) => own)) printed.add(vin);
  const written = all.filter(({ page }) => page.items.some((item) => item.text.trim() !== ''));
  if (printed.size === 0 || (printed.size === 1 && written.length < 2)) return selected(text, all);
  const [only] = printed;
  const wanted = vin ?? (printed.size === 1 ? only : undefined);
  const pages = all.filter(
    ({ own, certain }) =>
      (own || certain.includes(wanted ?? '')) && certain.every((other) => other === wanted),
  );
  if (pages.length > 0) return selected(text, pages);
  return printed.size === 1 ? selected(text, all) : null;
}

function selected(text: LabelText, parts: { page: TextPage; number: number }[]): VehiclePages {
  const [first, ...others] = parts.filter(({ page }) => page.items.length > 0);
  // A label that is printed twice is read once.
  const repeated = others.filter(({ page }) => isCopy(page, first!.page));
  const once = parts.filter((part) => !repeated.includes(part));
  return {
    text: { ...text, pages: once.map(({ page }) => page) },
    pages: once.map(({ number }) => number),
  };
}

/** Copies of a label may differ in a few runs, such as the time of printing. */
const MIN_COMMON_SHARE = 0.95;

function isCopy(page: TextPage, original: TextPage): boolean {
  const runs = new Set(original.items.map(({ text }) => text));
  const common = page.items.filter(({ text }) => runs.has(text)).length;
  const [fewer, more] = [page.items.length, original.items.length].toSorted((one, other) => one - other);
  return (
    common >= MIN_COMMON_SHARE * page.items.length &&
    fewer! >= MIN_COMMON_SHARE * more! &&
    moneyOn(page) === moneyOn(original)
  );
}

/** A label that was issued again with other prices is no copy. */
const moneyOn = (page: TextPage): string =>
  page.items
    .flatMap(({ text }) => (/\d[.,]\d/.test(text) ? [text] : []))
    .toSorted()
    .join();

function vinsOn(page: TextPage, vin: string | undefined): { certain: string[]; own: boolean } {
  const spaced = page.items
    .map((item) => item.text)
    .join(' ')
    .replace(/\s+/g, ' ');
  const certain = printedVins(spaced).flatMap((found) => (found.certain ? [found.vin] : []));
  const squeezed = spaced.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
  return { certain, own: vin !== undefined && squeezed.includes(vin) };
}

/** Maps the boxes of a reading to the file's own pages and rotation. */
export function mapBoxesToFile(label: Label, { text, pages }: VehiclePages): void {
  if (pages.every((number, index) => number === index + 1) && !text.pages.some((page) => page.turn)) return;
  const moved = (box: Box): Box => {
    const page = text.pages[box.page - 1];
    const number = pages[box.page - 1] ?? box.page;
    return { ...(page ? turned(box, page) : box), page: number };
  };
  for (const [path, box] of Object.entries(label.places)) label.places[path] = moved(box);
  for (const list of ['options', 'discounts', 'taxes', 'fees'] as const)
    for (const line of label.prices[list]) if (line.at) line.at = moved(line.at);
}

/** Maps a box from the upright page to the page as displayed. */
function turned(box: Box, { turn, width: across, height: down }: TextPage): Box {
  const { x, y, width, height } = box;
  const round = (points: number): number => Math.round(points * 10) / 10;
  const sides = { width: height, height: width };
  if (turn === 90) return { ...box, ...sides, x: round(down - y - height), y: x };
  if (turn === 180) return { ...box, x: round(across - x - width), y: round(down - y - height) };
  if (turn === 270) return { ...box, ...sides, x: y, y: round(across - x - width) };
  return box;
}

/**
 * The VIN printed on a label. It may contain dashes and have barcode letters around it (`1C6–SRFFT1TN–270078`), so all
 * other characters are removed first. Without the word `VIN` before it, only the check digit identifies it.
 */
export function printedVin(lines: Line[], expected?: string): string | null {
  const alphanumeric = lines.map((line) => line.text.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''));
  if (expected && alphanumeric.some((text) => text.includes(expected))) return expected;
  for (const text of alphanumeric) {
    const named = NAMED_VIN.exec(text)?.[1];
    if (named) return named;
  }
  // Single words first, because serial numbers side by side may look like a VIN.
  for (const line of lines) {
    for (const [word] of line.text.toUpperCase().matchAll(/[A-Z0-9\p{Pd}]+/gu)) {
      const vin = VIN_WORD.exec(word.replaceAll(/[^A-Z0-9]/g, ''))?.[2];
      if (vin && hasRightCheckDigit(vin)) return vin;
    }
  }
  for (const text of alphanumeric) {
    for (let from = 0; from + 17 <= text.length; from++) {
      const run = text.slice(from, from + 17);
      if (VIN_CHARACTERS.test(run) && hasRightCheckDigit(run)) return run;
    }
  }
  return null;
}

/** True for cars built in the USA, Canada or Mexico. Those from Australia and South America have a digit too. */
export function isNorthAmerican(vin: string | null | undefined): boolean {
  return /^[1-57]/.test(vin ?? '');
}

/**
 * The names of models where the label prints them in one line with the trim. A model that isn't listed has no nameplate:
 * nothing else tells where its name ends.
 */
const NAMEPLATES: Record<string, string> = {
  'Alfa Romeo': '4C SPIDER,4C,GIULIA,STELVIO,TONALE',
  Buick:
    'CASCADA,ENCLAVE,ENCORE GX,ENCORE,ENVISION,ENVISTA,LACROSSE,LUCERNE,REGAL SPORTBACK,REGAL TOURX,REGAL,VERANO',
  Cadillac:
    'ATS-V,ATS,CELESTIQ,CT4-V,CT4,CT5-V,CT5,CT6-V,CT6,CTS-V,CTS,ELR,ESCALADE ESV,ESCALADE EXT,ESCALADE IQL,ESCALADE IQ,ESCALADE-V,ESCALADE,LYRIQ-V,LYRIQ,OPTIQ-V,OPTIQ,SRX,VISTIQ,XT4,XT5,XT6,XTS',
  Chevrolet:
    'AVALANCHE,BLAZER EV,BLAZER,BOLT EUV,BOLT EV,BOLT,BRIGHTDROP 400,BRIGHTDROP 600,BRIGHTDROP,CAMARO,CAPRICE,CITY EXPRESS,COLORADO,CORVETTE,CRUZE,EQUINOX EV,EQUINOX,EXPRESS 2500,EXPRESS 3500,EXPRESS,IMPALA,MALIBU,SILVERADO EV,SILVERADO 1500 LTD,SILVERADO 1500 LD,SILVERADO 1500,SILVERADO 2500HD,SILVERADO 2500 HD,SILVERADO 2500,SILVERADO 3500HD,SILVERADO 3500 HD,SILVERADO 3500,SILVERADO 4500HD,SILVERADO 5500HD,SILVERADO 6500HD,SILVERADO,SONIC,SPARK EV,SPARK,SS,SUBURBAN,TAHOE,TRAILBLAZER,TRAVERSE LIMITED,TRAVERSE,TRAX,VOLT',
  Chrysler:
    '200C,200S,200,300C,300S,300,ASPEN,CROSSFIRE,GRAND CARAVAN,PACIFICA,PT CRUISER,SEBRING,TOWN & COUNTRY,VOYAGER',
  Dodge:
    'AVENGER,CALIBER,CHALLENGER,CHARGER,DAKOTA,DART,DURANGO,GRAND CARAVAN,HORNET,JOURNEY,MAGNUM,NITRO,VIPER',
  Fiat: '124 SPIDER,500 ABARTH,500C,500E,500L,500X,500',
  Genesis:
    'ELECTRIFIED G80,ELECTRIFIED GV70,EQUUS,G70,G80,G90,GENESIS COUPE,GENESIS,GV60,GV70,GV80 COUPE,GV80',
  GMC: 'ACADIA LIMITED,ACADIA,CANYON,HUMMER EV,SAVANA 2500,SAVANA 3500,SAVANA,SIERRA EV,SIERRA 1500 LIMITED,SIERRA 1500,SIERRA 2500HD,SIERRA 2500 HD,SIERRA 2500,SIERRA 3500HD,SIERRA 3500 HD,SIERRA 3500,SIERRA,TERRAIN,YUKON XL,YUKON',
  Hyundai:
    'ACCENT,AZERA,ELANTRA GT,ELANTRA,EQUUS,GENESIS COUPE,GENESIS,IONIQ 5,IONIQ 6,IONIQ 9,IONIQ,KONA,NEXO,PALISADE,SANTA CRUZ,SANTA FE SPORT,SANTA FE XL,SANTA FE,SONATA,TUCSON,VELOSTER,VENUE,VERACRUZ',
  Jeep: 'CHEROKEE,COMMANDER,COMPASS,GLADIATOR,GRAND CHEROKEE L,GRAND CHEROKEE WK,GRAND CHEROKEE,GRAND WAGONEER L,GRAND WAGONEER,LIBERTY,PATRIOT,RECON,RENEGADE,WAGONEER L,WAGONEER S,WAGONEER,WRANGLER UNLIMITED,WRANGLER JK UNLIMITED,WRANGLER JK,WRANGLER',
  Kia: 'BORREGO,CADENZA,CARNIVAL,EV3,EV4,EV6,EV9,FORTE KOUP,FORTE5,FORTE,K4,K5,K900,NIRO,OPTIMA,RIO,SEDONA,SELTOS,SORENTO,SOUL,SPORTAGE,STINGER,TELLURIDE',
  Lexus: 'CT,ES,GS F,GS,GX,HS,IS F,IS,LC,LFA,LM,LS,LX,NX,RC F,RC,RX,RZ,TX,UX',
  Ram: 'RAM 1500 CLASSIC,RAM 1500 REV,RAM 1500,RAM 2500,RAM 3500,RAM 4500,RAM 5500,1500 CLASSIC,1500,2500,3500,4500,5500,C/V TRADESMAN,DAKOTA,PROMASTER 1500,PROMASTER 2500,PROMASTER 3500,PROMASTER CITY,PROMASTER EV,PROMASTER RAPID,PROMASTER',
  Subaru:
    'ASCENT,B9 TRIBECA,BAJA,BRZ,CROSSTREK,FORESTER,IMPREZA,LEGACY,OUTBACK,SOLTERRA,TRAILSEEKER,TRIBECA,UNCHARTED,WRX STI,WRX,XV CROSSTREK',
  Toyota:
    '4RUNNER,86,AVALON,BZ,BZ4X,C-HR,CAMRY,COROLLA CROSS,COROLLA HATCHBACK,COROLLA IM,COROLLA,CROWN SIGNIA,CROWN,ECHO,FJ CRUISER,GR COROLLA,GR SUPRA,GR86,GRAND HIGHLANDER,HIGHLANDER,LAND CRUISER,MATRIX,MIRAI,PRIUS C,PRIUS PRIME,PRIUS V,PRIUS,RAV4 PRIME,RAV4,SEQUOIA,SIENNA,SUPRA,TACOMA,TUNDRA,VENZA,YARIS IA,YARIS',
};

/** Editions that are named instead of their model: `SWINGER SPECIAL EDITION`. */
const EDITION = /^(\S+(?: \S+)?) SPECIAL EDITION$/i;

/** The name of the model in a line that names the trim too, as printed there. */
export function nameplateIn(description: string, make: string): string | null {
  const printed = ` ${description} `.toUpperCase();
  let best: { at: number; length: number } | null = null;
  for (const name of NAMEPLATES[make]?.split(',') ?? []) {
    const at = printed.indexOf(` ${name} `);
    // The first, and of two that begin alike the longer.
    if (at >= 0 && (!best || at < best.at || (at === best.at && name.length > best.length)))
      best = { at, length: name.length };
  }
  if (best) return description.slice(best.at, best.at + best.length);
  return EDITION.exec(description)?.[1] ?? null;
}

/** `2025 GT COUPE` as `GT COUPE`. */
const withoutYear = (description: string): string =>
  description.replace(/^(?:19|20)\d{2}(?:\s+|$)(?:MODEL YEAR\s+)?/i, '').trim();

/** Nameplate and description, the nameplate once, without the model year. */
export function modelOf(nameplate: string | null, description: string): string {
  const rest = withoutYear(description);
  if (!nameplate || ` ${rest} `.toUpperCase().includes(` ${nameplate.toUpperCase()} `)) return rest;
  return `${nameplate} ${rest}`.trim();
}

/** Model and nameplate from a line or two that name both. */
export function readModelLine(label: Label, description: string, lines: readonly Line[]): void {
  const model = withoutYear(description);
  if (model === '') return;
  label.model = model;
  label.nameplate = nameplateIn(model, label.make);
  recordPlace(label, 'model', ...lines);
  const name = label.nameplate?.split(' ')[0];
  if (name)
    recordPlace(
      label,
      'nameplate',
      lines.find(({ text }) => text.includes(name)),
    );
}

/** Year and model from the title, which may continue in one or two lines of capitals below it. */
export function readTitle(label: Label, lines: Line[]): void {
  const first = titleLine(lines);
  if (!first) return;
  const index = lines.indexOf(first);
  const title = [first];
  const candidates = first.positioned ? lines : lines.slice(index + 1, index + 3);
  for (let count = 0; count < 2; count++) {
    const last = title.at(-1)!;
    const next = candidates.find((line) => !title.includes(line) && continues(last, line));
    if (!next || (!next.positioned && candidates.indexOf(next) !== count)) break;
    title.push(next);
  }
  readModelLine(label, title.map(({ text }) => text).join(' '), title);
  label.year = Number(first.text.slice(0, 4));
}

/** True if `next` is a line of the same title, and not a fact or heading. */
function continues(line: Line, next: Line): boolean {
  if (isMoney(next.text)) return false;
  if (!/^[A-Z0-9][A-Z0-9 ./-]*$/.test(next.text) || /FEATURES|EXPERIENCE|GOVERNMENT|^VIN\b/.test(next.text))
    return false;
  if (!next.positioned) return true;
  return (
    isUnder(next, line) &&
    Math.abs(next.size - line.size) < 0.1 * line.size &&
    next.y - line.y < 2 * line.size
  );
}

/** The title begins with the model year. Awards and remarks may too, but the title is in the largest type. */
function titleLine(lines: Line[]): Line | undefined {
  let title: Line | undefined;
  for (const line of lines)
    if (/^20\d{2} [A-Z0-9]/.test(line.text) && (!title || (line.positioned && line.size > title.size)))
      title = line;
  return title;
}
