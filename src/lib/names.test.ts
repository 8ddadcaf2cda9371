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
  engine: { displacement: null, cylinders: null, fuel: null },
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
