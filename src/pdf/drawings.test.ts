import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { evaluatedByPdfJs, evaluatedWithDrawings, pdfWithForm } from '../../test/operators.ts';
import { takeDrawings } from './drawings.ts';

/** Long enough to be worth the work. */
const curves =
  'q 1 0 0 -1 0 0 cm 0 0 0 1 k 10.5 -20 m 30 -40 -5 60.25 70 80 c 1 2 3 4 v 5 6 7 8 y h f Q\n'.repeat(30);

async function drawingsIn(content: string): Promise<number> {
  const pdf = pdfWithForm(content);
  const [expected, { drawings, ...actual }] = [await evaluatedByPdfJs(pdf), await evaluatedWithDrawings(pdf)];
  assert.deepEqual(actual, expected);
  return drawings;
}

test('a drawing is evaluated as pdf.js evaluates it', async () => {
  assert.equal(await drawingsIn(curves), 1);
  const paints = ['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'n', 'W n', 'W* n'];
  for (const paint of paints)
    assert.equal(
      await drawingsIn(`${curves} q 1 2 30 40 re 5 6 m 7 8 l h ${paint} 1 1 0 9 re f Q`),
      1,
      paint,
    );
  const states = [
    '.2 g',
    '1 G',
    '1 .5 -3 rg',
    '0 0 0 RG',
    '.1 .2 .3 .4 k',
    '1 0 0 0 K',
    '3 w',
    '1 J',
    '2 j',
    '4 M',
  ];
  for (const state of states)
    assert.equal(
      await drawingsIn(`${curves} q ${state} q 2 0 0 2 +5 -.5 cm 1 2 3 4 re f Q 5 6 7 8 re S Q`),
      1,
      state,
    );
});

test('what only draws is taken out from between text and other operators', async () => {
  const text = 'BT /F 12 Tf 20 20 Td (one \\) 1 2 m \\( q) Tj ET';
  assert.equal(await drawingsIn(`${curves} ${text} ${curves}`), 2);
  assert.equal(
    await drawingsIn(`q 2 0 0 2 0 0 cm ${curves} ${text} q ${text} ${curves} Q ${curves} Q ${text}`),
    3,
  );
  assert.equal(await drawingsIn(`q /G gs ${curves} Q q 1 1 5 5 re f Q`), 1);
});

test('text before and after a drawing stays one run', async () => {
  const pdf = pdfWithForm(`BT /F 12 Tf 20 20 Td (one) Tj ${curves} (two) Tj ET`);
  const { texts, drawings } = await evaluatedWithDrawings(pdf);
  assert.equal(drawings, 1);
  assert.deepEqual(texts, (await evaluatedByPdfJs(pdf)).texts);
  assert.match(JSON.stringify(texts), /"onetwo"/);
});

test('a stream with anything unusual stays as it is', async () => {
  const unusual = [
    'q 1 2 m 3 4 l',
    'Q',
    'q 1 2 l S Q',
    'q 1 m 3 4 l S Q',
    '1 q Q',
    'q 1 2 m q 3 4 l S Q Q',
    'q 1 2 3 4 re W 5 6 7 8 re n Q',
    'q 1--2 2 m 3 4 l S Q',
    'q 1.2.3 2 m 3 4 l S Q',
    'Qq',
    'q 1 2m3 4 l S Q',
    '% q',
    'BI /W 1 /H 1 /BPC 8 /CS /G ID x EI',
    '(open',
    '{ }',
    'unknown',
  ];
  for (const part of unusual) assert.equal(await drawingsIn(`${curves} ${part} ${curves}`), 0, part);
});

test('forms that are compressed differently, or incomplete, stay as they are', () => {
  const pdf = pdfWithForm(curves).toString('latin1');
  assert.equal(takeDrawings(Buffer.from(pdf, 'latin1')).length, 1);
  const others = [
    pdf.replace('/Filter/FlateDecode', '/Filter/LZWDecode'),
    pdf.replace('/Filter/FlateDecode', '/Filter/FlateDecode/DecodeParms<</Predictor 12>>'),
    pdf.replace('/Filter/FlateDecode', '/Filter[/ASCIIHexDecode/FlateDecode]'),
    pdf.replace(/\/Length (\d{4,})/, '/Length 9 0 R'),
    pdf.replace(/\/Length (\d{4,})/, '/Length 123456789'),
    pdf.replace(/\/Length (\d{4,})/, '/Length $1/Length $1'),
    pdf.replace('/Subtype/Form', '/Subtype/Image'),
    pdf.slice(0, 2000),
  ];
  for (const other of others) {
    const bytes = Buffer.from(other, 'latin1');
    assert.equal(takeDrawings(bytes).length, 0);
    assert.equal(bytes.toString('latin1'), other);
  }
});

test('a drawing that is drawn again and again stops after 300,000 operators', async () => {
  const { withDrawings } = await import('./drawings.ts');
  const drawing = { fnArray: Array.from({ length: 50_000 }, () => 1), argsArray: [] };
  const { OPS } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const page = {
    fnArray: Array.from({ length: 1000 }, () => OPS.setFlatness),
    argsArray: Array.from({ length: 1000 }, () => [1_000_000]),
  };
  assert.equal(withDrawings(page, [drawing]).fnArray.length, 300_000);
});

test('any sequence of operators gives the same as pdf.js alone', async () => {
  const number = fc.oneof(fc.integer({ min: -99, max: 99 }), fc.double({ min: -99, max: 99, noNaN: true }));
  const digits = number.map((value) => value.toFixed(3).replace(/\.000$/, ''));
  const counts = {
    m: 2,
    l: 2,
    c: 6,
    v: 4,
    y: 4,
    re: 4,
    h: 0,
    cm: 6,
    w: 1,
    rg: 3,
    k: 4,
    g: 1,
    G: 1,
    W: 0,
    n: 0,
  };
  const operators = {
    ...counts,
    f: 0,
    S: 0,
    b: 0,
    'f*': 0,
    q: 0,
    Q: 0,
    '/G gs': 0,
    '(a)Tj': 0,
    BT: 0,
    ET: 0,
    Td: 2,
  };
  const operation = fc
    .constantFrom(...Object.entries(operators))
    .chain(([name, count]) =>
      fc
        .array(digits, { minLength: count, maxLength: count })
        .map((operands) => [...operands, name].join(' ')),
    );
  const path = fc
    .tuple(fc.array(operation, { maxLength: 2 }), fc.constantFrom('f', 'S', 'W n', 'b*'))
    .map(([more, paint]) => `q 1 0 0 2 3 4 cm 5 6 m 7 8 9 10 11 12 c ${more.join(' ')} ${paint} Q`);
  const content = fc.array(fc.oneof({ weight: 3, arbitrary: path }, operation), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(content, async (parts) => {
      await drawingsIn(`/F 9 Tf ${curves} ${parts.join('\n')}`);
    }),
    { numRuns: 60 },
  );
});
