/** The federal boxes: fuel economy, safety ratings, parts content. Our wording is shorter than the law's. */
import { combined, dollars, type Car } from './car.ts';
import type { Page } from './pdf.ts';

/** A heading in white on black across the top of a box. */
export function heading(page: Page, x: number, y: number, width: number, title: string, size = 13): void {
  page.fill(x, y, width, size * 1.9, 0);
  page.center(x + width / 2, y + size * 1.3, size, title, { font: 'bold', gray: 1 });
}

export function economyBox(page: Page, x: number, y: number, width: number, car: Car): void {
  const height = 285;
  const metric = car.market === 'CA';
  page.box(x, y, width, height, 2);
  page.fill(x, y, width, 38, 0);
  page.text(x + 10, y + 17, 13, 'EPA', { font: 'bold', gray: 1 });
  page.text(x + 10, y + 31, 13, 'DOT', { font: 'bold', gray: 1 });
  page.text(x + 58, y + 26, 18, 'Fuel Economy and Environment', { font: 'bold', gray: 1 });
  page.right(x + width - 12, y + 24, 11, 'Gasoline Vehicle', { font: 'bold', gray: 1 });

  const both = combined(car);
  const shown = (mpg: number): string => (metric ? (235.215 / mpg).toFixed(1) : String(mpg));
  page.text(x + 40, y + 58, 11, 'Fuel Economy', { font: 'bold' });
  const after = page.text(x + 38, y + 122, 66, shown(both), { font: 'bold' });
  page.text(x + 40, y + 136, 8, 'combined city/hwy', { font: 'bold' });
  const next = Math.max(after, x + 112) + 14;
  page.text(next, y + 86, 18, metric ? 'L/100 km' : 'MPG', { font: 'bold' });
  page.text(next, y + 118, 20, shown(car.city), { font: 'bold' });
  page.text(next, y + 128, 8, 'city');
  page.text(next + 48, y + 118, 20, shown(car.highway), { font: 'bold' });
  page.text(next + 48, y + 128, 8, 'highway');
  if (!metric) {
    const gallons = page.text(x + 40, y + 164, 18, (100 / both).toFixed(1), { font: 'bold' });
    page.text(gallons + 5, y + 164, 8, 'gallons per 100 miles');
  }
  const yearly = Math.round((15_000 / both) * 3.3 * 0.02) * 50;
  page.right(x + width - 24, y + 62, 13, 'Annual fuel cost', { font: 'bold' });
  page.right(x + width - 24, y + 102, 38, dollars(yearly * 100).replace('.00', ''), { font: 'bold' });

  page.rule(x, y + 180, x + width, y + 180, 2);
  scale(
    page,
    x + 40,
    y + 214,
    width * 0.4,
    'Fuel Economy & Greenhouse Gas Rating',
    Math.min(9, Math.round(both / 5)),
  );
  scale(page, x + width * 0.64, y + 214, width * 0.26, 'Smog Rating', 6);
  page.fill(x, y + height - 44, width, 44, 0);
  page.text(x + 12, y + height - 24, 20, 'fueleconomy.gov', { font: 'bold', gray: 1 });
  page.text(x + 12, y + height - 9, 8, 'Figures of an invented car, for trying things out.', { gray: 1 });
}

function scale(page: Page, x: number, y: number, width: number, title: string, mark: number): void {
  page.text(x, y - 16, 9, title, { font: 'bold' });
  page.fill(x, y, width, 12, 0.85);
  page.box(x, y, width, 12);
  const center = x + (width * (mark - 0.5)) / 10;
  page.fill(center - 9, y - 9, 18, 21, 0);
  page.center(center, y + 5, 12, String(mark), { font: 'bold', gray: 1 });
  page.text(x + 4, y + 9.5, 9, '1');
  page.right(x + width - 4, y + 9.5, 9, '10');
}

const ratings = [
  ['Overall Vehicle Score', '', 5],
  ['Frontal Crash', 'Driver', 5],
  ['', 'Passenger', 4],
  ['Side Crash', 'Front seat', 5],
  ['', 'Rear seat', 5],
  ['Rollover', '', 4],
] as const;

export function safetyBox(page: Page, x: number, y: number, width: number, dash: '-' | '–' = '-'): void {
  page.box(x, y, width, 230, 2);
  heading(page, x, y, width, `GOVERNMENT 5${dash}STAR SAFETY RATINGS`);
  let line = y + 46;
  for (const [test, seat, stars] of ratings) {
    if (test && test !== 'Overall Vehicle Score')
      page.rule(x + 12, line - 15, x + width - 12, line - 15, 1.5);
    page.text(x + 14, line, 12, test, { font: 'bold' });
    page.text(x + 108, line, 12, seat);
    for (let star = 0; star < stars; star++) drawStar(page, x + width - 92 + star * 16, line - 4, 6.5);
    line += test === '' || test === 'Overall Vehicle Score' ? 28 : seat ? 18 : 24;
  }
  page.fill(x, y + 192, width, 38, 0);
  const middle = x + width / 2;
  page.center(middle, y + 207, 9, 'Star ratings range from 1 to 5, with 5 being the highest.', { gray: 1 });
  page.center(middle, y + 221, 9, 'Source: National Highway Traffic Safety Administration (NHTSA)', {
    gray: 1,
  });
}

function drawStar(page: Page, x: number, y: number, radius: number): void {
  const points: string[] = [];
  for (let corner = 0; corner < 10; corner++) {
    const distance = corner % 2 ? radius * 0.4 : radius;
    const angle = Math.PI / 2 + (corner * Math.PI) / 5;
    const [px, py] = [x + distance * Math.cos(angle), page.height - y + distance * Math.sin(angle)];
    points.push(`${px.toFixed(2)} ${py.toFixed(2)} ${corner ? 'l' : 'm'}`);
  }
  page.draw(`0 g ${points.join(' ')} f`);
}

export function partsBox(page: Page, x: number, y: number, width: number, car: Car): void {
  page.box(x, y, width, 230, 2);
  heading(page, x, y, width, 'PARTS CONTENT INFORMATION', 11);
  const rows: [number, string][] = [
    [0, 'FOR VEHICLES IN THIS CARLINE:'],
    [8, `U.S./CANADIAN PARTS CONTENT: ${car.parts.usCanadian}%`],
    [0, 'MAJOR SOURCES OF FOREIGN PARTS'],
    [0, `CONTENT: ${car.parts.foreign}`],
    [0, ''],
    [0, 'FOR THIS VEHICLE:'],
    [8, 'FINAL ASSEMBLY POINT:'],
    [8, car.assembly],
    [0, 'COUNTRY OF ORIGIN:'],
    [8, `ENGINE: ${car.parts.engine}`],
    [8, `TRANSMISSION: ${car.parts.transmission}`],
  ];
  rows.forEach(([indent, row], index) => {
    if (row)
      page.text(x + 12 + indent, y + 42 + index * 16.5, 10, row, {
        font: index === 7 ? 'regular' : 'bold',
        narrow: 0.8,
      });
  });
}

/** All three on the right of the page, as most makes arrange them. */
export function boxesAtRight(page: Page, car: Car): void {
  economyBox(page, 724, 28, 464, car);
  safetyBox(page, 724, 324, 278);
  partsBox(page, 1008, 324, 180, car);
  warrantyBox(page, 724, 566, 464);
}

function warrantyBox(page: Page, x: number, y: number, width: number): void {
  page.box(x, y, width, 126, 2);
  heading(page, x, y, width, 'LIMITED COVERAGE', 11);
  const terms = [
    ['3', '36,000', 'Bumper to bumper'],
    ['5', '60,000', 'Powertrain'],
    ['5', '60,000', 'Roadside help'],
  ] as const;
  terms.forEach(([years, miles, what], index) => {
    const middle = x + (width * (index + 0.5)) / terms.length;
    page.center(middle, y + 66, 34, years, { font: 'bold' });
    page.center(middle, y + 82, 9, `years or ${miles} miles`);
    page.center(middle, y + 100, 11, what, { font: 'bold' });
    if (index > 0) page.rule(x + (width * index) / 3, y + 34, x + (width * index) / 3, y + 112, 0.75);
  });
  page.text(x, y + 146, 8, 'The car, its equipment, its prices and its ratings are invented.');
}

/** Bars that look like the label's barcode and only encode the VIN's characters. */
export function bars(page: Page, x: number, y: number, height: number, vin: string): void {
  for (const character of vin) {
    const code = character.charCodeAt(0);
    for (let bit = 0; bit < 6; bit++) {
      page.fill(x, y, code & (1 << bit) ? 2 : 1, height, 0);
      x += code & (1 << bit) ? 3 : 2.2;
    }
    x += 1.5;
  }
}
