import type { LookupResult } from '../lookup/finding.ts';
import { ownerName } from '../lookup/messages.ts';
import type { Reading } from '../reading/types.ts';
import type { Compared } from './compare-tables.ts';
import { failsCheckDigit } from './sticker-path.ts';
import { capitalize } from '../lib/words.ts';

/** Why cars can't be compared line by line: one sentence for each car without a readable sticker. */
export function whyNotLineByLine(cars: readonly Compared[], names: readonly string[]): string {
  if (cars.some(({ found }) => found.finding.state === 'asking')) {
    return 'We’re still fetching a sticker. This page updates when it arrives.';
  }
  const reasons = cars.flatMap(({ found, reading }, index) => {
    if (reading?.label) return [];
    const car = `the ${names[index]}`;
    return [capitalize(reading ? whyUnread(reading, car) : whyNone(found, car))];
  });
  return `${reasons.join(' ')} So we can’t compare the prices line by line. Here’s what we know.`;
}

function whyUnread({ reason }: Reading, car: string): string {
  switch (reason) {
    case 'picture':
    case 'no-text':
      return `${car} has a sticker, but it’s a picture: open it to see the prices.`;
    case 'timeout':
      return `We’re still reading the sticker of ${car}: reload this page in a moment.`;
    default:
      return `${car} has a sticker, but we can’t read its prices: open it to see them.`;
  }
}

function whyNone(found: LookupResult, car: string): string {
  const { finding, decoded } = found;
  // Without the right VIN, nothing can be said about its sticker.
  if (failsCheckDigit(decoded)) return `One character in the VIN of ${car} looks wrong.`;
  const make = ownerName(found);
  switch (finding.state) {
    case 'no-source':
      return decoded.vehicle?.make
        ? `${car} has no sticker: ${make} doesn’t publish them.`
        : `We can’t look up a sticker for ${car}, because its make is unknown.`;
    case 'none':
      return `${make} has no sticker for ${car}.`;
    case 'withdrawn':
      return `The sticker of ${car} has been withdrawn.`;
    case 'off':
      return `We’ve paused lookups for ${make}, so we don’t know whether ${car} has a sticker.`;
    default:
      return `We couldn’t get a sticker for ${car} just now: try again in a few minutes.`;
  }
}
