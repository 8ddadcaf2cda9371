import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Vehicle } from '@monroney/vin';
import { carName, nameParts, shortName } from './names.ts';

const decoded = (make: string, model: string | null, trim: string | null = null): Vehicle => ({
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
});

function named(vehicle: Vehicle | null, model: string | null, series: string | null = null): string | null {
  return carName(vehicle, { make: 'Maker', model, series, year: 2025 });
}

test('a car has the name that its label prints, in normal case, without a repeated year or make', () => {
  const cases: [Vehicle, string, string][] = [
    [
      decoded('DODGE', 'Challenger', 'SRT HELLCAT REDEYE'),
      'CHALLENGER SRT DEMON 170',
      'Dodge Challenger SRT Demon 170',
    ],
    [
      decoded('ALFA ROMEO', 'Giulia (952)'),
      'ALFA ROMEO GIULIA QUADRIFOGLIO',
      'Alfa Romeo Giulia Quadrifoglio',
    ],
    [decoded('GMC', 'Sierra'), '2025 SIERRA 1500 4WD CREW CAB AT4X', 'GMC Sierra 1500 AT4X Crew Cab 4WD'],
    [decoded('CADILLAC', 'XT5'), '2025 XT5 FWD PREMIUM LUXURY', 'Cadillac XT5 Premium Luxury FWD'],
    [decoded('CADILLAC', 'CT5'), '2025 CT5-V BLACKWING', 'Cadillac CT5-V Blackwing'],
    [
      decoded('CADILLAC', 'Celestiq', 'Client Commissioned'),
      '2025 CADILLAC CELESTIQ INVITATIONAL',
      'Cadillac Celestiq Invitational',
    ],
    [decoded('GENESIS', 'GV80'), '2025 GV80 AWD 3.5T PRESTIGE', 'Genesis GV80 3.5T Prestige AWD'],
    [decoded('HYUNDAI', 'Santa Fe'), '2025 SANTA FE XRT AWD', 'Hyundai Santa Fe XRT AWD'],
    [
      decoded('KIA', 'Telluride', 'SX, SX X-LINE'),
      '2025 TELLURIDE SX-PRESTIGE X-PRO V6 AWD',
      'Kia Telluride SX-Prestige X-Pro V6 AWD',
    ],
    [
      decoded('TOYOTA', 'Tacoma'),
      'TACOMA TRD OFF ROAD 4X4 DOUBLE CAB',
      'Toyota Tacoma TRD Off Road Double Cab 4x4',
    ],
    [decoded('LEXUS', 'RX'), 'RX350 F SPORT AWD', 'Lexus RX350 F Sport AWD'],
    [decoded('JEEP', 'Wrangler'), 'WRANGLER 4-DOOR RUBICON 4XE', 'Jeep Wrangler 4-Door Rubicon 4xe'],
    [decoded('CHRYSLER', '300', '300S'), '300S AWD', 'Chrysler 300S AWD'],
    [decoded('DODGE', 'Challenger'), 'CHALLENGER SXT ALL–WHEEL DRIVE', 'Dodge Challenger SXT AWD'],
    [
      decoded('CHEVROLET', 'Corvette', 'Standard 1LT'),
      'Corvette Stingray Conv 1LT',
      'Chevrolet Corvette Stingray 1LT Convertible',
    ],
    [decoded('RAM', '1500'), 'RAM 1500 BIG HORN QUAD CAB 4X4', 'Ram 1500 Big Horn Quad Cab 4x4'],
  ];
  for (const [vehicle, line, name] of cases) assert.equal(named(vehicle, line), `2025 ${name}`, line);
});

test('words before the model stay there, unless they name a body', () => {
  const line = '2025 ELECTRIFIED GV70 AWD PRESTIGE';
  assert.equal(named(decoded('GENESIS', 'GV70'), line), '2025 Genesis Electrified GV70 Prestige AWD');
});

test('French labels name the car as English ones do', () => {
  assert.equal(
    named(decoded('CHEVROLET', 'Camaro'), '2025 COUPE CAMARO 1LT'),
    '2025 Chevrolet Camaro 1LT Coupe',
  );
  const ram = named(decoded('RAM', '3500'), "RAM 3500 TRADESMAN 4X4 A CABINE D'EQUIPE");
  assert.equal(ram, '2025 Ram 3500 Tradesman Crew Cab 4x4');
});

test('vPIC supplies what the label doesn’t print: the model, or the trim', () => {
  const mustang = decoded('FORD', 'Mustang', 'GT');
  assert.equal(named(mustang, '2025 GT COUPE PREMIUM'), '2025 Ford Mustang GT Premium Coupe');
  const f150 = decoded('FORD', 'F-150', 'XLT');
  assert.equal(named(f150, '2025 F-150 4X4 SUPERCREW'), '2025 Ford F-150 XLT SuperCrew 4x4');
  const f350 = decoded('FORD', 'F-350');
  assert.equal(named(f350, 'F350SRW 4X4 SUPER CHAS'), '2025 Ford F-350 SRW SuperCab Chassis 4x4');
  const transit = decoded('FORD', 'Transit', 'Low Roof');
  assert.equal(named(transit, '2025 T-250 LR CARGO RWD'), '2025 Ford Transit 250 Low Roof Cargo RWD');
});

test('the series names the model if the model line doesn’t', () => {
  assert.equal(
    named(decoded('DODGE', 'Charger', 'Scat Pack'), 'SWINGER SPECIAL EDITION', 'DODGE CHARGER SCAT PACK'),
    '2025 Dodge Charger Scat Pack Swinger Special Edition',
  );
});

test('a label of another model isn’t named after vPIC’s model', () => {
  assert.equal(
    named(decoded('DODGE', 'Challenger', 'SXT'), 'DURANGO R/T AWD', 'DODGE DURANGO R/T AWD'),
    '2025 Dodge Durango R/T AWD',
  );
});

test('a model that the label names in another way than vPIC isn’t named twice', () => {
  assert.equal(
    named(decoded('CHEVROLET', 'Silverado 1500'), '2025 SILVERADO LIMITED 1500 LT 4WD'),
    '2025 Chevrolet Silverado Limited 1500 LT 4WD',
  );
});

test('codes that nobody says are left out', () => {
  assert.equal(
    named(decoded('BUICK', 'Enclave'), '2025 ENCLAVE ESSENCE AWD 1SL'),
    '2025 Buick Enclave Essence AWD',
  );
  assert.equal(
    named(decoded('CHEVROLET', 'Camaro'), '2025 CAMARO 1SS COUPE'),
    '2025 Chevrolet Camaro 1SS Coupe',
  );
  assert.equal(
    named(decoded('SUBARU', 'Forester'), '2025 SUBARU FORESTER SPORT/RFG'),
    '2025 Subaru Forester Sport',
  );
  const legacy = decoded('SUBARU', 'Legacy');
  assert.equal(named(legacy, '2025 SUBARU LEGACY GT/RUT'), '2025 Subaru Legacy GT');
  assert.equal(named(legacy, '2025 LEGACY LIMITED XT/RDH'), '2025 Subaru Legacy Limited XT');
  assert.equal(named(legacy, '2025 LEGACY/RAB AWD/RAB'), '2025 Subaru Legacy AWD');
  assert.equal(named(decoded('KIA', 'K5'), '2025 K5 GT/SUN'), '2025 Kia K5 GT/Sun', 'only Subaru’s');
});

test('small letters are kept: those that vPIC spells so, and those of hybrids and electric cars', () => {
  const cases: [Vehicle, string, string][] = [
    [decoded('LEXUS', 'NX', '350h Luxury'), 'NX 350H LUXURY AWD', 'Lexus NX 350h Luxury AWD'],
    [decoded('LEXUS', 'NX'), 'NX350H AWD', 'Lexus NX350h AWD'],
    [decoded('LEXUS', 'NX'), 'NX450H+ F SPORT', 'Lexus NX450h+ F Sport'],
    [decoded('LEXUS', 'TX', '500H'), 'TX 500H F SPORT', 'Lexus TX 500h F Sport'],
    [decoded('LEXUS', 'RZ', '450e Luxury/Premium'), 'RZ 450E PREMIUM', 'Lexus RZ 450e Premium'],
    [decoded('LEXUS', 'RX', '450hL Premium'), 'RX 450HL PREMIUM', 'Lexus RX 450hL Premium'],
    [decoded('CHRYSLER', 'Sebring', 'LXi/Touring'), 'SEBRING LXI', 'Chrysler Sebring LXi'],
    [decoded('CHEVROLET', 'Silverado'), 'SILVERADO 2500HD LT', 'Chevrolet Silverado 2500HD LT'],
  ];
  for (const [vehicle, line, name] of cases) assert.equal(named(vehicle, line), `2025 ${name}`, line);
});

test('GM’s short names of cabs are spelled out, unless they may mean something else', () => {
  const silverado = decoded('CHEVROLET', 'Silverado');
  for (const [line, name] of [
    ['SILVERADO 1500 4WD CREW LT', 'Silverado 1500 LT Crew Cab 4WD'],
    ['SILVERADO 1500 4WD LT CREW', 'Silverado 1500 LT Crew Cab 4WD'],
    ['SILVERADO 1500 CREW CAB LT', 'Silverado 1500 LT Crew Cab'],
    ['SILVERADO 1500 CC RST', 'Silverado 1500 RST Crew Cab'],
    ['SILVERADO 1500 DBL LT', 'Silverado 1500 LT Double Cab'],
    ['SILVERADO 1500 DBL CAB LT', 'Silverado 1500 LT Double Cab'],
    ['SILVERADO 2500HD REG WT', 'Silverado 2500HD WT Regular Cab'],
    ['SILVERADO 3500HD CC REG CAB', 'Silverado 3500HD CC Regular Cab'],
    ['SILVERADO 5500HD REG CHAS CAB', 'Silverado 5500HD Regular Cab Chassis'],
  ] as const)
    assert.equal(named(silverado, line), `2025 Chevrolet ${name}`, line);
  assert.equal(named(decoded('FORD', 'Transit'), 'TRANSIT CREW VAN'), '2025 Ford Transit Crew Van');
});

test('lengths are not part of the name', () => {
  const ram = decoded('RAM', '3500');
  for (const line of [
    'RAM 3500 TRADESMAN CREW CAB/156" 4X4',
    'RAM 3500 TRADESMAN CREW CAB 4X4 156" WB',
    "RAM 3500 TRADESMAN CREW CAB 145'' 4X4",
    'RAM 3500 TRADESMAN CREW CAB 145.5” WB 4X4',
    "RAM 3500 TRADESMAN CREW CAB 5.5' BOX 4X4",
    'RAM 3500 TRADESMAN CREW CAB 5\'7" BOX 4X4',
    'RAM 3500 TRADESMAN CREW CAB 6-FT BED 4X4',
    'RAM 3500 TRADESMAN CREW CAB 8 FT. BED 4X4',
    'RAM 3500 TRADESMAN CREW CAB 84" CA 4X4 WB',
    'RAM 3500 TRADESMAN CREW CAB 172 WB 60 CA 4X4',
  ])
    assert.equal(named(ram, line), '2025 Ram 3500 Tradesman Crew Cab 4x4', line);
  assert.equal(named(ram, 'RAM 3500 CHAS CAB 4X4 84" CA'), '2025 Ram 3500 Chassis Cab 4x4');
  const escape = decoded('FORD', 'Escape');
  assert.equal(named(escape, '2025 PLUG-IN HYBRID FWD'), '2025 Ford Escape Plug-in Hybrid FWD');
});

test('a line that can’t be a name leaves the name to vPIC', () => {
  const jeep = decoded('JEEP', 'Compass', 'Latitude');
  const name = '2025 Jeep Compass Latitude';
  for (const line of [null, '', 'X'.repeat(81), '<b>COMPASS</b>', 'COMPASS: CALL 555-0100 NOW!'])
    assert.equal(named(jeep, line), name, String(line));
});

test('the label’s year and make count where vPIC has none', () => {
  assert.equal(carName(null, { make: 'Kia', model: 'TELLURIDE EX', year: 2024 }), '2024 Kia Telluride EX');
  assert.equal(carName({ ...decoded('KIA', 'Telluride'), year: null }, null), 'Kia Telluride');
});

test('a short name leaves out year and make', () => {
  const parts = nameParts(decoded('FORD', 'F-150', 'XLT'), {
    make: 'Ford',
    model: 'F-150 4X4 SUPERCREW',
    year: 2025,
  });
  assert.deepEqual(parts, { year: '2025', make: 'Ford', model: 'F-150', trim: 'XLT SuperCrew 4x4' });
  assert.equal(shortName(parts), 'F-150 XLT SuperCrew 4x4');
  assert.equal(shortName(nameParts(decoded('FORD', null), null)), 'Ford');
});
