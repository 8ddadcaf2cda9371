import { joinWithAnd, titleCase } from '@monroney/label/lib/words';
import { vinError, vinOf, type List } from './list.ts';
import { isMistyped, type Found, type Results } from './results.ts';

/** Why cars of a list have no sticker or no price, and what to do about it, for all of them at once. Runs in the browser. */

export interface Missing {
  /** What they have in common, as a sentence without its end. */
  title: string;
  advice: string;
  cars: { name: string; note?: string }[];
  /** Whether asking again may help. */
  canRetry: boolean;
}

interface Kind {
  title(makes: string): string;
  advice: string;
  canRetry?: true;
}

const TEMPORARY: Kind = {
  title: (makes) => `We couldn’t get an answer from ${makes || 'the manufacturer'}`,
  advice: 'Nothing is lost. Ask again in a few minutes; the status page shows what works right now.',
  canRetry: true,
};

/** By the code of a problem, the most useful first. */
const KINDS: Readonly<Record<string, Kind>> = {
  'no-label': {
    title: (makes) => `No sticker for these cars from ${makes || 'the manufacturer'}`,
    advice:
      'A car that was just built gets its sticker within days: look it up again next week. Of cars sold long ago most are gone. A dealer of the make can often reprint one from the VIN.',
  },
  'make-not-supported': {
    title: (makes) => `${makes} ${makes.includes(' and ') ? 'don’t' : 'doesn’t'} publish window stickers`,
    advice:
      'Asking again doesn’t help. A dealer of the make can often reprint a sticker, and with ?none=hide a card or badge shows nothing for these cars.',
  },
  'manufacturer-unknown': {
    title: () => 'NHTSA doesn’t know who made these cars',
    advice: 'Compare the first three characters of each VIN with the plate on the car.',
  },
  'source-off': {
    title: (makes) => `We’ve paused lookups for ${makes}`,
    advice: 'The status page says why. Ask again when they are back on.',
    canRetry: true,
  },
  withdrawn: {
    title: () => 'These stickers were withdrawn',
    advice: 'They are no longer available here. A dealer of the make can often reprint one.',
  },
};

const MISTYPED: Omit<Missing, 'cars'> = {
  title: 'These VINs probably have a typo, so we didn’t look them up',
  advice: 'Compare them with the plate on the car, correct your list and paste it again.',
  canRetry: false,
};
const NO_VIN: Omit<Missing, 'cars'> = {
  title: 'These rows have no VIN',
  advice: 'Correct them in your list and paste it again.',
  canRetry: false,
};
const UNREAD: Omit<Missing, 'cars'> = {
  title: 'These stickers have no price that we can read',
  advice: 'Some are pictures, and some don’t add up. Open the sticker to see its price.',
  canRetry: false,
};

/** What is missing, the groups with something to do first. */
export function missingOf(list: List, results: Results): Missing[] {
  const groups: Missing[] = [];
  const add = (group: Omit<Missing, 'cars'>, cars: Missing['cars']) => {
    if (cars.length > 0) groups.push({ ...group, cars });
  };
  const bad = list.rows.map((row) => row[list.vinColumn]!).filter((text) => vinOf(text) === null);
  add(
    NO_VIN,
    bad.map((text) => ({ name: text.trim().slice(0, 40) || '(empty)', note: vinError(text) })),
  );
  const cars = [...results];
  add(
    MISTYPED,
    cars
      .filter(([vin, { cells, decoded }]) => isMistyped(vin) && cells === null && !decoded.isStored)
      .map(([vin, { decoded }]) => ({
        name: vin,
        ...(decoded.suggested ? { note: `Did you mean ${decoded.suggested}?` } : {}),
      })),
  );
  const without = cars.filter(([, { cells }]) => cells && !STICKERS.has(cells.sticker));
  const kindOf = ([, { cells }]: [string, Found]): string =>
    Object.hasOwn(KINDS, String(cells!.reason)) ? String(cells!.reason) : '';
  for (const kind of ['', ...Object.keys(KINDS)]) {
    const { title, advice, canRetry = false } = KINDS[kind] ?? TEMPORARY;
    const found = without.filter((car) => kindOf(car) === kind);
    add({ title: title(makesOf(found)), advice, canRetry }, found.map(nameOf));
  }
  add(
    UNREAD,
    cars.filter(([, { cells }]) => cells && STICKERS.has(cells.sticker) && cells.total === null).map(nameOf),
  );
  return groups;
}

export const STICKERS: ReadonlySet<unknown> = new Set(['available', 'sample']);

const nameOf = ([vin, { decoded, cells }]: [string, Found]): Missing['cars'][number] => ({
  name: [cells?.name ?? decoded.name, vin].filter(Boolean).join(', '),
});

const makesOf = (found: readonly [string, Found][]): string =>
  joinWithAnd([...new Set(found.map(([, { decoded }]) => titleCase(decoded.make)).filter(Boolean))]);
