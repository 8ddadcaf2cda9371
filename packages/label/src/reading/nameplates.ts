import type { Line } from './lines.ts';
import { recordPlace } from './reader.ts';
import type { Label } from './types.ts';

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
