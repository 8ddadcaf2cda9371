import { z } from 'zod';
import { carName, nameParts } from '../lib/names.ts';
import { money, signedMoney, inWords } from '../lib/words.ts';
import { printedCarOf, withReading, type LookupResult } from '../lookup/finding.ts';
import { comparedSamples, contradiction } from '../lookup/messages.ts';
import {
  compareEquipment,
  compareLines,
  type ComparedLine,
  hasPrices,
  headline as comparisonHeadline,
  leadWords,
  namesApart,
  inOneCurrency,
} from '../reading/compare.ts';
import type { Label, Reading } from '../reading/types.ts';
import { MAX_FETCHES_PER_MINUTE } from '../lookup/fetch-limit.ts';
import { bounded, carLine, fitted, lines, missingText } from './text.ts';
import { lookUpVin, linksOf, toolError, toolResult, vinsInput, type Tool, type ToolContext } from './tool.ts';

const MAX_CARS = 4;

export const compareWindowStickers: Tool = {
  name: 'compare_window_stickers',
  title: 'Compare window stickers',
  description:
    `Compare window stickers of two to ${inWords(MAX_CARS)} cars by US VIN: which cost more when new, and the paint, options and equipment that differ. ` +
    'Use for why one cost more, or if options or paint match. Not for one car, over four, mpg or stars (read_window_sticker for each) or specifications (decode_vins). ' +
    `VINs not stored yet take up to 20 s in all; after ${MAX_FETCHES_PER_MINUTE} of those a minute per client, an error. Needs a readable sticker of each car, else says which lacks one.`,
  selection: {
    question: 'Why did this one cost more than that one?',
    decidingWords: 'the paint, options and equipment that differ',
  },
  example: ({ held, another }) => ({ vins: [held, another] }),
  input: z.strictObject({
    vins: vinsInput(2, MAX_CARS, 'One invalid or repeated VIN fails the whole call.'),
  }),
  output: z.object({
    summary: z.string().describe('In sentences.'),
    cars: z
      .array(z.looseObject({}))
      .describe(
        'Per car, in order: vin, name, total (dollars of its currency, or null), exterior (color), only (standard equipment not all have), page (URL), missing (why it has no reading, or null).',
      ),
    differences: z
      .array(z.looseObject({}))
      .describe(
        'Price lines (base, options, destination …) that differ: name; amounts in the order of cars, in dollars, "included" or "none" (both count as 0); difference in dollars (first minus second; of three or four, highest minus lowest).',
      ),
    same: z.array(z.string()).describe('Names of the price lines that are equal on all cars.'),
    complete: z
      .boolean()
      .describe(
        'Every car has a reading with prices, all in one currency; if not, differences and same are empty.',
      ),
  }),
  openWorld: true,
  async run(args, context) {
    const vins = args.vins as string[];
    const results = await Promise.all(vins.map((vin) => readOne(vin, context)));
    const failed = results.find((result) => 'error' in result);
    if (failed) return failed.error;
    const cars = results.filter((result) => 'found' in result);
    if (new Set(cars.map(({ found }) => found.vin)).size !== cars.length)
      return toolError('The same VIN appears twice. Give the VINs of different cars.');
    return compared(cars, context.baseUrl);
  },
};

interface Car {
  found: LookupResult;
  reading: Reading | null;
  label: Label | null;
}

async function readOne(vin: string, context: ToolContext) {
  const result = await lookUpVin(vin, context);
  if ('error' in result) return result;
  const { finding } = result.found;
  const reading = finding.state === 'held' ? await context.lookup.reading(finding.label) : null;
  const found = withReading(result.found, reading);
  return { found, reading, label: reading?.label ? (bounded(reading.label) as Label) : null };
}

function compared(cars: readonly Car[], baseUrl: string) {
  const labels = cars.map(({ label }) => label).filter((label) => label !== null);
  const allRead = labels.length === cars.length;
  const allPriced = labels.every(hasPrices);
  const complete = allRead && allPriced && inOneCurrency(labels);
  const priceLines = complete ? compareLines(labels) : [];
  const different = priceLines.filter(({ same }) => !same);
  const equipment = complete ? compareEquipment(labels) : [];
  const names = namesApart(
    cars.map(({ found, label }) => ({
      ...nameParts(found.decoded.vehicle, printedCarOf(found)),
      paint: label?.exterior?.color,
    })),
  );
  const totals = cars.map(({ label }) => label?.prices.total ?? null);
  const result = complete
    ? `${comparisonHeadline(names, totals)}. ${leadWords(
        cars.map(({ reading }) => reading!),
        priceLines,
        names,
      )}`
    : !allRead
      ? "We couldn't read every sticker, so prices can't be compared line by line."
      : !allPriced
        ? "We couldn't find all prices on every sticker, so they can't be compared line by line."
        : "Some prices are in US dollars and some in Canadian dollars, so they can't be compared line by line.";
  const summary = `${comparedSamples(cars.map(({ found }) => found))}${result}`;
  const rows = cars.map((car, index) => ({
    vin: car.found.vin,
    name: carName(car.found.decoded.vehicle, printedCarOf(car.found)),
    total: inDollars(totals[index]!),
    exterior: car.label?.exterior?.color ?? null,
    only: equipment[index]?.only ?? [],
    page: linksOf(car.found.vin, baseUrl).page,
    missing: car.label ? null : whyUnread(car),
  }));
  return toolResult(
    {
      ok: true,
      summary,
      cars: rows,
      differences: different.map(({ name, prices, difference }) => ({
        name,
        amounts: prices.map((price) => (typeof price === 'number' ? price / 100 : price)),
        difference: difference / 100,
      })),
      same: priceLines.filter(({ same }) => same).map(({ name }) => name),
      complete,
    },
    fitted(
      lines(
        summary,
        ...cars.map(
          ({ found }, index) =>
            `${index + 1}. ${carLine(found)}: ${totals[index] === null ? (rows[index]!.missing ?? 'no total price found') : money(totals[index]!)}`,
        ),
        ...cars.map(
          ({ found }) => contradiction(found) && `Warning for ${found.vin}: ${contradiction(found)}`,
        ),
        different.length > 0 &&
          `Differences${cars.length === 2 ? ', first car minus second' : ''} (printed text, data only):`,
      ),
      different.map(differenceText),
      '',
    ),
  );
}

const inDollars = (cents: number | null): number | null => (cents === null ? null : cents / 100);

function differenceText({ name, prices, difference }: ComparedLine): string {
  const amounts = prices.map((price) => (typeof price === 'number' ? money(price) : price)).join(' / ');
  return `- ${name.replace(/:$/, '')}: ${amounts} (${prices.length === 2 ? signedMoney(difference) : money(difference)})`;
}

function whyUnread({ found }: Car): string {
  return found.finding.state === 'held'
    ? "There is a label, but its text can't be read; look at it with show_window_sticker."
    : missingText(found);
}
