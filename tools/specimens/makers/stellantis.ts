/** Jeep, Ram, Dodge, Chrysler, Fiat, Alfa Romeo: two columns of equipment, children set in by 3.6 points, en dashes throughout. */
import { bars, economyBox, partsBox, safetyBox } from '../boxes.ts';
import { frenchDollars, total, wholeDollars, type Car, type Build, type Drawing } from '../car.ts';
import type { Page } from '../pdf.ts';
import { badge } from '../strokes.ts';

const english = {
  base: 'Base Price:',
  exterior: 'Exterior Color:',
  interior: 'Interior Color:',
  engine: 'Engine:',
  transmission: 'Transmission:',
  standard: 'STANDARD EQUIPMENT',
  optional: 'OPTIONAL EQUIPMENT',
  destination: 'Destination Charge',
  total: 'TOTAL PRICE: *',
};
type Words = typeof english;

const french: Words = {
  base: 'Prix de base :',
  exterior: 'Couleur extérieure :',
  interior: 'Couleur intérieure :',
  engine: 'Moteur :',
  transmission: 'Transmission :',
  standard: 'ÉQUIPEMENT DE SÉRIE',
  optional: 'ACCESSOIRES OPTIONNELS',
  destination: "FRAIS D'EXPÉDITION",
  total: 'PRIX TOTAL : *',
};

const left = 61.1;
const right = 345;

function drawStellantis(page: Page, car: Car): void {
  const isFrench = car.language === 'fr';
  const words = isFrench ? french : english;
  const money = isFrench ? frenchDollars : wholeDollars;
  page.box(24, 16, 1176, 760, 4, 0.45);
  badge(page, 60, 84, car.make.length > 6 ? 11 : 22, car.make);
  page.text(
    185,
    49.8,
    13,
    isFrench ? `ANNÉE–MODÈLE ${car.year}` : `${car.year} MODEL YEAR (${car.year % 100}MY)`,
    { font: 'bold' },
  );
  page.text(185, 84, 19, car.model, { font: 'bold' });

  page.lines(
    57.3,
    124,
    9,
    10,
    isFrench
      ? ['PRIX DE DÉTAIL SUGGÉRÉ PAR LE FABRICANT']
      : ["MANUFACTURER'S SUGGESTED RETAIL PRICE OF", 'THIS MODEL INCLUDING DEALER PREPARATION'],
    { font: 'bold' },
  );
  page.box(70, 146, 206, 28, 2.5);
  page.text(96, 165, 14, words.base, { font: 'bold' });
  page.text(isFrench ? 204 : 197.7, 165, 14, money(car.base), { font: 'bold' });
  page.text(60.5, 188, 9, car.series, { font: 'bold' });
  const facts = [
    [words.exterior, car.exterior],
    [words.interior, car.interior],
    [words.engine, car.engine],
    [words.transmission, car.transmission],
  ] as const;
  facts.forEach(([word, fact], index) => {
    const y = 198.5 + index * 10;
    page.text(page.text(60.5, y, 9, word, { font: 'bold' }) + 2.5, y, 9, fact);
  });

  let y = 243;
  const after = page.text(left, y, 10, words.standard, { font: 'bold' });
  page.text(after + 3, y, 7, isFrench ? '(SAUF SI REMPLACÉ)' : '(UNLESS REPLACED BY OPTIONAL EQUIPMENT)', {
    narrow: 0.9,
  });
  y += 11;
  for (const [section, items] of Object.entries(car.standard)) {
    page.text(97.1, y, 8.5, section, { font: 'bold' });
    y = page.lines(left, y + 9.5, 8.5, 9.5, items) + 1.5;
  }
  page.rule(332, 116, 332, 664, 0.75);
  drawOptions(page, car, words, money, y + 8);

  page.rule(50, 668, 606, 668);
  if (car.assembly) page.text(54, 681.9, 8, `Assembly Point/Port of Entry: ${car.assembly}`);
  page.text(55.3, 695, 7, `VIN: ${car.vin.slice(0, 3)}–${car.vin.slice(3, 11)}–${car.vin.slice(11)}`);
  bars(page, 55, 704, 36, car.vin);
  page.text(345, 695, 6, 'SHIP TO:');
  page.text(465, 695, 6, 'SOLD TO:');
  page.text(
    345,
    734,
    6,
    '* STATE AND/OR LOCAL TAXES IF ANY, LICENSE AND TITLE FEES ARE NOT INCLUDED IN THIS PRICE.',
  );

  page.right(1176, 66, 15, 'AN INVENTED CAR');
  economyBox(page, 625, 102, 551, car);
  safetyBox(page, 625, 432, 320, '–');
  partsBox(page, 957, 432, 219, car);
}

/** Begins under the standard equipment and continues in the right column, as long lists do. */
function drawOptions(
  page: Page,
  car: Car,
  words: Words,
  money: (cents: number) => string,
  top: number,
): void {
  let [x, y] = [left, top];
  const french = car.language === 'fr';
  const after = page.text(x, y, 10, words.optional, { font: 'bold' });
  if (!french) page.text(after + 3, y, 7, '(May Replace Standard Equipment)');
  const next = (): void => {
    y += 9.5;
    if (x === left && y > 655) [x, y] = [right, 142];
  };
  y += 1;
  for (const option of car.options) {
    next();
    page.text(x, y, 9, option.name, { font: 'bold' });
    if (option.price !== null) page.right(x === left ? 310 : 592, y, 9, money(option.price));
    for (const child of option.children ?? []) {
      next();
      page.text(x + 3.6, y, 9, child);
    }
  }
  y = x === left ? 176 : y + 24;
  for (const tax of car.taxes) {
    page.text(right, y, 9, tax.name);
    page.right(592, y, 9, money(tax.price));
    y += 11;
  }
  page.text(right, y + 8, 10, words.destination, { font: 'bold' });
  page.right(592, y + 8, 10, money(car.destination), { font: 'bold' });
  page.box(354, y + 20, 222, 32, 2.5);
  page.text(374, y + 41, 14, words.total, { font: 'bold' });
  page.right(558, y + 41, 14, money(total(car)), { font: 'bold' });
  const warranty = french
    ? ['GARANTIE', 'Groupe motopropulseur : 5 ans ou 100 000 km.']
    : ['WARRANTY COVERAGE', '5–year or 60,000–mile Powertrain Limited Warranty.'];
  page.lines(346.8, y + 76, 9, 10, warranty);
}

/** The Stellantis car we draw: equipment and prices of our own invention, as this family words them. */
const build: Build = {
  model: 'GRAND CHEROKEE LIMITED 4X4',
  series: 'JEEP GRAND CHEROKEE LIMITED 4X4',
  exterior: 'Harbor Fog Metallic Clear–Coat Exterior Paint',
  interior: 'Black / Slate Interior Colors',
  engine: '2.0L I4 Turbo Engine with Stop / Start',
  transmission: '8–Speed Automatic Transmission',
  assembly: 'DETROIT, MICHIGAN, U.S.A.',
  base: 4598000,
  options: [
    { name: 'Harbor Fog Metallic Clear–Coat Exterior Paint', price: 59500 },
    {
      name: 'Customer Preferred Package 99X',
      price: 349500,
      children: [
        'Leather–Wrapped Grab Handles',
        'Ventilated Front Seats',
        'Dual–Pane Panoramic Sunroof',
        'Surround–View Camera System',
        'Rain–Sensitive Windshield Wipers',
        'Wireless Charging–Pad',
        'Hands–Free Liftgate',
        '10–Inch Cargo Divider',
        'Acoustic Front Door Glass',
        'Ambient LED Lighting',
      ],
    },
    {
      name: 'Trailer–Tow Package',
      price: 99500,
      children: [
        'Class IV Receiver–Hitch',
        '7–Pin and 4–Pin Wiring Harness',
        'Rear Load–Leveling Suspension',
      ],
    },
    { name: 'Delete Spare Tire', price: -44500 },
    { name: '20–Inch Polished Wheels', price: null },
  ],
  destination: 199500,
  standard: {
    'FUNCTIONAL/SAFETY FEATURES': [
      'Active 4WD System',
      'Terrain Selector with Five Modes',
      'Adaptive Cruise Control with Stop and Go',
      'Full–Speed Forward–Collision Warning',
      'Lane–Management System',
      'Blind–Spot and Cross–Path Detection',
      'Rear Back–Up Camera',
      'Rear Park–Assist with Stop',
      'Tire Pressure Monitoring Display',
      'Hill–Start Assist',
      'Remote–Start System',
      'Security Alarm',
    ],
    'INTERIOR FEATURES': [
      '12.3–Inch Touch Screen Display',
      '10.25–Inch Cluster Display',
      'Nine Amplified Speakers with Subwoofer',
      'Air Conditioning with Dual Zones',
      'Leather–Trimmed Bucket Seats',
      'Heated Front and Second–Row Seats',
      'Heated Steering Wheel',
      'Power Driver Seat with Memory',
      'Full–Length Floor Console',
    ],
    'EXTERIOR FEATURES': [
      '18–Inch Machined Wheels',
      'LED Headlamps with High–Beam Control',
      'Power Liftgate',
      'Roof Rails',
      'Full–Size Spare Tire',
    ],
  },
  city: 21,
  highway: 26,
  parts: { usCanadian: 68, foreign: 'MEXICO : 21%', engine: 'UNITED STATES', transmission: 'UNITED STATES' },
};

export const drawing: Drawing = { build, quirks: { dashByte: 0x85 }, draw: drawStellantis };
