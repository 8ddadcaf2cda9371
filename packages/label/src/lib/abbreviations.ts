import { isInCapitals } from './letter-case.ts';

/** Abbreviations on English labels that mean one thing, whatever is beside them. */
const WORDS = new Map(
  `
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
  `
    .split(',')
    .map((entry) => entry.trim().split(': ') as [string, string]),
);

/** Abbreviations that mean this only beside other words. */
const PHRASES: [printed: RegExp, said: string][] = [
  [/(?<![\p{L}\d])BUMPER \/ BUMPER(?!\p{L})/giu, 'Bumper to Bumper'],
  [/(?<![\p{L}\d])TINTED CC(?!\p{L})/giu, 'Tinted Clearcoat'],
  [/(?<![\p{L}\d])A\/S(?= )/giu, 'All-Season'],
  [/(?<![\p{L}\d])ALL-SEAS(?!\p{L})/giu, 'All-Season'],
  [/(?<![\p{L}\d])A\/T(?= TIRE)/giu, 'All-Terrain'],
  [/(?<![\p{L}\d])ECVT TRANSMISSION(?!\p{L})/giu, 'Electronic Continuously Variable Transmission'],
  [/(?<![\p{L}\d])CVT TRANSMISSION(?!\p{L})/giu, 'Continuously Variable Transmission'],
  [/(?<![\p{L}\d])HYBRID ELEC(?!\p{L})/giu, 'Hybrid Electric'],
  [/(?<![\p{L}\d])ELEC(?= TEN-)/giu, 'Electronic'],
  [/(?<![\p{L}\d])ELEC(?= CLIMATE)/giu, 'Electronic'],
  [/(?<![\p{L}\d])ELEC(?= PWR)/giu, 'Electronic'],
  [/(?<![\p{L}\d])SPEED AUTO(?!\p{L})/giu, 'Speed Automatic'],
  [/(?<![\p{L}\d])SPD AUTO(?!\p{L})/giu, 'Speed Automatic'],
  [/(?<![\p{L}\d])AUTO(?= TRANS)/giu, 'Automatic'],
  [/(?<![\p{L}\d])CONN(?= PKG)/giu, 'Connectivity'],
  [/(?<![\p{L}\d])EQUIP(?=:)/giu, 'Equipment'],
  [/(?<![\p{L}\d])EXT AND INT AUTO DIM(?!\p{L})/giu, 'Exterior and Interior Auto-Dimming'],
  [/(?<![\p{L}\d])EXT(?= NCM)/giu, 'Extended-Range'],
  [/(?<![\p{L}\d])LEATHER PERF(?!\p{L})/giu, 'Leather Perforated'],
  [/(?<![\p{L}\d])PKG DIST(?!\p{L})/giu, 'Package Discount'],
  [/(?<![\p{L}\d])HI(?= OUTPUT)/giu, 'High'],
  [/(?<![\p{L}\d])HI(?= GLOSS)/giu, 'High'],
  [/(?<![\p{L}\d])HO(?= ENGINE)/giu, 'High-Output'],
  [/(?<![\p{L}\d])HO(?= TURBO)/giu, 'High-Output'],
  [/(?<![\p{L}\d])MACH(?= ALUM)/giu, 'Machined'],
  [/(?<![\p{L}\d])MAN(?= FOLD)/giu, 'Manual'],
  [/(?<![\p{L}\d])MD(?= DARK)/giu, 'Medium'],
  [/(?<![\p{L}\d])MED(?= SLATE)/giu, 'Medium'],
  [/(?<![\p{L}\d])STR(?= WH)/giu, 'Steering'],
  [/(?<![\p{L}\d])STR(?= COLUMN)/giu, 'Steering'],
  [/(?<![\p{L}\d])STAB(?= BAR)/giu, 'Stabilizer'],
  [/(?<![\p{L}\d])TER(?= MGMT)/giu, 'Terrain'],
  [/(?<![\p{L}\d])PRESS(?= MONIT)/giu, 'Pressure'],
  [/(?<![\p{L}\d])DIG(?= INSTR)/giu, 'Digital'],
  [/(?<![\p{L}\d])AIR COND(?!\p{L})/giu, 'Air Conditioning'],
  [/(?<![\p{L}\d])OPEN DIFF(?!\p{L})/giu, 'Open Differential'],
  [/(?<![\p{L}\d])SLIP DIFF(?!\p{L})/giu, 'Slip Differential'],
  [/(?<![\p{L}\d])DRV(?=\/)/giu, 'Driver'],
  [/(?<![\p{L}\d])DR(?=\/PASS)/giu, 'Driver'],
  [/(?<![\p{L}\d])DR(?= LOCKS)/giu, 'Door'],
  [/(?<![\p{L}\d])DRV(?= UNIT)/giu, 'Drive'],
  [/(?<![\p{L}\d])PEDAL DRV(?!\p{L})/giu, 'Pedal Drive'],
  [/(?<![\p{L}\d])PWR DRV(?!\p{L})/giu, 'Power Driver'],
  [/(?<![\p{L}\d])PASS(?= SEAT)/giu, 'Passenger'],
  [/(?<![\p{L}\d])PASS(?= WIN)/giu, 'Passenger'],
  [/(?<![\p{L}\d])SAT(?= RADIO)/giu, 'Satellite'],
  [/(?<![\p{L}\d])SAT\.(?= RADIO)/giu, 'Satellite'],
  [/(?<![\p{L}\d])RADIO SUB(?!\p{L})/giu, 'Radio Subscription'],
];

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
export function written(name: string): string {
  const inCapitals = isInCapitals(name);
  const say = (said: string): string => (inCapitals ? said.toUpperCase() : said);
  let text = name;
  for (const [printed, said] of [...GLUED, ...PHRASES]) text = text.replace(printed, say(said));
  return text.replace(/(?<![\p{L}\d])(\p{L}+)(?!\p{L})(\.(?=[ )]|$))?/gu, (printed, word: string) => {
    const said = WORDS.get(word.toUpperCase());
    return said === undefined ? printed : say(said);
  });
}
