import { overlaps, type Phrase, type Word } from './phrases.ts';
import type { Shape, TextPage } from './types.ts';

interface Ratings {
  greenhouse: number | null;
  smog: number | null;
}

const GREENHOUSE =
  /^(?:Fuel Economy & )?Greenhouse Gas Rating|^Carbon Dioxide Rating|^Indice de dioxyde de carbone/i;
const SMOG = /^Smog Rating|^Indice de smog/i;

/**
 * The two ratings from 1 to 10. Each is a bar between a black 1 and a black 10, with a marker that shows the
 * rating: as text, as a letter of a symbol font, or drawn, when only the marker's place tells it.
 */
export function ratingsOf(page: TextPage, phrases: Phrase[]): Ratings {
  const greenhouse = phrases.find(({ text }) => GREENHOUSE.test(text));
  const smog = phrases.find(({ text }) => SMOG.test(text));
  if (!greenhouse || !smog || Math.abs(greenhouse.y - smog.y) > smog.size || smog.x <= greenhouse.x)
    return pastedRatings(page);
  const wide = smog.x - greenhouse.x;
  const top = greenhouse.y;
  const column = (x: number, right: number): Area => ({ x, right, top, bottom: top + wide * 0.3 });
  const middle = smog.x - wide * 0.06;
  return {
    greenhouse: ratingIn(page, phrases, column(greenhouse.x - wide * 0.08, middle), 'greenhouse'),
    smog: ratingIn(page, phrases, column(middle, smog.x + wide * 0.62), 'smog'),
  };
}

interface Area {
  x: number;
  right: number;
  top: number;
  bottom: number;
}

function ratingIn(page: TextPage, phrases: Phrase[], area: Area, kind: keyof Ratings): number | null {
  const words = phrases.flatMap((phrase) => phrase.words).filter((word) => isIn(word, area));
  const written = writtenRating(words);
  if (written !== null) return written;
  const shapes = (page.shapes ?? []).filter(
    (shape) =>
      shape.x >= area.x && shape.x + shape.width <= area.right && isIn({ ...shape, right: shape.x }, area),
  );
  const bar = barOf(shapes);
  const marker = bar && markerOf(shapes, words, bar);
  return bar && marker ? placedRating(shapes, bar, marker, kind) : null;
}

function isIn(word: { x: number; y: number; right: number }, area: Area): boolean {
  return word.x >= area.x && word.right <= area.right && word.y > area.top && word.y < area.bottom;
}

/** Figures beside one bar. This bounds the work for a page that has thousands. */
const MAX_FIGURES = 40;

/** A figure, or a letter of the symbol font (K is 1, L is 2), above the 1 and 10 of the bar. */
function writtenRating(words: Word[]): number | null {
  const tens = words.filter(({ text }) => text === '10');
  const last = tens.toSorted((one, other) => other.x - one.x)[0];
  const first = words.find(
    ({ text, y, x }) => last && text === '1' && Math.abs(y - last.y) < last.size / 2 && x < last.x,
  );
  if (!last || !first) return null;
  const figures = words
    .filter(
      ({ text, x, size }) =>
        /^(?:[1-9]|10|[K-T])$/.test(text) &&
        size > last.size * 1.1 &&
        x > first.x - size &&
        x < last.right + size,
    )
    .slice(0, MAX_FIGURES);
  const calledCo2 = figures.filter((figure) => isCalled(figure, /^CO2?$/, words));
  // Electric cars have two ratings on this bar, one of them for MPG, which isn't the greenhouse gas rating.
  const found =
    calledCo2.length > 0
      ? calledCo2
      : figures.filter(
          (figure) => figure.y < last.y - last.size * 0.2 && !isCalled(figure, /^MPGe?$/i, words),
        );
  const [only] = found;
  if (!only || found.length > 1) return null;
  const rating = /\d/.test(only.text) ? Number(only.text) : only.text.charCodeAt(0) - 74;
  // The marker's position on the bar must agree with its figure.
  const share = ((only.x + only.right) / 2 - first.right) / (last.x - first.right);
  return Math.abs(share * 10 + 0.5 - rating) < 1.3 ? rating : null;
}

/** True if this word is right before or after a figure, in smaller type. */
function isCalled(figure: Word, name: RegExp, words: Word[]): boolean {
  return words.some(
    ({ text, x, right, y, size }) =>
      name.test(text) &&
      size < figure.size &&
      Math.min(Math.abs(x - figure.right), Math.abs(figure.x - right)) < 0.8 * figure.size &&
      Math.abs(y - figure.y) < 0.8 * figure.size,
  );
}

/** The inside of the bar: the narrowest of the long boxes on top of each other. */
function barOf(shapes: Shape[]): Shape | null {
  const long = shapes.filter(
    ({ kind, width, height }) => kind === 'box' && width > height * 2.2 && height > 3,
  );
  const widest = long.toSorted((one, other) => other.width - one.width)[0];
  if (!widest) return null;
  const level = long.filter(
    ({ y, height, width }) =>
      Math.abs(y + height / 2 - widest.y - widest.height / 2) < widest.height * 0.25 &&
      width > widest.width * 0.4,
  );
  return level.toSorted((one, other) => one.width - other.width)[0] ?? null;
}

/** The one marker above the bar, or, where a plug-in hybrid has two, the one called CO2. */
function markerOf(shapes: Shape[], words: Word[], bar: Shape): Shape | null {
  const middle = bar.y + bar.height / 2;
  const candidates = shapes.filter(({ kind, light, x, width, height }) => {
    const center = x + width / 2;
    return (
      kind !== 'star' &&
      !light &&
      width > bar.height * 0.55 &&
      width < bar.height * 1.8 &&
      height > width * 0.6 &&
      height < width * 1.5 &&
      center > bar.x - bar.height &&
      center < bar.x + bar.width + bar.height
    );
  });
  const above = distinct(candidates.filter(({ y, height }) => y + height / 2 < middle - bar.height * 0.2));
  const below = distinct(candidates.filter(({ y, height }) => y + height / 2 > middle + bar.height * 0.2));
  if (below.length === 0) {
    const [only] = above;
    return only && above.length === 1 && !isForMiles(only, words) ? only : null;
  }
  const called = below.filter(({ x, y, height }) =>
    words.some(
      (word) =>
        /^CO2?$/.test(word.text) &&
        word.right <= x + bar.height / 2 &&
        word.right > x - bar.height &&
        word.y > y &&
        word.y < y + height * 1.1,
    ),
  );
  return called.length === 1 ? called[0]! : null;
}

/** True if a marker is called MPG: then another one, which could not be found, shows the gases. */
function isForMiles({ x, y, width, height }: Shape, words: Word[]): boolean {
  return words.some(
    (word) =>
      /^MPGe?$/i.test(word.text) &&
      overlaps(word, { x, right: x + width }, width) &&
      Math.abs(word.y - y - height / 2) < height,
  );
}

/** The same marker may be drawn twice: filled, then outlined. */
function distinct(shapes: Shape[]): Shape[] {
  return shapes.filter(
    (shape, at) =>
      shapes.findIndex(
        ({ x, y, width }) =>
          Math.abs(x - shape.x) < shape.width * 0.1 &&
          Math.abs(y - shape.y) < shape.height * 0.2 &&
          Math.abs(width - shape.width) < shape.width * 0.2,
      ) === at,
  );
}

/** Where the templates put the markers of 1 and 10, in tenths of the bar, measured on real labels. */
interface Template {
  greenhouse: [first: number, step: number];
  smog: [first: number, step: number];
}
/** A marker drawn as a path with its figure in white on it: Ford. */
const DRAWN: Template = { greenhouse: [1.01, 0.987], smog: [1.43, 0.883] };
/** A marker pasted as a picture: Stellantis. */
const PASTED: Template = { greenhouse: [0.58, 1.155], smog: [0.45, 1.135] };
/** The bar in ten equal parts: GM. */
const EVEN: Template = { greenhouse: [1.05, 1], smog: [1.08, 1.017] };
/** The farthest that any marker was seen from its position, in steps; half a step would be ambiguous. */
const MAX_OFFSET_STEPS = 0.3;

function placedRating(shapes: Shape[], bar: Shape, marker: Shape, kind: keyof Ratings): number | null {
  const center = marker.x + marker.width / 2;
  const tenths = ((center - bar.x) / bar.width) * 10 + 0.5;
  const under = (template: Template): number => {
    const [first, step] = template[kind];
    return 1 + (tenths - first) / step;
  };
  const figure = shapes.find(
    ({ light, x, y, width, height }) =>
      light &&
      x > marker.x &&
      x + width < marker.x + marker.width &&
      y > marker.y &&
      y + height < marker.y + marker.height,
  );
  if (figure || marker.kind === 'picture') {
    const exact = under(figure ? DRAWN : PASTED);
    const rating = Math.round(exact);
    if (rating < 1 || rating > 10 || Math.abs(exact - rating) > MAX_OFFSET_STEPS) return null;
    // A drawn 10 is wider than high, every other figure higher than wide.
    return figure && figure.width > figure.height === rating < 10 ? null : rating;
  }
  // For an unknown template, a position counts only if all known templates give the same rating.
  const votes = new Set([DRAWN, PASTED, EVEN].map((template) => Math.round(under(template))));
  const [vote] = votes;
  return votes.size === 1 && vote! >= 1 && vote! <= 10 ? vote! : null;
}

/** Positions of GM Canada's markers seen so far, as shares of the box's width. */
const SEEN: Record<keyof Ratings, [share: number, rating: number][]> = {
  greenhouse: [
    [0.3979, 2],
    [0.4476, 3],
    [0.5261, 5],
  ],
  smog: [
    [0.832, 1],
    [0.889, 6],
  ],
};

/** GM Canada pastes the box as one picture and the markers onto it; a position not seen before is not read. */
function pastedRatings(page: TextPage): Ratings {
  const pictures = (page.shapes ?? []).filter(({ kind }) => kind === 'picture');
  const box = pictures.find(
    ({ width, height }) =>
      width > page.width * 0.3 && width < page.width * 0.6 && width > height * 1.35 && width < height * 1.65,
  );
  if (!box) return { greenhouse: null, smog: null };
  const found = (kind: keyof Ratings, size: number): number | null => {
    const markers = pictures.filter(
      ({ x, y, width }) =>
        Math.abs(width / box.width - size) < 0.006 &&
        overlaps({ x, right: x + width }, { x: box.x, right: box.x + box.width }) &&
        Math.abs((y - box.y) / box.height - 0.6) < 0.03,
    );
    const [marker] = markers;
    if (!marker || markers.length > 1) return null;
    const share = (marker.x + marker.width / 2 - box.x) / box.width;
    return SEEN[kind].find(([place]) => Math.abs(place - share) < 0.003)?.[1] ?? null;
  };
  return { greenhouse: found('greenhouse', 0.0488), smog: found('smog', 0.0371) };
}
