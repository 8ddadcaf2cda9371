import { z } from 'zod';
import { carName, nameParts } from '@monroney/label/lib/names';
import { money, signedMoney, inWords } from '@monroney/label/lib/words';
import { withReading, type LookupResult } from '../lookup/finding.ts';
import { comparedSamples, contradiction, originWords } from '../lookup/messages.ts';
import {
  compareEquipment,
  compareLines,
  type ComparedLine,
  hasPrices,
  headline as comparisonHeadline,
  namesApart,
  inOneCurrency,
} from '@monroney/label/reading/compare';
import type { Label, Reading } from '@monroney/label/reading/types';
import { optionName } from '@monroney/label/lib/option-names';
import { bounded, carLine, lines, missingText, quoted, vehicleOf } from './text.ts';
import {
  brief,
  lookUpVin,
  linksOf,
  toolError,
  toolResult,
  vinsInput,
  type Tool,
  type ToolContext,
} from './tool.ts';

const MAX_CARS = 4;

export const compareWindowStickers: Tool = {
  name: 'compare_window_stickers',
  title: 'Compare window stickers',
  description:
    `Compare window stickers of two to ${inWords(MAX_CARS)} cars by US VIN: which cost more when new, and the paint, options and equipment that differ. ` +
    'Use for why one cost more, or if options or paint match. Not for one car, over four, mpg or stars (read_window_sticker for each) or specifications (decode_vins). ' +
    `VINs not stored yet take up to 20 s in all; an error says when to retry. Needs a readable sticker of each car, else says which lacks one.`,
  selection: {
    use: 'Comparing two to four cars',
    question: 'Why did this one cost more than that one?',
    decidingWords: 'the paint, options and equipment that differ',
  },
  example: ({ held, another }) => ({ vins: [held, another] }),
  input: z.strictObject({
    vins: vinsInput(2, MAX_CARS, 'One invalid or repeated VIN fails the whole call.'),
  }),
  output: z.object({
    summary: z.string().describe('In sentences.'),
    cars: brief(
      z.array(
        z.object({
          vin: z.string(),
          name: z.string().nullable(),
          totalCents: z.int().nullable(),
          exterior: z.string().nullable(),
          only: z.array(z.string()),
          page: z.string().nullable(),
          missing: z.string().nullable(),
        }),
      ),
      'In order. name: by the VIN; exterior: color as printed; only: standard equipment not all have; missing: why it has no reading.',
    ),
    differences: brief(
      z.array(
        z.object({
          name: z.string(),
          amountsCents: z.array(z.union([z.int(), z.string()])),
          differenceCents: z.int(),
        }),
      ),
      'Price lines (base, options, destination …) that differ: name as printed; amounts in the order of cars, or "included" or "none" (not listed; both count as 0); difference: first minus second; of three or four, highest minus lowest.',
    ),
    same: z.array(z.string()).describe('Price lines that are equal on all cars.'),
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

function compared(cars: readonly Car[], baseUrl: string | null) {
  const labels = cars.map(({ label }) => label).filter((label) => label !== null);
  const allRead = labels.length === cars.length;
  const allPriced = labels.every(hasPrices);
  const complete = allRead && allPriced && inOneCurrency(labels);
  const priceLines = complete ? compareLines(labels) : [];
  const [different, same] = [priceLines.filter((line) => !line.same), priceLines.filter((line) => line.same)];
  const equipment = complete ? compareEquipment(labels) : [];
  const totals = cars.map(({ label }) => label?.prices.total ?? null);
  // By their VINs: what labels print is quoted below.
  const names = namesApart(cars.map(({ found }) => nameParts(vehicleOf(found), null)));
  const result = complete
    ? `${comparisonHeadline(names, totals)}.${cars.every(({ reading }) => reading?.proof?.closes) ? '' : DOUBT}`
    : !allRead
      ? "We couldn't read every sticker, so prices can't be compared line by line."
      : !allPriced
        ? "We couldn't find all prices on every sticker, so they can't be compared line by line."
        : "Some prices are in US dollars and some in Canadian dollars, so they can't be compared line by line.";
  const summary = `${comparedSamples(cars.map(({ found }) => found))}${result}`;
  const rows = cars.map((car, index) => ({
    vin: car.found.vin,
    name: carName(vehicleOf(car.found)),
    totalCents: totals[index]!,
    exterior: car.label?.exterior?.color ?? null,
    only: equipment[index]?.only ?? [],
    page: linksOf(car.found.vin, baseUrl)?.page ?? null,
    missing: car.label ? null : whyUnread(car),
  }));
  return toolResult(
    {
      summary,
      cars: rows,
      differences: different.map(({ name, prices, difference }) => ({
        name,
        amountsCents: prices,
        differenceCents: difference,
      })),
      same: same.map(({ name }) => name),
      complete,
    },
    lines(
      summary,
      ...cars.map(
        ({ found }, index) =>
          `${index + 1}. ${carLine(found)}: ${totals[index] === null ? (rows[index]!.missing ?? 'no total price found') : money(totals[index]!)}${kindIn(found)}`,
      ),
      ...cars.map(({ found }) => contradiction(found) && `Warning for ${found.vin}: ${contradiction(found)}`),
      different.length > 0 &&
        `In parentheses: ${cars.length === 2 ? 'car 1 minus car 2' : 'the highest amount minus the lowest'}.`,
      quoted(
        `From the stickers, ${cars.map((_, index) => `car ${index + 1}`).join(' / ')}`,
        ...labelLines(cars, 'Model', ({ model }) => model),
        ...labelLines(cars, 'Paint', (label) => label.exterior && optionName(label.exterior.color, label)),
        ...different.map(differenceText),
        same.length > 0 && `The same on all: ${same.map(({ name }) => optionName(name)).join('; ')}`,
        ...rows.map(({ only }, index) => only.length > 0 && onlyText(only, index)),
      ),
    ),
  );
}

const DOUBT = ' Not every sticker could be read to the cent, so trust the stickers over this comparison.';

function labelLines(cars: readonly Car[], name: string, value: (label: Label) => string | null): string[] {
  const values = cars.map(({ label }) => (label && value(label)) ?? 'not read');
  return values.every((text) => text === 'not read') ? [] : [`${name}: ${values.join(' / ')}`];
}

/** ` (a copy from a dealer website, …)`. */
function kindIn(found: LookupResult): string {
  const kind = originWords(found);
  return kind ? ` (${kind})` : '';
}

/** Cars of different makes have nothing in common that is worth listing in full. */
const MAX_ONLY = 12;

function onlyText(only: readonly string[], index: number): string {
  const more = only.length > MAX_ONLY ? ` and ${only.length - MAX_ONLY} more` : '';
  return `Standard on car ${index + 1}, not listed by all (makers name things differently): ${only
    .slice(0, MAX_ONLY)
    .map((name) => optionName(name))
    .join('; ')}${more}`;
}

function differenceText({ name, prices, difference }: ComparedLine): string {
  const amounts = prices
    .map((price) => (typeof price === 'number' ? money(price) : price === 'none' ? 'not listed' : price))
    .join(' / ');
  return `- ${optionName(name)}: ${amounts} (${prices.length === 2 ? signedMoney(difference) : money(difference)})`;
}

function whyUnread({ found }: Car): string {
  return found.finding.state === 'held'
    ? "There is a sticker, but its text can't be read; look at it with show_window_sticker."
    : missingText(found);
}
