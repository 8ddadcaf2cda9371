// lane: service
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pdfOf, stream } from '../../../../tools/drill/hostile-pdfs.ts';
import type { TextItem, TextPage } from '../reading/types.ts';
import { extractText } from './text.ts';

/** A page of 600 by 400 points. Objects from 6 on are `more`; /X draws the first of them and /G uses it as a font. */
async function pageOf(content: string, more: (string | Buffer)[] = [], page = ''): Promise<TextPage> {
  const resources =
    '<</Font<</F 5 0 R/G 6 0 R>>/XObject<</X 6 0 R>>/ExtGState<</Glass<</ca 0.5>>>>/Pattern<</P 6 0 R>>>>';
  const pdf = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 400]${page}/Contents 4 0 R/Resources${resources}>>`,
    stream(content),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...more,
  ]);
  return (await extractText(pdf)).pages[0]!;
}

const shown = (text: string, x = 40, y = 300): string => `BT /F 10 Tf ${x} ${y} Td ${text} ET `;
const itemsOf = async (...args: Parameters<typeof pageOf>): Promise<TextItem[]> =>
  (await pageOf(...args)).items;
const textsOf = async (...args: Parameters<typeof pageOf>): Promise<string[]> =>
  (await itemsOf(...args)).map(({ text }) => text);

const fontWith = (...pairs: [string, string][]): (string | Buffer)[] => [
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 7 0 R>>',
  stream(
    '/CIDInit/ProcSet findresource begin begincmap 1 begincodespacerange <00><ff> endcodespacerange ' +
      `${pairs.length} beginbfchar ${pairs.map(([from, to]) => `<${from}> <${to}>`).join(' ')} endbfchar endcmap end`,
  ),
];

test('a small gap is kerning, a larger one a space, and a wide one begins a run', async () => {
  assert.deepEqual(await textsOf(shown('[(A) -102 (B) -103 (C) -600 (D) -601 (E)] TJ')), ['AB C D', 'E']);
});

test('words may be shown letter by letter, and equal letters are not left out', async () => {
  const letters = [...'$11100'].map((letter, at) => shown(`(${letter}) Tj`, 40 + 5.56 * at));
  assert.deepEqual(await textsOf(letters.join('')), ['$11100']);
});

test('text that is drawn twice is found twice, in drawing order', async () => {
  const again = shown('(BOLD) Tj') + shown('(OTHER) Tj', 200) + shown('(BOLD) Tj', 40.2);
  assert.deepEqual(await textsOf(again), ['BOLD', 'OTHER', 'BOLD']);
});

test('a hyphen at the end of a line stays a hyphen', async () => {
  assert.deepEqual(await textsOf(shown('(TWO-) Tj 0 -12 Td (TONE) Tj')), ['TWO-', 'TONE']);
});

test('text is what is printed, not what marked content calls it', async () => {
  const content = `/Span <</ActualText (1,000)>> BDC ${shown('(9,000) Tj')} EMC`;
  assert.deepEqual(await textsOf(content), ['9,000']);
});

test('ligatures are the letters they consist of', async () => {
  const font = fontWith(['41', 'FB01'], ['42', '00660066']);
  assert.deepEqual(await textsOf('BT /G 10 Tf 40 300 Td (ABC) Tj ET', font), ['fiffC']);
});

test('glyphs without a printable character are a run without text', async () => {
  const [run] = await itemsOf('BT /G 10 Tf 40 300 Td (AAA) Tj ET', fontWith(['41', 'E001']));
  assert.deepEqual([run!.text, run!.width], ['', 20.01]);
});

test('a run has its position, width and size however they are written', async () => {
  const same = { text: 'MSRP', x: 40, y: 100, width: 28.89, size: 10 };
  const ways = [
    shown('(MSRP) Tj'),
    'BT /F 1 Tf 10 0 0 10 40 300 Tm (MSRP) Tj ET',
    'q 10 0 0 10 40 300 cm BT /F 1 Tf (MSRP) Tj ET Q',
    'BT /F -10 Tf -1 0 0 -1 40 300 Tm (MSRP) Tj ET',
    'BT /F 0.01 Tf 1000 0 0 1000 40 300 Tm (MSRP) Tj ET',
  ];
  for (const way of ways) assert.deepEqual(await itemsOf(way), [same], way);
});

test('text in a form is where the form is drawn', async () => {
  const form =
    '/Type/XObject/Subtype/Form/BBox[0 0 600 400]/Matrix[1 0 0 1 5 0]/Resources<</Font<</F 5 0 R>>>>';
  const inner = [stream(shown('(IN) Tj', 10, 100), form)];
  const [once, twice] = await itemsOf('/X Do q 2 0 0 2 100 0 cm /X Do Q', inner);
  assert.deepEqual([once!.x, once!.y, once!.size], [15, 300, 10]);
  assert.deepEqual([twice!.x, twice!.y, twice!.size], [130, 200, 20]);
});

test('only what is inside the visible part of the page is read, from its top left', async () => {
  const content = shown('(OUT) Tj', 0, 300) + shown('(IN) Tj', 150, 300) + shown('(LOW) Tj', 150, 20);
  const { width, height, items } = await pageOf(content, [], '/CropBox[100 50 500 350]');
  assert.deepEqual([width, height], [400, 300]);
  assert.deepEqual(
    items.map(({ text, x, y }) => [text, x, y]),
    [['IN', 50, 50]],
  );
});

test('a page in larger units is read like any other', async () => {
  const content = shown('(MSRP) Tj') + '50 50 60 10 re f';
  assert.deepEqual(await pageOf(content, [], '/UserUnit 2'), await pageOf(content));
});

test('text on its side is marked', async () => {
  const items = await itemsOf(shown('(UPRIGHT WORDS) Tj') + 'BT /F 10 Tf 0 1 -1 0 20 100 Tm (UP) Tj ET');
  assert.deepEqual(
    items.map(({ text, x, y, sideways }) => [text, x, y, sideways]),
    [
      ['UPRIGHT WORDS', 40, 100, undefined],
      ['UP', 20, 300, true],
    ],
  );
});

test('a rectangle hides text only if nothing can be seen through it', async () => {
  const under = shown('(UNDER) Tj');
  const rectangle = '30 290 200 30 re f';
  assert.deepEqual(await textsOf(`${under} 1 g ${rectangle}`), []);
  assert.deepEqual(await textsOf(`${under} 1 g q 0 1 -1 0 300 290 cm 0 0 30 300 re f Q`), []);
  assert.deepEqual(await textsOf(`${under} q /Glass gs 1 g ${rectangle} Q`), ['UNDER']);
  const dots =
    '/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9/Resources<<>>';
  const pattern = [stream('1 0 0 rg 0 0 2 2 re f', dots)];
  assert.deepEqual(await textsOf(`${under} /Pattern cs /P scn ${rectangle}`, pattern), ['UNDER']);
  const elsewhere = '300 290 200 30 re f';
  const [frame, clipped, triangle] = [
    '30 290 200 30 re S',
    '0 0 9 9 re W n',
    '30 290 m 230 290 l 130 330 l f',
  ];
  for (const beside of [frame, elsewhere, `q ${clipped} ${rectangle} Q`, triangle])
    assert.deepEqual(await textsOf(`${under} 1 g ${beside}`), ['UNDER'], beside);
  assert.deepEqual(await textsOf(`${under} 1 g ${rectangle} 0 g ${under}`), ['UNDER'], 'printed again');
  for (const [state, texts] of [
    ['', []],
    ['/Glass gs', ['UNDER']],
    ['0 0 10 10 re W n', ['UNDER']],
  ] as const) {
    const form = [stream(`1 g ${rectangle}`, '/Type/XObject/Subtype/Form/BBox[0 0 600 400]')];
    assert.deepEqual(await textsOf(`${under} q ${state} /X Do Q`, form), texts, state);
  }
});

test('drawn glyphs are as high as they are drawn', async () => {
  const font = [
    '<</Type/Font/Subtype/Type3/FontBBox[0 0 4 3]/FontMatrix[1 0 0 1 0 0]/CharProcs<</a 7 0 R>>/Resources<<>>' +
      '/Encoding<</Differences[65/a]>>/FirstChar 65/LastChar 65/Widths[4]>>',
    stream('4 0 0 0 4 3 d1 0 0 4 3 re f'),
  ];
  const [run] = await itemsOf('BT /G 1 Tf 10 0 0 10 40 300 Tm (A) Tj ET', font);
  assert.deepEqual([run!.width, run!.size], [40, 30]);
});

test('the number of runs is bounded', async () => {
  const many = Array.from({ length: 21_000 }, (_, at) => `1 0 0 1 ${at % 500} ${(at * 7) % 390} Tm (a) Tj`);
  const { items } = await pageOf(`BT /F 6 Tf ${many.join(' ')} ET`);
  assert.equal(items.length, 20_000);
});
