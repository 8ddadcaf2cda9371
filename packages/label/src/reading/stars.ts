import type { Phrase } from './phrases.ts';
import type { Safety, Shape, Stars, TextItem, TextPage } from './types.ts';

const ROWS: [keyof Safety, RegExp][] = [
  ['overall', /^Overall Vehicle Score/i],
  ['frontalDriver', /^Driver$/i],
  ['frontalPassenger', /^Passenger$/i],
  ['sideFront', /^Front seat$/i],
  ['sideRear', /^Rear seat$/i],
  ['rollover', /^Rollover$/i],
];
const HEADING = /5.STAR SAFETY RATINGS/i;
/** Both are printed before the government has tested the car. */
const NOT_RATED = /^(?:Not|To Be) Rated$/i;
const UNRATED = /^This vehicle has not been rated by the gover/i;

const all = (stars: Stars): Safety => ({
  overall: stars,
  frontalDriver: stars,
  frontalPassenger: stars,
  sideFront: stars,
  sideRear: stars,
  rollover: stars,
});

/** One printed rating: how many stars, and the middle of its row. */
interface Row {
  stars: Stars;
  x: number;
  y: number;
}

/** Government star ratings. Each is a number of stars, "not rated", or null where it cannot be read. */
export function starsOf(page: TextPage, phrases: Phrase[]): Safety | null {
  const heading = phrases.find(({ text }) => HEADING.test(text));
  if (phrases.some(({ text }) => UNRATED.test(text))) return all('not-rated');
  const rows = [...drawnRows(page.shapes ?? []), ...writtenRows(page, phrases)];
  const named = heading && byName(rows, phrases, heading);
  const found = named ?? byRules(rows, page.shapes ?? []);
  return found ?? (heading ? all(null) : null);
}

/** In text without positions, only the sentence counts. */
export function starsInWords(words: string): Safety | null {
  if (/This vehicle has not been rated by the gover/i.test(words)) return all('not-rated');
  return HEADING.test(words) ? all(null) : null;
}

/** Rows of stars drawn as shapes; the white ones belong to the legend. */
function drawnRows(shapes: Shape[]): Row[] {
  const stars = shapes.filter(({ kind, light }) => kind === 'star' && !light).slice(0, 200);
  const rows: Shape[][] = [];
  for (const star of stars) {
    const row = rows.find(([first]) => Math.abs(first!.y - star.y) < first!.height * 0.3);
    if (row) row.push(star);
    else rows.push([star]);
  }
  return rows.flatMap((row) => {
    const [first] = row;
    const places = new Set(row.map(({ x, width }) => Math.round((x - first!.x) / (width / 2))));
    const stars = starsFrom(places.size);
    return stars === null
      ? []
      : [{ stars, x: Math.min(...row.map(({ x }) => x)), y: first!.y + first!.height / 2 }];
  });
}

function starsFrom(count: number): Stars {
  return count === 1 || count === 2 || count === 3 || count === 4 || count === 5 ? count : null;
}

/** A star of the labels' symbol font is this share of its font size wide. */
const GLYPH = 0.8;

function writtenRows(page: TextPage, phrases: Phrase[]): Row[] {
  const rows: Row[] = phrases
    .filter(({ text }) => NOT_RATED.test(text))
    .map(({ x, y, size }) => ({ stars: 'not-rated', x, y: y - size * 0.35 }));
  for (const item of page.items) {
    const { text, x, y, width, size } = item;
    // The symbol font has no letters for its stars: a row of them is a run without text.
    const count =
      text === '' ? width / size / GLYPH : /^[★⭐✭]{1,5}$/u.test(text.trim()) ? text.trim().length : 0;
    const stars = starsFrom(Math.round(count));
    if (stars !== null && Math.abs(count - Math.round(count)) < 0.2)
      rows.push({ stars, x, y: y - size * 0.35 });
    const strip = stripOf(item, page.shapes ?? []);
    if (strip) rows.push(strip);
  }
  return rows;
}

/** On labels until 2018: five stars as the only letter of a font. */
const STRIP = { ratio: 5.7, above: 3.21 };

/** Ratings below five are the strip with a white bar over the extra stars. */
function stripOf({ text, x, y, width, size }: TextItem, shapes: Shape[]): Row | null {
  if (text !== 'A' || Math.abs(width / size - STRIP.ratio) > 0.15) return null;
  const middle = y - size * STRIP.above;
  const covers = shapes.filter(
    (shape) =>
      shape.light &&
      Math.abs(shape.y + shape.height / 2 - middle) < size * 0.35 &&
      shape.height > size * 0.6 &&
      shape.x > x &&
      shape.x < x + width &&
      shape.x + shape.width > x + width * 0.97,
  );
  const shown = Math.min(width, ...covers.map((cover) => cover.x - x)) / (width / 5);
  const stars = starsFrom(Math.round(shown));
  return stars === null || Math.abs(shown - Math.round(shown)) > 0.3 ? null : { stars, x, y: middle };
}

/** Each rating belongs to the name in its row. */
function byName(rows: Row[], phrases: Phrase[], heading: Phrase): Safety | null {
  const names = ROWS.flatMap(([field, pattern]) => {
    const [name] = phrases
      .filter(({ text, y }) => pattern.test(text) && y > heading.y)
      .toSorted((one, other) => one.y - other.y);
    return name ? [{ field, x: name.x, size: name.size, y: name.y - name.size * 0.35 }] : [];
  });
  if (names.length === 0) return null;
  const found = all(null);
  const taken = new Map<keyof Safety, number>();
  const first = Math.min(...names.map(({ x }) => x));
  for (const row of rows) {
    const [name] = names
      .filter(({ x }) => row.x > x && row.x < first + (names[0]?.size ?? 12) * 40)
      .toSorted((one, other) => Math.abs(one.y - row.y) - Math.abs(other.y - row.y));
    if (!name || Math.abs(name.y - row.y) > name.size * 0.8) continue;
    taken.set(name.field, (taken.get(name.field) ?? 0) + 1);
    found[name.field] = row.stars;
  }
  // With two ratings in one row, it is unclear which one is right.
  for (const [field, times] of taken) if (times > 1) found[field] = null;
  return found;
}

/**
 * If the names are drawn as outlines: three rules divide the box into overall, frontal (two rows), side (two rows)
 * and rollover. A part with another number of rows is not read.
 */
function byRules(rows: Row[], shapes: Shape[]): Safety | null {
  const rules = shapes.filter(({ kind, width, height }) => kind === 'box' && width > 60 && height < 6);
  for (const rule of rules.slice(0, 40)) {
    const like = rules
      .filter(
        ({ x, width, y }) => y >= rule.y && Math.abs(x - rule.x) < 2 && Math.abs(width - rule.width) < 4,
      )
      .toSorted((one, other) => one.y - other.y);
    const [first, second, third] = like.filter(({ y }, at) => at === 0 || y - like[at - 1]!.y > 2);
    if (!first || !second || !third || third.y - first.y > rule.width * 0.6) continue;
    const inside = rows
      .filter(({ x }) => x > rule.x + rule.width * 0.3 && x < rule.x + rule.width)
      .toSorted((one, other) => one.y - other.y);
    const between = (top: number, bottom: number, rowsWanted: number): Stars[] => {
      const found = inside.filter(({ y }) => y > top && y < bottom).map(({ stars }) => stars);
      return found.length === rowsWanted ? found : Array.from({ length: rowsWanted }, () => null);
    };
    const [overall = null] = between(first.y - rule.width * 0.25, first.y, 1);
    const [frontalDriver = null, frontalPassenger = null] = between(first.y, second.y, 2);
    const [sideFront = null, sideRear = null] = between(second.y, third.y, 2);
    const [rollover = null] = between(third.y, third.y + rule.width * 0.09, 1);
    const found = { overall, frontalDriver, frontalPassenger, sideFront, sideRear, rollover };
    if (Object.values(found).some((stars) => stars !== null)) return found;
  }
  return null;
}
