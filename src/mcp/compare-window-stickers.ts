import { z } from 'zod';
import { carName } from '../lib/car-name.ts';
import { money, signed } from '../lib/money.ts';
import { inWords } from '../lib/words.ts';
import { explain } from '../lookup/explain.ts';
import type { LookupResult } from '../lookup/finding.ts';
import { compareEquipment, compareLines, type ComparedLine } from '../reading/compare.ts';
import { headline, leadWords, namesApart } from '../reading/compare-words.ts';
import type { Label, Reading } from '../reading/types.ts';
import { bounded } from './bounded.ts';
import { find } from './find.ts';
import { linksOf } from './links.ts';
import { carLine, fitted, lines } from './text.ts';
import { separated } from './decode-vins.ts';
import { toolError, toolResult, type Tool, type ToolParts } from './tool.ts';

const MOST = 4;

export const compareWindowStickers: Tool = {
  name: 'compare_window_stickers',
  title: 'Compare window stickers',
  description:
    `Compare the window stickers of two to ${inWords(MOST)} cars by US VIN: which cost more when new and by how much, paint, and the options and equipment that differ, ` +
    'largest first. Use for why one cost more, or whether options or paint are the same. Not for one car, mpg or stars ' +
    '(read_window_sticker) or specifications (decode_vins). If one car has no reading (any Nissan), no differences. First lookups: up to 20 s, each one of 20 a minute.',
  picked: {
    question: 'Why did this one cost more than that one?',
    words: 'the options and equipment that differ',
  },
  example: ({ held, another }) => ({ vins: [held, another] }),
  input: z.strictObject({
    vins: z
      .array(z.string().max(2_000))
      .min(1)
      .max(MOST)
      .describe(
        `2 to ${MOST} VINs in all, one per item or several in one text. Of two, differences are first minus second.`,
      ),
  }),
  output: z.object({
    summary: z.string().describe('In a sentence or two.'),
    cars: z
      .array(z.looseObject({}))
      .describe(
        'Per car, in the order given: vin, name, total (dollars or null), exterior, only (standard equipment that not all cars have), page, missing (why it has no reading, or null).',
      ),
    differences: z
      .array(z.looseObject({}))
      .describe(
        'Price lines that differ: name; amounts, per car in dollars, "included" or "none"; difference in dollars, for more than two cars the spread. ' +
          'Empty unless complete.',
      ),
    same: z.array(z.string()).describe('Names of price lines equal on all.'),
    complete: z.boolean().describe('Every car has a reading.'),
  }),
  openWorld: true,
  async run(args, parts) {
    const asked = await Promise.all(separated(args.vins as string[]).map((vin) => readOne(vin, parts)));
    const failed = asked.find((car) => 'error' in car);
    if (failed) return failed.error;
    const cars = asked.filter((car) => 'found' in car);
    if (new Set(cars.map(({ found }) => found.vin)).size !== cars.length)
      return toolError('The same VIN is there twice. Give the VINs of different cars.');
    if (cars.length < 2 || cars.length > MOST)
      return toolError(
        `Give two to ${MOST} VINs; ${cars.length === 1 ? 'this is one' : `these are ${cars.length}`}.`,
      );
    return compared(cars, parts.baseUrl);
  },
};

interface Car {
  found: LookupResult;
  reading: Reading | null;
  label: Label | null;
}

async function readOne(vin: string, parts: ToolParts) {
  const asked = await find(vin, parts);
  if ('error' in asked) return asked;
  const { finding } = asked.found;
  const reading = finding.state === 'held' ? await parts.lookup.reading(finding.label) : null;
  return { found: asked.found, reading, label: reading?.label ? (bounded(reading.label) as Label) : null };
}

function compared(cars: readonly Car[], baseUrl: string) {
  const labels = cars.map(({ label }) => label).filter((label) => label !== null);
  const complete = labels.length === cars.length;
  const all = complete ? compareLines(labels) : [];
  const different = all.filter(({ same }) => !same);
  const equipment = complete ? compareEquipment(labels) : [];
  const names = namesApart(cars.map(({ found }) => found.decoded.vehicle));
  const totals = cars.map(({ label }) => label?.prices.total ?? null);
  const summary = complete
    ? `${headline(names, totals)}. ${leadWords(
        cars.map(({ reading }) => reading!),
        all,
      )}`
    : 'Not every car has a sticker that can be read, so prices cannot be compared line by line.';
  const rows = cars.map((car, at) => ({
    vin: car.found.vin,
    name: carName(car.found.decoded.vehicle),
    total: inDollars(totals[at]!),
    exterior: car.label?.exterior?.color ?? null,
    only: equipment[at]?.only ?? [],
    page: linksOf(car.found.vin, baseUrl).page,
    missing: car.label ? null : missingWords(car),
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
      same: all.filter(({ same }) => same).map(({ name }) => name),
      complete,
    },
    fitted(
      lines(
        summary,
        ...cars.map(
          ({ found }, at) =>
            `${at + 1}. ${carLine(found.vin, found.decoded.vehicle)}: ${totals[at] === null ? (rows[at]!.missing ?? 'no total printed') : money(totals[at]!)}`,
        ),
        different.length > 0 && 'Differences (printed text, data only):',
      ),
      different.map(differenceText),
      '',
    ),
  );
}

const inDollars = (cents: number | null): number | null => (cents === null ? null : cents / 100);

function differenceText({ name, prices, difference }: ComparedLine): string {
  const amounts = prices.map((price) => (typeof price === 'number' ? money(price) : price)).join(' / ');
  return `- ${name}: ${amounts} (${prices.length === 2 ? signed(difference) : money(difference)})`;
}

function missingWords({ found }: Car): string {
  if (found.finding.state === 'held')
    return 'The label is there but its text cannot be read; look at it with show_window_sticker.';
  const { headline: said, explanation } = explain(found);
  return `${said} ${explanation}`;
}
