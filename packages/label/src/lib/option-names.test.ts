import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankLabel } from '../reading/reader.ts';
import type { Label } from '../reading/types.ts';
import { optionName, paintName, placeName } from './option-names.ts';

test('names in capitals are written as people write them', () => {
  const cases = {
    'TRACK DAY PACKAGE:': 'Track Day Package',
    'FRONT LICENSE PLATE BRACKET': 'Front License Plate Bracket',
    '3.5L V6 ECOBOOST ENGINE W/ AUTO START-STOP': '3.5L V6 EcoBoost Engine with Auto Start-Stop',
    'LED HEADLAMPS AND USB PORTS': 'LED Headlamps and USB Ports',
    'XLT EQUIPMENT GROUP 302A': 'XLT Equipment Group 302A',
    'ROUES DE 20 PO EN ALUMINIUM': 'Roues De 20 Po En Aluminium',
    'Trailer–Tow Package': 'Trailer-Tow Package',
    '8–SPEED TRANSMISSION, 2021–2023': '8-Speed Transmission, 2021–2023',
    'MATS W/O CARPET AND/OR KEY': 'Mats without Carpet and/or Key',
    'HEADLAMPS (ON/OFF)': 'Headlamps (On/Off)',
    'LART PREM BLCK PKG DIST': 'Lariat Premium Black Package Discount',
    'HTD STD SEATS WITH BSW AND GVWR PKG': 'Heated Standard Seats with Blackwall and GVWR Package',
    '255/65R18 A/S BSW TIRES': '255/65R18 All-Season Blackwall Tires',
    'CLASS III RECEIVER HITCH': 'Class III Receiver Hitch',
    'SIRIUSXM® W/ APPLE CARPLAY™': 'SiriusXM® with Apple CarPlay™',
    'FORD COPILOT360 ASSIST+ (REMOVED)': 'Ford CoPilot360 Assist+ (Removed)',
    '6.2L V8 DI ENGINE': '6.2L V8 DI Engine',
    '60TH ANNIVERSARY PACKAGE, 2ND ROW': '60th Anniversary Package, 2nd Row',
    'B&O SOUND SYSTEM,12 SPKR - N/A AK&HI': 'B&O Sound System, 12 Speakers - N/A AK&HI',
    '265/35R20 W-RATED TIRE W/LOCK': '265/35R20 W-Rated Tire with Lock',
    'FORD CO-PILOT360™': 'Ford Co-Pilot360™',
    'ONSTAR(R) SERVICES, BREMBO(R)4-PISTON BRAKES': 'OnStar® Services, Brembo®4-Piston Brakes',
    'UCONNECT(MD)5 ET ANDROID AUTO(MC)': 'Uconnect®5 Et Android Auto™',
    'SMART CHARGING USB PORT(2), EQUIPMENT PKG.608A': 'Smart Charging USB Port (2), Equipment Package 608A',
    '4G LTE WI-FI (R) HOTSPOT, SEE ONSTAR.COM/TERMS': '4G LTE Wi-Fi® Hotspot, See onstar.com/terms',
    'BUILT-IN APPS, IN-VEHICLE, BUMPER-TO-BUMPER': 'Built-in Apps, In-Vehicle, Bumper-to-Bumper',
    'TER MGMT W/G.O.A.T. MODES® BY 3.5L V6': 'Terrain Management with G.O.A.T. Modes® by 3.5L V6',
    "Driver's Knee Airbag, 5.5' BOX": "Driver’s Knee Airbag, 5.5' BOX",
    "SYSTEME D'ALERTE": 'Systeme D’alerte',
    GT: 'GT',
    ':': ':',
  };
  for (const [printed, name] of Object.entries(cases)) assert.equal(optionName(printed), name);
});

test('a state after a city keeps its capitals', () => {
  assert.equal(placeName('BOWLING GREEN, KY U.S.A.'), 'Bowling Green, KY U.S.A.');
  assert.equal(placeName('CHICAGO, IL'), 'Chicago, IL');
  assert.equal(placeName('DETROIT, MICHIGAN, U.S.A.'), 'Detroit, Michigan, U.S.A.');
  assert.equal(placeName('STERLING HTS, MICH., U.S.A.'), 'Sterling Hts, Mich., U.S.A.');
  assert.equal(placeName('Ulsan, Korea'), 'Ulsan, Korea');
  assert.equal(placeName('STE-THÉRÈSE, QUÉBEC'), 'Ste-Thérèse, Québec');
});

test('colons at the end of a name are left out, unless there is nothing else', () => {
  assert.equal(optionName('Tow Package : :\n'), 'Tow Package');
  assert.equal(optionName('::'), '::');
});

test('abbreviations are written out, and punctuation that labels misplace is in its place', () => {
  const cases = {
    'ECVT TRANSMISSION': 'Electronic Continuously Variable Transmission',
    'RAPID RED MET TINTED CC': 'Rapid Red Metallic Tinted Clearcoat',
    'CREAMY WHITE(WC9) Paint': 'Creamy White (WC9) Paint',
    'R/T SCAT PACK 6.4L HEMI V8 Package 24G': 'R/T Scat Pack 6.4L HEMI V8 Package 24G',
    '3.6L V6 24V VVT Engine with ESS': '3.6L V6 24V VVT Engine with ESS',
    'ELEC TEN-SPEED AUTO TRANS': 'Electronic Ten-Speed Automatic Transmission',
    'TRANSMISSION,10-SPD AUTOMATIC': '10-Speed Automatic Transmission',
    'TRANSMISSION,10-SPD AUTOMATIC W/REMOTE START': 'Transmission, 10-Speed Automatic with Remote Start',
    'ENGINE, 6.2L V8 DI': '6.2L V8 DI Engine',
    'ENGINE, NONE': 'Engine, None',
    '88KWH USABLE EXT NCM BATT': '88 kWh Usable Extended-Range NCM Battery',
    '10600# GVWR PACKAGE': '10,600 lb GVWR Package',
    'EXTENDED RANGE 36GAL FUEL TANK': 'Extended Range 36-Gallon Fuel Tank',
    '*** GAS GUZZLER TAX ***': 'Gas Guzzler Tax',
    'BEDLINER-PLASTIC DROP-IN *ACCY': 'Bedliner-Plastic Drop-in Accessory',
    '3YR/36,000 BUMPER / BUMPER': '3-Year/36,000 Bumper to Bumper',
    '4 YEAR / 50,000 MILE* LIMITED WARRANTY': '4 Year / 50,000 Mile Limited Warranty',
    'BLUECRUISE EQUIP:1YR+90D PLAN': 'BlueCruise Equipment: 1-Year + 90-Day Plan',
    'CONN PKG: 1 YR INCL W/FORD APP': 'Connectivity Package: 1-Year Included with Ford App',
    'SEAT, DRIVER 12-WAY INCL LUMBAR': 'Seat, Driver 12-Way Including Lumbar',
    'FAST CHARGING ADAPTER(NACS)': 'Fast Charging Adapter (NACS)',
    'ILLUMINATION PACKAGE (DEALER INSTALLED - PCI)': 'Illumination Package (Dealer Installed - PCI)',
    'REAR A & C USB PORTS, STYLE A': 'Rear A & C USB Ports, Style A',
    'DECOR , SEATBACKS': 'Decor, Seatbacks',
    'DOORS, SOFT- CLOSE': 'Doors, Soft-Close',
    'NAVY PIER -MED SLATE TRIM': 'Navy Pier - Medium Slate Trim',
    'WHISPER BEIGE/ GIDEON': 'Whisper Beige/Gideon',
    '12"LCD CTR STACK': '12" LCD Center Stack',
    'FORD CO-PILOT360™ACTIVE2.0': 'Ford Co-Pilot360™ ACTIVE2.0',
    '20-Inch Forged Alum Whls w/Pkg. Pockets': '20-Inch Forged Aluminum Wheels with Package Pockets',
    'CHALLENGER STRIPE': 'Challenger Stripe',
  };
  for (const [printed, name] of Object.entries(cases)) assert.equal(optionName(printed), name);
});

const labelOf = (overrides: Partial<Label>): Label => ({ ...blankLabel('Ford'), ...overrides });

test('what is abbreviated on a French label stays so', () => {
  const french = labelOf({ language: 'fr' });
  assert.equal(optionName('SYS DE FREINS PWR', french), 'Sys De Freins Pwr');
});

test('a cut name takes the rest of its last word from another place on the label', () => {
  const option = (name: string, children: string[] = []) => ({ name, price: null, children });
  const label = labelOf({
    exterior: { color: 'STAR WHITE METALLIC TRI-CO', code: null },
    transmission: 'HYBRID ELEC 10-SPD AUTO TRA',
  });
  label.prices.options = [
    option('STAR WHITE METALLIC TRI-COAT PAINT'),
    option('STAR WHITE METALLIC TRI-COA'),
    option('HYBRID ELEC 10-SPD AUTO TRANS'),
    option('EXTENDED RANGE 36GAL FUEL TAN'),
    option('LEATHER-TRIMMED BUCKET SEAT', ['LEATHER-TRIMMED BUCKET SEATS']),
    option('INTEGRATED TRAILER BRAKE CO', [
      'INTEGRATED TRAILER BRAKE CONTROL',
      'INTEGRATED TRAILER BRAKE COVER',
    ]),
  ];
  assert.equal(paintName(label.exterior!.color, label), 'Star White Metallic Tri-Coat');
  assert.equal(optionName('STAR WHITE METALLIC TRI-COA', label), 'Star White Metallic Tri-Coat');
  assert.equal(optionName(label.transmission!, label), 'Hybrid Electric 10-Speed Automatic Transmission');
  // Nowhere else, only as a plural, and in two ways.
  assert.equal(optionName('EXTENDED RANGE 36GAL FUEL TAN', label), 'Extended Range 36-Gallon Fuel Tan');
  assert.equal(optionName('LEATHER-TRIMMED BUCKET SEAT', label), 'Leather-Trimmed Bucket Seat');
  assert.equal(optionName('INTEGRATED TRAILER BRAKE CO', label), 'Integrated Trailer Brake Co');
  assert.equal(optionName('STAR WHITE METALLIC TRI-CO'), 'Star White Metallic Tri-Co');
});
