/** Handmade PDFs for tests and drills: a plain page, and broken and malicious files. */
import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { randomFrom } from '../../packages/vin/src/random.ts';
import { assemble, stream as streamWith } from '../specimens/pdf.ts';

type Part = string | Buffer;

const bytesOf = (part: Part): Buffer => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part);

/** Objects numbered from 1, the catalog first. */
export const pdfOf = (objects: readonly Part[], options?: Parameters<typeof assemble>[1]): Buffer =>
  assemble(objects.map(bytesOf), options);

export const stream = (data: Part, entries = ''): Buffer => streamWith(entries, bytesOf(data));

const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';
const page = (box = '0 0 1224 792') =>
  `<</Type/Page/Parent 2 0 R/MediaBox[${box}]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>>`;
const catalog = '<</Type/Catalog/Pages 2 0 R>>';
const pages = '<</Type/Pages/Kids[3 0 R]/Count 1>>';

/** One page whose content is `content`; object 6 is `extra`. */
export function sheetOf(content: Buffer, extra: Part = 'null', box?: string): Buffer {
  return pdfOf([catalog, pages, page(box), content, font, extra]);
}

/** Operators that print lines, 14 points apart from the top. */
export function printing(lines: readonly string[]): string {
  const shown = lines.map((line) => `(${line.replaceAll(/[\\()]/g, '\\$&')}) Tj`).join(' 0 -14 Td ');
  return `BT /F 12 Tf 40 740 Td ${shown} ET`;
}

export const printed = (lines: readonly string[]): Buffer => sheetOf(stream(printing(lines)));

export const compressed = (lines: readonly string[]): Buffer =>
  sheetOf(stream(deflateSync(printing(lines)), '/Filter/FlateDecode'));

export const damagedXref = (lines: readonly string[]): Buffer =>
  pdfOf([catalog, pages, page(), stream(printing(lines)), font, 'null'], { damagedXref: true });

/** Requires an unknown password. */
export function encrypted(lines: readonly string[]): Buffer {
  const secret = Array.from({ length: 32 }, (_, index) =>
    (index * 7 + 17).toString(16).padStart(2, '0'),
  ).join('');
  const encrypt = `<</Filter/Standard/V 1/R 2/Length 40/P -4/O<${secret}>/U<${secret}>>>`;
  return pdfOf([catalog, pages, page(), stream(printing(lines)), font, encrypt], {
    trailer: '/Encrypt 6 0 R/ID[<00112233445566778899aabbccddeeff><00112233445566778899aabbccddeeff>]',
  });
}

export function manyPages(count: number, line: string): Buffer {
  const kids = Array.from({ length: count }, (_, index) => `${index + 5} 0 R`).join(' ');
  const leaf =
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 1224 792]/Contents 3 0 R/Resources<</Font<</F 4 0 R>>>>>>';
  return pdfOf([
    catalog,
    `<</Type/Pages/Kids[${kids}]/Count ${count}>>`,
    stream(printing([line])),
    font,
    ...Array.from({ length: count }, () => leaf),
  ]);
}

/** About a kilobyte that decompresses, in two steps, to `megabytes` of spaces. */
export function bomb(megabytes: number): Buffer {
  // Compressing one megabyte and repeating the result takes a hundredth of the time.
  const block = deflateRawSync(Buffer.alloc(2 ** 20, ' '), {
    level: 9,
    finishFlush: constants.Z_FULL_FLUSH,
  });
  const end = Buffer.from([3, 0, 0, 0, 0, 0]);
  end.writeUInt32BE(adler32(0x20, megabytes * 2 ** 20), 2);
  const inner = Buffer.concat([
    Buffer.from([0x78, 0xda]),
    ...Array.from({ length: megabytes }, () => block),
    end,
  ]);
  const packed = deflateSync(inner, { level: 9 });
  return sheetOf(stream(packed, '/Filter[/FlateDecode/FlateDecode]'));
}

/** The zlib checksum of `count` equal bytes. */
function adler32(byte: number, count: number): number {
  const [prime, n, value] = [65_521n, BigInt(count), BigInt(byte)];
  const low = (1n + n * value) % prime;
  const high = (n + (value * n * (n + 1n)) / 2n) % prime;
  return Number(high * 65_536n + low);
}

/** Several kinds of circular references. */
export const recursive: Record<string, () => Buffer> = {
  'a page tree that contains itself': () => pdfOf([catalog, '<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2>>']),
  'a form that draws itself': () =>
    sheetOf(
      stream('/X Do'),
      stream('/X Do /X Do', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 6 0 R>>>>'),
    ),
  'a length that is its own stream': () =>
    pdfOf([catalog, pages, page(), '<</Length 4 0 R>>\nstream\nBT ET\nendstream', font, 'null']),
  'an object that refers to itself': () => pdfOf([catalog, pages, page(), '4 0 R', font, '6 0 R']),
  'arrays a hundred thousand deep': () => sheetOf(stream('['.repeat(100_000))),
  'dictionaries a hundred thousand deep': () =>
    pdfOf([catalog, pages, page(), stream('BT ET'), font, '<</A'.repeat(100_000)]),
  'a cross-reference table whose previous table is itself': () =>
    pdfOf([catalog, pages, page(), stream('BT ET'), font, 'null'], { trailer: '/Prev 9' }),
};

/** Runs JavaScript when opened, in viewers that support it. */
export const scripted = (lines: readonly string[]): Buffer =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R/OpenAction 6 0 R/AA<</WC 6 0 R>>/Names<</JavaScript<</Names[(a) 6 0 R]>>>>>>',
    pages,
    page(),
    stream(printing(lines)),
    font,
    '<</S/JavaScript/JS(while \\(true\\) { app.alert\\("x"\\) })>>',
  ]);

/** Takes about a second of CPU time to read, or longer, for each of `seconds`, and little memory: a form without effect. */
export function slow(seconds: number): Buffer {
  const paths = deflateSync('0 0 m 9 9 l n '.repeat(200_000));
  const form = stream(paths, '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Filter/FlateDecode');
  return sheetOf(stream(`${printing(['SLOW'])} ${'/X Do '.repeat(20 * seconds)}`), form);
}

/** Lengths, counts, widths and references that a parser may trust. */
const EXTREME = ['-1', '0', '2147483647', '4294967296', '99999999999999999999', '1e308'];

/** Ways to damage a file. `below(n)` is a random whole number below n. */
const DAMAGES: readonly ((pdf: Buffer, below: (end: number) => number) => Buffer)[] = [
  function flipBits(pdf, below) {
    const copy = Buffer.from(pdf);
    for (let flips = below(60); flips >= 0; flips--) copy[below(copy.length)]! ^= 1 << below(8);
    return copy;
  },
  function truncate(pdf, below) {
    return pdf.subarray(0, below(pdf.length));
  },
  function removeBlankOrRepeat(pdf, below) {
    const at = below(pdf.length);
    const piece = pdf.subarray(at, at + 1 + below(20_000));
    const instead = [[], [Buffer.alloc(piece.length)], [piece, piece]][below(3)]!;
    return Buffer.concat([pdf.subarray(0, at), ...instead, pdf.subarray(at + piece.length)]);
  },
  function changeNumbers(pdf, below) {
    const change = (number: string) => (below(500) === 0 ? EXTREME[below(EXTREME.length)]! : number);
    return Buffer.from(pdf.toString('latin1').replaceAll(/\b\d{1,6}\b/g, change), 'latin1');
  },
];

/** A damaged copy, always the same for the same seed. */
export function damaged(pdf: Buffer, seed: number): Buffer {
  const random = randomFrom(seed);
  return DAMAGES[seed % DAMAGES.length]!(pdf, (end) => Math.floor(random() * end));
}
