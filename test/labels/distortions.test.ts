import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../src/lib/testing.ts';
import { specimenPdf, specimens } from '../../src/lookup/specimens/index.ts';
import { pdfIn } from '../../src/lookup/judge.ts';
import { readText } from '@monroney/label/read-text';
import { extractText } from '@monroney/label/pdf/text';
import type { LabelText, Reading } from '@monroney/label/reading/types';
import { factsOf } from '../../tools/labels/facts.ts';
import * as distort from './distort.ts';
import { pathOf, pdfOf, recordedLabels, skip, textOf } from './recorded.ts';

/** Labels that other programs have rewritten: the words are the same, so the reading must be the same. */

/** The readers that find everything by its position. */
const POSITIONAL_READERS = /^(?:gm|stellantis|ford|kia|hyundai|toyota)\//;

/** These must not lose or change any fact. */
const HARMLESS: Record<string, distort.Distortion> = {
  'shifted left and down': distort.shift(-30, 25),
  'shifted right and up': distort.shift(55, -2),
  'scaled to 0.9': distort.scale(0.9),
  'scaled to 1.1': distort.scale(1.1),
  'in another content order': distort.shuffle(7),
  'scaled and in another content order': (text) => distort.scale(0.95)(distort.shuffle(3)(text)),
  'indented by 40 points': distort.indent(0, 40),
  'with its right half further right': distort.indent(600, 40),
  'beside another column': distort.secondColumn(),
};

/** These may lose a few facts, but must not change any. */
const LOSSY: Record<string, distort.Distortion> = {
  'in split runs': distort.split(5),
  'in split runs and another order': (text) => distort.shuffle(1)(distort.split(9)(text)),
  'in joined runs': distort.join(),
};
const MIN_KEPT_SHARE = 0.95;
const FEDERAL_BOX = /^label\.(?:fuelEconomy|safety|parts)\./;

interface Sample {
  file: string;
  vin: string;
  make?: string;
  text: LabelText;
}

/** A fact that must never differ: a color, an amount or a number. */
const isHard = (path: string, value: unknown): boolean =>
  typeof value === 'number' || /exterior|paint|interior|vin$/.test(path);

function assertSameReading(
  change: string,
  { vin, make, text }: Omit<Sample, 'file'>,
  changed: LabelText,
): void {
  const context = { vin, ...(make ? { make } : {}) };
  const before = factsOf(readText(text, context));
  assert.ok(before.size > 5, `${vin} is read`);
  assert.deepEqual(factsOf(readText(changed, context)), before, `${vin} ${change}`);
}

/** The price of each option by name, without options that are listed twice. */
function optionPrices({ label }: Reading): Map<string, number | null> {
  const options = label?.prices.options ?? [];
  const names = options.map(({ name }) => name);
  return new Map(
    options
      .filter(({ name }) => names.indexOf(name) === names.lastIndexOf(name))
      .map(({ name, price }) => [name, price]),
  );
}

function assertMostFactsKept(change: string, cars: Sample[], apply: (car: Sample) => LabelText): void {
  let [facts, kept] = [0, 0];
  for (const car of cars) {
    const [original, distorted] = [car.text, apply(car)].map((text) => readText(text, { vin: car.vin }));
    const [before, after] = [factsOf(original!), factsOf(distorted!)];
    const pricesBefore = optionPrices(original!);
    for (const [name, price] of optionPrices(distorted!))
      if (pricesBefore.has(name))
        assert.equal(price, pricesBefore.get(name), `${car.vin} ${change}: ${name}`);
    for (const [path, value] of before) {
      // Whether the prices add up follows from the other facts.
      if (path.startsWith('proof')) continue;
      facts++;
      // Its figures are far apart, so splitting runs must not lose any of them.
      if (change.startsWith('in split') && FEDERAL_BOX.test(path))
        assert.equal(after.get(path), value, `${car.vin} ${change}: ${path}`);
      if (after.get(path) === value) kept++;
      else if (after.has(path) && isHard(path, value) && !/\.options\.|\.standard\./.test(path))
        assert.fail(`${car.vin} ${change}: ${path} is ${String(after.get(path))}, not ${String(value)}`);
    }
  }
  assert.ok(kept >= MIN_KEPT_SHARE * facts, `${change}: ${kept} of ${facts} facts are kept`);
}

const cars: Sample[] = [];
/** Some of them, for changes that take long, and always those of Toyota, of which there are few. */
const everyNth = (n: number): Sample[] =>
  cars.filter(({ file }, index) => index % n === 0 || file.includes('/toyota/'));

test('sample labels can be loaded', { skip }, async () => {
  for (const { file, vin } of recordedLabels.filter(({ file }) => file.endsWith('.pdf'))) {
    const text = await textOf(file);
    if (POSITIONAL_READERS.test(readText(text, { vin }).reader)) cars.push({ file, vin, text });
  }
  assert.ok(cars.length >= 80);
});

for (const [change, distortion] of Object.entries(HARMLESS))
  test(`a sample ${change} has the same reading`, { skip }, () => {
    for (const car of cars) assertSameReading(change, car, distortion(car.text));
  });

for (const [change, distortion] of Object.entries(LOSSY))
  test(`samples ${change} keep most facts and change none`, { skip }, () => {
    assertMostFactsKept(change, cars, (car) => distortion(car.text));
  });

test('GM: the indentation of equipment, options and wrapped lines makes no difference', { skip }, () => {
  for (const car of cars) {
    const { reader, label } = readText(car.text, { vin: car.vin });
    if (!reader.startsWith('gm/')) continue;
    const listed = JSON.stringify([label!.standard, label!.prices.options.map(({ children }) => children)]);
    const isFree = (line: string): boolean =>
      line.length > 8 && listed.includes(JSON.stringify(line.replace(/^[•·]\s*/, '')).slice(1, -1));
    assertSameReading('with ragged lines', car, distort.ragged(4, 40, isFree)(car.text));
  }
});

const hasQpdf = spawnSync('qpdf', ['--version']).status === 0;

test(
  'a page on its side or upside down has the same reading',
  { skip: skip || (!hasQpdf && 'skipped: no qpdf') },
  async (t) => {
    const folder = temporaryFolder(t);
    for (const [index, car] of everyNth(6).entries()) {
      const degrees = [90, 180, 270][index % 3]!;
      const file = join(folder, `${car.vin}.pdf`);
      // Exit code 3 is a warning: some samples have a damaged cross-reference table.
      const { status } = spawnSync('qpdf', [`--rotate=+${degrees}`, pathOf(car.file), file]);
      assert.ok(status === 0 || status === 3, `qpdf ended with ${String(status)}`);
      assertSameReading(`rotated by ${degrees}`, car, await extractText(pdfIn(readFileSync(file))!));
    }
  },
);

/** Programs that rewrite a PDF. `REPRINT=all` rewrites every sample, otherwise only a few. */
const PRINTERS: Record<string, (from: string, to: string) => string[]> = {
  gs: (from, to) => ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-o', to, from],
  pdftocairo: (from, to) => ['-pdf', from, to],
};
const EVERY_NTH = process.env['REPRINT'] === 'all' ? 1 : 19;

for (const [program, args] of Object.entries(PRINTERS)) {
  const missing = spawnSync(program, ['-v']).error ? `skipped: no ${program}` : false;
  const reprint = async (labels: { vin: string; pdf: Uint8Array }[], folder: string) => {
    const texts = new Map<string, LabelText>();
    for (const { vin, pdf } of labels) {
      const [from, to] = [join(folder, 'from.pdf'), join(folder, 'to.pdf')];
      writeFileSync(from, pdf);
      const { status, stderr } = spawnSync(program, args(from, to), { encoding: 'utf8' });
      assert.equal(status, 0, `${vin} ${program}: ${stderr}`);
      texts.set(vin, await extractText(pdfIn(readFileSync(to))!));
    }
    return texts;
  };
  test(
    `samples printed again by ${program} keep most facts and change none`,
    { skip: skip || missing },
    async (t) => {
      const selected = everyNth(EVERY_NTH);
      const labels = selected.map(({ vin, file }) => ({ vin, pdf: pdfOf(file) }));
      const texts = await reprint(labels, temporaryFolder(t));
      assertMostFactsKept(`printed again by ${program}`, selected, ({ vin }) => texts.get(vin)!);
    },
  );

  test(
    `specimens printed again by ${program} keep most facts and change none`,
    { skip: missing },
    async (t) => {
      const labels = specimens
        .filter(({ make, label }) => label && /^(?:Ford|Kia|Hyundai|Chevrolet|Jeep|Toyota)$/i.test(make))
        .map(({ vin }) => ({ vin, pdf: specimenPdf(vin) }));
      assert.ok(labels.length >= 4);
      const texts = await reprint(labels, temporaryFolder(t));
      const samples: Sample[] = [];
      for (const { vin, pdf } of labels) samples.push({ file: '', vin, text: await extractText(pdf) });
      assertMostFactsKept(`printed again by ${program}`, samples, ({ vin }) => texts.get(vin)!);
    },
  );
}

test('two labels in one file are read from the page of the requested VIN', { skip }, () => {
  for (const [index, car] of cars.entries()) {
    const other = cars[(index + 7) % cars.length]!;
    const file = { ...car.text, pages: [...other.text.pages, ...car.text.pages] };
    assertSameReading('behind another label', car, file);
    assert.equal(readText(file).reason, 'several-vehicles');
    const onOnePage = {
      ...car.text,
      pages: [
        {
          ...car.text.pages[0]!,
          items: [...car.text.pages[0]!.items, ...distort.shift(1300, 0)(other.text).pages[0]!.items],
        },
      ],
    };
    assert.equal(readText(onOnePage, { vin: car.vin }).reason, 'several-vehicles');
  }
});

test('specimens have the same reading, however they are distorted', async () => {
  for (const { vin, make, label } of specimens) {
    if (!label) continue;
    const text = await extractText(specimenPdf(vin));
    if (!POSITIONAL_READERS.test(readText(text, { vin, make }).reader)) continue;
    for (const [change, distortion] of Object.entries(HARMLESS))
      assertSameReading(change, { vin, make, text }, distortion(text));
  }
});
