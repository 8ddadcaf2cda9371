/** Chevrolet, GMC, Buick, Cadillac: six columns that run on into each other, capitals, colors that wrap near 33 characters. */
import { bars, economyBox, heading, partsBox, safetyBox } from '../boxes.ts';
import {
  amount,
  discountsTotal,
  dollars,
  optionsTotal,
  total,
  type Build,
  type Car,
  type Drawing,
} from '../car.ts';
import type { Page } from '../pdf.ts';
import { badge } from '../strokes.ts';
import { widthOf, wrap } from '../type.ts';

/** The GM car we draw: equipment and prices of our own invention, as this family words them. */
const gmBuild: Build = {
  model: 'CORVETTE STINGRAY COUPE',
  series: '2LT',
  exterior: 'EMBER GLOW METALLIC TINTCOAT',
  interior: 'JET BLACK',
  engine: '6.2L V8 DI ENGINE',
  transmission: '8-SPEED DUAL CLUTCH TRANS',
  assembly: 'BOWLING GREEN, KY U.S.A.',
  base: 7540000,
  options: [
    {
      name: 'TRACK DAY PACKAGE:',
      price: 634500,
      children: [
        'REAR AXLE, SHORT RATIO',
        'HEAVY DUTY COOLING SYSTEM WITH LARGER RADIATOR',
        'ELECTRONIC LIMITED SLIP DIFF',
        'PERFORMANCE BRAKES WITH LARGER CALIPERS',
        'PERFORMANCE EXHAUST',
        'SPOILER, REAR',
      ],
    },
    { name: 'FRONT LIFT ADJUSTABLE HEIGHT WITH MEMORY', price: 259500 },
    {
      name: 'ADAPTIVE SUSPENSION WITH SELECTIVE RIDE CONTROL',
      price: 189500,
      children: ['TRACTION MANAGEMENT'],
    },
    { name: 'EMBER GLOW METALLIC TINTCOAT', price: 99500 },
    { name: 'WHEELS, 10-SPOKE DARK FORGED ALUMINUM', price: 99500 },
    { name: 'YELLOW-PAINTED BRAKE CALIPERS', price: 69500 },
    { name: 'BLACK EXHAUST TIPS', price: 39500 },
    { name: 'LICENSE PLATE BRACKET', price: 1500 },
    { name: 'REAR MATS, DELETE', price: -5000 },
    { name: 'BATTERY MAINTAINER', price: null },
  ],
  discounts: [{ name: 'EARLY ORDER SAVINGS', price: -25000 }],
  destination: 189500,
  standard: {
    'OWNER BENEFITS': [
      '3 YEAR/36,000 MILE* BUMPER-TO-BUMPER LIMITED WARRANTY',
      '5 YEAR/60,000 MILE* POWERTRAIN LIMITED WARRANTY & ROADSIDE ASSISTANCE',
      'FIRST MAINTENANCE VISIT',
      '*WHICHEVER COMES FIRST. SEE DEALER FOR TERMS',
    ],
    'PERFORMANCE & MECHANICAL': [
      'WHEELS, 19" FRONT AND 20" REAR BRIGHT SILVER ALUMINUM',
      'DRIVER MODE SELECTOR WITH EIGHT MODES',
      'ELECTRONIC PARKING BRAKE',
      'BRAKES, FOUR WHEEL DISC',
      'REMOTE STARTER SHIELD',
    ],
    'CONNECTIVITY & TECHNOLOGY': [
      '14 SPEAKER AUDIO SYSTEM',
      'REMOTE VEHICLE START',
      'HEAD-UP DISPLAY',
      'WIRELESS PHONE PROJECTION FOR COMPATIBLE PHONES',
      'WIRELESS CHARGING',
      '8" DIAGONAL COLOR TOUCHSCREEN WITH VOICE RECOGNITION',
      'UNIVERSAL HOME REMOTE',
      'LAP RECORDER WITH CAMERA',
    ],
    INTERIOR: [
      '8-WAY POWER GT BUCKET SEATS',
      'AIR CONDITIONING, DUAL ZONE',
      'HEATED & VENTILATED SEATS',
      'HEATED STEERING WHEEL',
      'LEATHER-WRAPPED STEERING WHL',
      'WINDOWS, PWR EXPRESS UP/DOWN',
      'MEMORY FOR DRIVER AND PASSENGER SEATS',
      'REAR CAMERA MIRROR',
      'FLOOR CONSOLE WITH LOCKABLE STORAGE',
    ],
    EXTERIOR: [
      'REMOVABLE ROOF PANEL IN BODY COLOR',
      'POWER FOLDING MIRRORS WITH TURN INDICATORS',
      'HEADLAMPS, LED',
      'POWER HOOD AND TRUNK WITH SOFT CLOSE',
      'KEYLESS ENTRY',
    ],
    'SAFETY & SECURITY': [
      'REAR PARK ASSIST',
      'SIDE BLIND ZONE ALERT',
      'REAR CROSS TRAFFIC ALERT',
      'FORWARD COLLISION ALERT',
      'LANE KEEP ASSIST WITH LANE DEPARTURE WARNING',
      'AUTOMATIC EMERGENCY BRAKING',
      'THEFT DETERRENT SYSTEM',
    ],
  },
  city: 16,
  highway: 25,
  parts: { usCanadian: 44, foreign: 'MEXICO 30%', engine: 'UNITED STATES', transmission: 'UNITED STATES' },
};

const columns = [38.9, 232.6, 426.2, 619.9, 813.6, 1007.3];
const measure = 179;
/** Set condensed, as on the road: thirty capitals fill a column. */
const narrow = 0.8;
/** The lines beside the title are narrower. */
const headNarrow = 0.72;

/** Runs down one column and on into the next. */
class Flow {
  column = 0;
  y = 177;
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  get x(): number {
    return columns[this.column]!;
  }

  room(points: number): void {
    if (this.y + points > 410 && this.column < 5) [this.column, this.y] = [this.column + 1, 139.6];
  }

  /** A line, its amount flush right; as long as the name leaves no room, the name wraps under it. */
  line(text: string, price: string | null = null, indent = 0): void {
    const limit = measure - indent - (price ? widthOf(price, 10, 'regular') * narrow + 4 : 0);
    wrap(text, limit / narrow, 10).forEach((part, index) => {
      this.room(2);
      this.page.text(this.x + (index ? indent : 0), this.y, 10, part, { narrow });
      if (price && index === 0) this.page.right(this.x + measure, this.y, 10, price, { narrow });
      this.y += 12;
    });
  }

  bullet(text: string): void {
    this.line(`• ${text}`, null, 4.8);
  }

  title(text: string): void {
    this.room(22);
    this.y += this.y > 140 ? 5.3 : 0;
    this.page.text(this.x, this.y, 11, text, { font: 'bold', narrow });
    this.y += 13.4;
  }

  /** A strong total: name and amount in a ruled box. */
  total(lines: readonly string[], money: string): void {
    this.room(28);
    this.page.box(this.x - 4, this.y - 8, measure + 10, 10 + lines.length * 11, 2);
    this.page.lines(this.x, this.y + 4, 10, 11, lines, { font: 'bold', narrow });
    this.page.right(this.x + measure, this.y + 4, 10.5, money, { font: 'bold', narrow });
    this.y += 20 + lines.length * 10;
  }
}

/** GM counts characters, whatever their width: in a font whose characters are 0.6 em wide, 33 of them fit. */
const wrapColor = (text: string): string[] => wrap(text, 33 * 0.6, 1, 'mono');

function drawGm(page: Page, car: Car): void {
  const canada = car.market === 'CA';
  badge(page, 54, 78, 24, car.make);
  page.center(505, 62.7, 20, `${car.year} ${car.model}`, { font: 'bold', narrow });
  page.center(505, 82.7, 20, car.series, { font: 'bold', narrow });
  const colors = [
    ...wrapColor(`${canada ? 'EXTERIOR / EXTERIEUR' : 'EXTERIOR'}: ${car.exterior}`),
    ...wrapColor(`${canada ? 'INTERIOR / INTERIEUR' : 'INTERIOR'}: ${car.interior}`),
  ];
  page.lines(692, 56.8, 12, 14.4, colors, { font: 'bold', narrow: headNarrow });
  page.lines(889.8, 56.8, 12, 14.4, [car.engine, car.transmission].filter(Boolean), {
    font: 'bold',
    narrow: headNarrow,
  });
  for (const x of columns) page.rule(x - 7, 118, x + measure + 2, 118, 2);
  for (const x of columns.slice(1)) page.rule(x - 7, 118, x - 7, 408, 0.75);
  drawEquipment(page, car);
  economyBox(page, 33, 420, 500, car);
  safetyBox(page, 541, 420, 322);
  partsBox(page, 871, 420, 220, car);
  page.box(1097, 420, 92, 230);
  const notice =
    'This label would be applied under Federal law to a car like this one. *Does not include dealer installed options, local taxes or license fees.';
  page.lines(1102, 432, 6.5, 8, wrap(notice, 82, 6.5));
  page.box(871, 656, 318, 98);
  // GM writes the codes of all options above the label, in type that nobody sees.
  page.text(19, 6, 3, hiddenText(car));
  page.text(879, 663, 6, canada ? 'ORD/COMM XXXXXX' : 'ORDER NO XXXXXX');
  page.text(879, 672, 6, 'SALES MODEL CODE 0XX00');
  page.text(1040, 663, 6, canada ? 'DLR/CONCESS 00000' : 'DEALER NO 00000');
  page.text(1040, 676, 6, canada ? 'DELIVERED TO / DESTINATAIRE' : 'DEALER TO WHOM DELIVERED');
  page.lines(1040, 687, 9, 9, [
    `EXAMPLE ${car.make.toUpperCase()}`,
    '1 EXAMPLE STREET',
    canada ? 'ANYTOWN, ON X0X 0X0' : 'ANYTOWN, TX 00000-0000',
  ]);
  page.text(879, 681, 6, canada ? "FINAL ASSEMBLY/USINE D'ORIGINE:" : 'FINAL ASSEMBLY:');
  page.text(879, 689, 6, car.assembly);
  page.text(879, 703.4, 9, `VIN ${car.vin}`, { font: 'bold' });
  bars(page, 879, 714, 26, car.vin);
}

const hiddenText = (car: Car): string =>
  `{"maker":"${car.make.toUpperCase()}", "model_year":"${car.year}", "vin":"${car.vin}", "order_number": "XXXXXX", "creation_date":"1/2/${car.year}", "Options":["AAA", "BB2", "C3C", "", ""]}`;

/** Everything between the header and the boxes. Real files sometimes contain it twice, the first covered by a white rectangle. */
function drawEquipment(page: Page, car: Car): void {
  const canada = car.market === 'CA';
  // Where the first column begins, so that its lines are below it.
  const [title, size] = canada ? ['STANDARD EQUIPMENT/ÉQUIPEMENT DE BASE', 8] : ['STANDARD EQUIPMENT', 11];
  page.fill(31.9, 118, 187, size * 1.9, 0);
  page.text(38.9, 118 + size * 1.3, size, title, { font: 'bold', gray: 1 });
  page.lines(38.9, 150.3, 5.8, 7, [
    'ITEMS FEATURED BELOW ARE INCLUDED AT NO EXTRA CHARGE',
    'IN THE STANDARD VEHICLE PRICE SHOWN',
  ]);
  const flow = new Flow(page);
  for (const [section, items] of Object.entries(car.standard)) {
    flow.title(section);
    for (const item of items) flow.bullet(item);
  }
  flow.room(110);
  page.text(flow.x, flow.y + 6, 6.5, "MANUFACTURER'S SUGGESTED RETAIL PRICE");
  flow.y += 22;
  flow.total(
    canada ? ['STANDARD VEHICLE PRICE /', 'PRIX DE BASE'] : ['STANDARD VEHICLE PRICE'],
    dollars(car.base),
  );
  heading(
    page,
    flow.x - 7,
    flow.y - 8,
    measure + 13,
    canada ? 'OPTIONS & PRICING / OPTIONS ET PRIX' : 'OPTIONS & PRICING',
    canada ? 9 : 11,
  );
  flow.y += 24;
  page.text(flow.x, flow.y, 5.8, 'OPTIONS INSTALLED BY THE MANUFACTURER');
  flow.y += 14;
  for (const option of car.options) {
    flow.line(option.name, option.price === null ? 'INC.' : amount(option.price));
    for (const child of option.children ?? []) flow.bullet(child);
  }
  drawTail(flow, car, canada);
}

function drawTail(flow: Flow, car: Car, canada: boolean): void {
  flow.room(270);
  const options = optionsTotal(car);
  if (canada) {
    flow.line('TOTAL OPTIONS/TOTAL EQUIPEMENT', dollars(options));
    let running = car.base + options;
    for (const tax of car.taxes) {
      flow.line(`${tax.name}/`, amount(tax.price));
      flow.line('FRAIS DE CLIMATISATION');
      running += tax.price;
    }
    flow.line('SUB TOTAL/TOTAL PARTIEL', dollars(running));
    flow.line('DESTINATION CHARGE/', amount(car.destination));
    flow.line('FRAIS DE TRANSPORT');
    for (const fee of car.fees) {
      flow.line('SUB TOTAL/TOTAL PARTIEL', dollars(running + car.destination));
      flow.line(`${fee.name} /`, amount(fee.price));
      flow.line('FRAIS MAXIMUM DU CONCESS.');
    }
    flow.y += 10;
    flow.total(['PRIX TOTAL PRICE*'], dollars(total(car)));
    return;
  }
  flow.line('TOTAL OPTIONS', dollars(options));
  flow.line('TOTAL VEHICLE & OPTIONS', dollars(car.base + options));
  flow.line('DESTINATION CHARGE', amount(car.destination));
  if (car.discounts.length > 0) flow.line('TOTAL BEFORE SAVINGS', dollars(total(car) - discountsTotal(car)));
  for (const saving of car.discounts) flow.line(saving.name, amount(saving.price));
  flow.y += 10;
  flow.total(['TOTAL VEHICLE PRICE*'], dollars(total(car)));
}

/** An earlier try with one option less, under a white sheet: a reader that takes it reads a wrong sum. */
function drawHiddenGm(page: Page, car: Car): void {
  drawEquipment(page, { ...car, options: car.options.slice(1) });
  page.fill(0, 112, 1224, 304, 1);
}

export const drawing: Drawing = { build: gmBuild, draw: drawGm, drawHidden: drawHiddenGm };
