import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Vehicle } from '@monroney/vin';
import { carName, nameParts, shortName } from './names.ts';

/** A decoded car from its make, model and trim, such as `FORD|F-150|XLT`. */
function decoded(names: string): Vehicle {
  const [make = null, model = null, trim = null] = names.split('|').map((name) => name || null);
  return {
    year: '2025',
    make,
    model,
    trim,
    bodyClass: null,
    driveType: null,
    doors: null,
    engine: { displacement: null, cylinders: null, fuel: null, electrification: null, horsepower: null },
    transmission: null,
    plant: null,
    manufacturer: null,
  };
}

type Row = readonly [decoded: string, line: string, name: string, series?: string];

const RULES: Record<string, readonly Row[]> = {
  'a car has the name that its label prints, in normal case, without a repeated year or make': [
    ['DODGE|Challenger|SRT HELLCAT REDEYE', 'CHALLENGER SRT DEMON 170', 'Dodge Challenger SRT Demon 170'],
    ['ALFA ROMEO|Giulia (952)', 'ALFA ROMEO GIULIA QUADRIFOGLIO', 'Alfa Romeo Giulia Quadrifoglio'],
    ['GMC|Sierra', '2025 SIERRA 1500 4WD CREW CAB AT4X', 'GMC Sierra 1500 AT4X Crew Cab 4WD'],
    ['CADILLAC|XT5', '2025 XT5 FWD PREMIUM LUXURY', 'Cadillac XT5 Premium Luxury FWD'],
    ['CADILLAC|CT5', '2025 CT5-V BLACKWING', 'Cadillac CT5-V Blackwing'],
    ['CADILLAC|Celestiq|Client', '2025 CADILLAC CELESTIQ INVITATIONAL', 'Cadillac Celestiq Invitational'],
    ['GENESIS|GV80', '2025 GV80 AWD 3.5T PRESTIGE', 'Genesis GV80 3.5T Prestige AWD'],
    ['HYUNDAI|Santa Fe', '2025 SANTA FE XRT AWD', 'Hyundai Santa Fe XRT AWD'],
    ['KIA|Telluride|SX', '2025 TELLURIDE SX-PRESTIGE X-PRO V6 AWD', 'Kia Telluride SX-Prestige X-Pro V6 AWD'],
    ['TOYOTA|Tacoma', 'TACOMA TRD OFF ROAD 4X4 DOUBLE CAB', 'Toyota Tacoma TRD Off Road Double Cab 4x4'],
    ['LEXUS|RX', 'RX350 F SPORT AWD', 'Lexus RX350 F Sport AWD'],
    ['JEEP|Wrangler', 'WRANGLER 4-DOOR RUBICON 4XE', 'Jeep Wrangler 4-Door Rubicon 4xe'],
    ['CHRYSLER|300|300S', '300S AWD', 'Chrysler 300S AWD'],
    ['DODGE|Challenger', 'CHALLENGER SXT ALL–WHEEL DRIVE', 'Dodge Challenger SXT AWD'],
    ['CHEVROLET|Corvette|1LT', 'Corvette Stingray Conv 1LT', 'Chevrolet Corvette Stingray 1LT Convertible'],
    ['RAM|1500', 'RAM 1500 BIG HORN QUAD CAB 4X4', 'Ram 1500 Big Horn Quad Cab 4x4'],
  ],
  'words before the model stay there, unless they name a body': [
    ['GENESIS|GV70', '2025 ELECTRIFIED GV70 AWD PRESTIGE', 'Genesis Electrified GV70 Prestige AWD'],
  ],
  'French labels name the car as English ones do': [
    ['CHEVROLET|Camaro', '2025 COUPE CAMARO 1LT', 'Chevrolet Camaro 1LT Coupe'],
    ['RAM|3500', "RAM 3500 TRADESMAN 4X4 A CABINE D'EQUIPE", 'Ram 3500 Tradesman Crew Cab 4x4'],
  ],
  'vPIC supplies what the label doesn’t print: the model, or the trim': [
    ['FORD|Mustang|GT', '2025 GT COUPE PREMIUM', 'Ford Mustang GT Premium Coupe'],
    ['FORD|F-150|XLT', '2025 F-150 4X4 SUPERCREW', 'Ford F-150 XLT SuperCrew 4x4'],
    ['FORD|F-350', 'F350SRW 4X4 SUPER CHAS', 'Ford F-350 SRW SuperCab Chassis 4x4'],
    ['FORD|Transit|Low Roof', '2025 T-250 LR CARGO RWD', 'Ford Transit 250 Low Roof Cargo RWD'],
    ['FORD|Escape', '2025 PLUG-IN HYBRID FWD', 'Ford Escape Plug-in Hybrid FWD'],
  ],
  'the series names the model if the model line doesn’t, and vPIC’s model only if it is the same': [
    [
      'DODGE|Charger|Scat Pack',
      'SWINGER SPECIAL EDITION',
      'Dodge Charger Scat Pack Swinger Special Edition',
      'DODGE CHARGER SCAT PACK',
    ],
    ['DODGE|Challenger|SXT', 'DURANGO R/T AWD', 'Dodge Durango R/T AWD', 'DODGE DURANGO R/T AWD'],
    [
      'CHEVROLET|Silverado 1500',
      '2025 SILVERADO LIMITED 1500 LT 4WD',
      'Chevrolet Silverado Limited 1500 LT 4WD',
    ],
  ],
  'codes that nobody says are left out': [
    ['BUICK|Enclave', '2025 ENCLAVE ESSENCE AWD 1SL', 'Buick Enclave Essence AWD'],
    ['CHEVROLET|Camaro', '2025 CAMARO 1SS COUPE', 'Chevrolet Camaro 1SS Coupe'],
    ['SUBARU|Forester', '2025 SUBARU FORESTER SPORT/RFG', 'Subaru Forester Sport'],
    ['SUBARU|Legacy', '2025 SUBARU LEGACY GT/RUT', 'Subaru Legacy GT'],
    ['SUBARU|Legacy', '2025 LEGACY LIMITED XT/RDH', 'Subaru Legacy Limited XT'],
    ['SUBARU|Legacy', '2025 LEGACY/RAB AWD/RAB', 'Subaru Legacy AWD'],
    // Only Subaru's.
    ['KIA|K5', '2025 K5 GT/SUN', 'Kia K5 GT/Sun'],
  ],
  'small letters are kept: those that vPIC spells so, and those of hybrids and electric cars': [
    ['LEXUS|NX|350h Luxury', 'NX 350H LUXURY AWD', 'Lexus NX 350h Luxury AWD'],
    ['LEXUS|NX', 'NX350H AWD', 'Lexus NX350h AWD'],
    ['LEXUS|NX', 'NX450H+ F SPORT', 'Lexus NX450h+ F Sport'],
    ['LEXUS|TX|500H', 'TX 500H F SPORT', 'Lexus TX 500h F Sport'],
    ['LEXUS|RZ|450e Luxury/Premium', 'RZ 450E PREMIUM', 'Lexus RZ 450e Premium'],
    ['LEXUS|RX|450hL Premium', 'RX 450HL PREMIUM', 'Lexus RX 450hL Premium'],
    ['CHRYSLER|Sebring|LXi/Touring', 'SEBRING LXI', 'Chrysler Sebring LXi'],
    ['CHEVROLET|Silverado', 'SILVERADO 2500HD LT', 'Chevrolet Silverado 2500HD LT'],
  ],
  'GM’s short names of cabs are spelled out, unless they may mean something else': [
    ...(
      [
        ['SILVERADO 1500 4WD CREW LT', 'Silverado 1500 LT Crew Cab 4WD'],
        ['SILVERADO 1500 4WD LT CREW', 'Silverado 1500 LT Crew Cab 4WD'],
        ['SILVERADO 1500 CREW CAB LT', 'Silverado 1500 LT Crew Cab'],
        ['SILVERADO 1500 CC RST', 'Silverado 1500 RST Crew Cab'],
        ['SILVERADO 1500 DBL LT', 'Silverado 1500 LT Double Cab'],
        ['SILVERADO 1500 DBL CAB LT', 'Silverado 1500 LT Double Cab'],
        ['SILVERADO 2500HD REG WT', 'Silverado 2500HD WT Regular Cab'],
        ['SILVERADO 3500HD CC REG CAB', 'Silverado 3500HD CC Regular Cab'],
        ['SILVERADO 5500HD REG CHAS CAB', 'Silverado 5500HD Regular Cab Chassis'],
      ] as const
    ).map(([line, name]): Row => ['CHEVROLET|Silverado', line, `Chevrolet ${name}`]),
    ['FORD|Transit', 'TRANSIT CREW VAN', 'Ford Transit Crew Van'],
  ],
  'lengths are not part of the name': [
    ...[
      '/156" 4X4',
      ' 4X4 156" WB',
      " 145'' 4X4",
      ' 145.5” WB 4X4',
      " 5.5' BOX 4X4",
      ' 5\'7" BOX 4X4',
      ' 6-FT BED 4X4',
      ' 8 FT. BED 4X4',
      ' 84" CA 4X4 WB',
      ' 172 WB 60 CA 4X4',
    ].map((end): Row => {
      const line = `RAM 3500 TRADESMAN CREW CAB${end}`;
      return ['RAM|3500', line, 'Ram 3500 Tradesman Crew Cab 4x4'];
    }),
    ['RAM|3500', 'RAM 3500 CHAS CAB 4X4 84" CA', 'Ram 3500 Chassis Cab 4x4'],
  ],
  'a line that can’t be a name leaves the name to vPIC': [
    '',
    'X'.repeat(81),
    '<b>COMPASS</b>',
    'COMPASS: CALL 555-0100 NOW!',
  ].map((line) => ['JEEP|Compass|Latitude', line, 'Jeep Compass Latitude']),
};

for (const [rule, rows] of Object.entries(RULES))
  test(rule, () => {
    for (const [names, model, name, series = null] of rows)
      assert.equal(
        carName(decoded(names), { make: 'Maker', model, series, year: 2025 }),
        `2025 ${name}`,
        model,
      );
  });

test('the label’s year and make count where vPIC has none', () => {
  assert.equal(carName(null, { make: 'Kia', model: 'TELLURIDE EX', year: 2024 }), '2024 Kia Telluride EX');
  assert.equal(carName({ ...decoded('KIA|Telluride'), year: null }, null), 'Kia Telluride');
});

test('a short name leaves out year and make', () => {
  const printed = { make: 'Ford', model: 'F-150 4X4 SUPERCREW', year: 2025 };
  const parts = nameParts(decoded('FORD|F-150|XLT'), printed);
  assert.deepEqual(parts, { year: '2025', make: 'Ford', model: 'F-150', trim: 'XLT SuperCrew 4x4' });
  assert.equal(shortName(parts), 'F-150 XLT SuperCrew 4x4');
  assert.equal(shortName(nameParts(decoded('FORD'), null)), 'Ford');
});
