import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readText } from '../../src/makers/read.ts';
import { extractText } from '../../src/pdf/text.ts';
import { readFederalBoxes } from '../../src/reading/federal.ts';
import { linesOf } from '../../src/reading/lines.ts';
import { blankLabel } from '../../src/reading/reader.ts';
import type { Label, LabelText, TextItem, TextPage } from '../../src/reading/types.ts';
import { sample, withoutSamples } from '../samples.ts';

/** What people read on pictures of real labels, recorded before there was a reader. */
type Facts = Partial<
  Pick<Label, 'fuelEconomy' | 'safety' | 'parts' | 'assembly' | 'portOfEntry' | 'warranty'>
>;
const facts: Record<string, Facts> = JSON.parse(
  readFileSync(new URL('federal-facts.json', import.meta.url), 'utf8'),
);

const skip = withoutSamples('samples/labels') || withoutSamples('samples/labels-2');
const texts = new Map<string, LabelText>();

/** Some manufacturers wrap the PDF; the label begins at its first bytes. */
async function textOf(file: string): Promise<LabelText> {
  const bytes = readFileSync(file);
  return extractText(bytes.subarray(Math.max(0, bytes.indexOf('%PDF-'))));
}

test('text and shapes are extracted from every real label', { skip }, async () => {
  for (const folder of ['samples/labels', 'samples/labels-2']) {
    const path = sample(folder)!;
    for (const file of readdirSync(path, { recursive: true, encoding: 'utf8' }))
      if (file.endsWith('.pdf')) texts.set(/([^/]+)\.pdf$/.exec(file)![1]!, await textOf(`${path}/${file}`));
  }
  assert.ok(texts.size >= 114);
});

test('the federal boxes agree with what people read on the picture', { skip }, () => {
  for (const [vin, expectedFacts] of Object.entries(facts)) {
    const { label } = readText(texts.get(vin)!, { vin });
    assert.ok(label, vin);
    for (const [field, expected] of Object.entries(expectedFacts))
      assert.deepEqual(label[field as keyof Facts] ?? null, expected, `${vin} ${field}`);
  }
});

interface Other {
  vin: string;
  combined?: number;
  city?: number;
  highway?: number;
  per100?: number;
  co2?: number;
  annualFuelCost?: number;
  fiveYear?: number;
  saves?: boolean;
  greenhouse?: number;
  smog?: number;
  combinedBoth?: [number, number];
}

test(
  'the numbers agree with those of another extractor',
  { skip: withoutSamples('samples/federal.jsonl') },
  () => {
    const rows = readFileSync(sample('samples/federal.jsonl')!, 'utf8').trim().split('\n');
    for (const { vin, ...other } of JSON.parse(`[${rows.join(',')}]`) as Other[]) {
      const fuel = readText(texts.get(vin)!, { vin }).label?.fuelEconomy;
      assert.ok(fuel, vin);
      const { fiveYearCost } = fuel;
      assert.partialDeepStrictEqual(
        {
          ...fuel,
          annualFuelCost: fuel.annualFuelCost! / 100,
          fiveYear: fiveYearCost === null ? null : Math.abs(fiveYearCost) / 100,
          saves: fiveYearCost === null ? null : fiveYearCost < 0,
          greenhouse: fuel.greenhouseRating,
          smog: fuel.smogRating,
          combinedBoth: [fuel.combined, fuel.electric?.combined],
        },
        other,
        vin,
      );
    }
  },
);

/** The federal boxes alone, without what a maker's reader adds. */
function boxesOf(text: LabelText): Facts {
  const label = blankLabel('Ford');
  const lines = linesOf(text);
  const words = lines.map((line) => line.text).join('\n');
  readFederalBoxes(label, { text, lines, words, positioned: true, vin: null });
  const { fuelEconomy, safety, parts, assembly, portOfEntry } = label;
  return {
    fuelEconomy,
    safety: safety ?? null,
    parts: parts ?? null,
    assembly,
    portOfEntry: portOfEntry ?? null,
  };
}

function mapPages(text: LabelText, change: (page: TextPage) => TextPage): LabelText {
  return { ...text, pages: text.pages.map(change) };
}

function scaled(page: TextPage, by: number, dx: number, dy: number): TextPage {
  const box = <T extends { x: number; y: number; width: number }>(element: T): T => ({
    ...element,
    x: element.x * by + dx,
    y: element.y * by + dy,
    width: element.width * by,
  });
  return {
    width: page.width * by,
    height: page.height * by,
    items: page.items.map((item) => ({ ...box(item), size: item.size * by })),
    ...(page.shapes
      ? { shapes: page.shapes.map((shape) => ({ ...box(shape), height: shape.height * by })) }
      : {}),
  };
}

/** Reverses the order of lines, but not of the runs within a line. */
function reordered(page: TextPage): TextPage {
  const lines: TextItem[][] = [];
  for (const item of page.items) {
    const line = lines.at(-1);
    if (line?.[0]?.y === item.y) line.push(item);
    else lines.push([item]);
  }
  return {
    ...page,
    items: lines.toReversed().flat(),
    ...(page.shapes ? { shapes: page.shapes.toReversed() } : {}),
  };
}

function split(page: TextPage): TextPage {
  const items = page.items.flatMap((item): TextItem[] => {
    const half = Math.floor(item.text.length / 2);
    if (item.text.trim().length < 4) return [item];
    const letter = item.width / item.text.length;
    return [
      { ...item, text: item.text.slice(0, half), width: half * letter },
      {
        ...item,
        text: item.text.slice(half),
        x: item.x + half * letter,
        width: item.width - half * letter,
      },
    ];
  });
  return { ...page, items };
}

test('shifting, scaling, reordering and splitting text does not change the federal boxes', { skip }, () => {
  const changes: [string, (page: TextPage) => TextPage][] = [
    ['shifted', (page) => scaled(page, 1, 37, -23)],
    ['smaller', (page) => scaled(page, 0.9, 11, 5)],
    ['larger', (page) => scaled(page, 1.1, -30, 18)],
    ['reordered', reordered],
    ['split', split],
  ];
  for (const [vin, text] of texts) {
    const before = boxesOf(text);
    for (const [name, change] of changes)
      assert.deepEqual(boxesOf(mapPages(text, change)), before, `${vin} ${name}`);
  }
});
