import { RefusedPdf, withFile, withPage, type Pdfium } from './pdfium.ts';

/** Which pixels of a picture it hides, or how much of them. */
interface PictureMask {
  width: number;
  height: number;
  /** 0 to 255. */
  alphaAt: (column: number, row: number) => number;
}

/**
 * The mask of a picture. pdfium offers it only with the picture, and unpacking Ford's takes longer than reading the rest of
 * the page. So this finds the mask in the file and has pdfium open it as a picture of its own. Null unless it is certain
 * which object the mask is, and what its bits mean.
 */
export function pictureMaskOf(pdfium: Pdfium, file: Uint8Array, picture: number): PictureMask | null {
  const length = pdfium.calls.FPDFImageObj_GetImageDataRaw(picture, 0, 0);
  const mask = maskIn(file, dataOf(pdfium, picture, 'Raw', length));
  if (!mask) return null;
  if (last && isSame(last.object, mask.object)) return last.mask;
  const opened = openMask(pdfium, mask);
  if (opened) last = { object: mask.object.slice(), mask: opened };
  return opened;
}

/** The mask that was opened last. All 30 Fords that we have share one, and unpacking it takes a fifth of the reading. */
let last: { object: Uint8Array; mask: PictureMask } | undefined;

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, index) => byte === other[index]);

function openMask(pdfium: Pdfium, { object, isStencil }: MaskObject): PictureMask | null {
  try {
    return withFile(pdfium, fileOf(object), (document) =>
      withPage(pdfium, document, 0, (page) =>
        unpacked(pdfium, pdfium.calls.FPDFPage_GetObject(page, 0), isStencil),
      ),
    );
  } catch (error) {
    if (error instanceof RefusedPdf) return null;
    throw error;
  }
}

function unpacked(pdfium: Pdfium, picture: number, isStencil: boolean): PictureMask | null {
  const { calls, scratch, integers } = pdfium;
  if (!picture || !calls.FPDFImageObj_GetImagePixelSize(picture, scratch, scratch + 4)) return null;
  const [width = 0, height = 0] = integers();
  const stride = isStencil ? Math.ceil(width / 8) : width;
  const data = dataOf(pdfium, picture, 'Decoded', stride * height);
  if (!data) return null;
  return {
    width,
    height,
    alphaAt: (column, row) =>
      isStencil
        ? 255 * (~(data[row * stride + (column >> 3)]! >> (7 - (column & 7))) & 1)
        : data[row * stride + column]!,
  };
}

/** A picture's data; null if their length isn't this. */
function dataOf(
  { calls, bytes }: Pdfium,
  picture: number,
  as: 'Raw' | 'Decoded',
  length: number,
): Uint8Array | null {
  const address = calls.malloc(length);
  if (address === 0) throw new Error('out of memory');
  const isWhole = calls[`FPDFImageObj_GetImageData${as}`](picture, address, length) === length;
  const data = isWhole ? bytes(address, length).slice() : null;
  calls.free(address);
  return data;
}

interface MaskObject {
  /** Its dictionary and its data. */
  object: Uint8Array;
  /** A stencil has a bit for each pixel, others a byte. */
  isStencil: boolean;
}

/** The mask of the picture with these data. */
function maskIn(file: Uint8Array, picture: Uint8Array | null): MaskObject | null {
  const at = picture?.length && onlyPlaceOf(picture, file);
  if (!at) return null;
  const before = textOf(file.subarray(Math.max(0, at - MAX_DICTIONARY_BYTES), at));
  const [, kind, name] = /\/(S?Mask) (\d+ \d+) R\b/.exec(before.slice(before.lastIndexOf(' obj'))) ?? [];
  const title = new TextEncoder().encode(`\n${name} obj`);
  const found = kind && onlyPlaceOf(title, file);
  if (!found) return null;
  const start = found + title.length;
  const after = textOf(file.subarray(start, start + MAX_DICTIONARY_BYTES));
  const [dictionary = ''] = /^[^]*?stream\r?\n/.exec(after) ?? [];
  const end = start + dictionary.length + Number(/\/Length (\d+)\b/.exec(dictionary)?.[1]);
  const isStencil = kind === 'Mask';
  const isWhole = /^\s*endstream/.test(textOf(file.subarray(end, end + 20)));
  const bits = /\/BitsPerComponent (\d+)/.exec(dictionary)?.[1];
  const isPlain = bits === (isStencil ? '1' : '8') && !/\d R\b|\/Decode\b/.test(dictionary);
  return isWhole && isPlain ? { object: file.subarray(start, end), isStencil } : null;
}

/** Ford's have 300. */
const MAX_DICTIONARY_BYTES = 2_000;

/** One character for each byte. */
const textOf = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

/** Null if some bytes are nowhere in a file, or at two places. */
function onlyPlaceOf(part: Uint8Array, file: Uint8Array): number | null {
  const place = placeOf(part, file, 0);
  return place !== null && placeOf(part, file, place + 1) === null ? place : null;
}

function placeOf(part: Uint8Array, file: Uint8Array, from: number): number | null {
  let place = from - 1;
  while ((place = file.indexOf(part[0]!, place + 1)) >= 0) {
    let same = 1;
    while (same < part.length && file[place + same] === part[same]) same++;
    if (same === part.length) return place;
  }
  return null;
}

/** A file that shows nothing but a picture. */
function fileOf(picture: Uint8Array): Uint8Array {
  const page =
    '/Type/Page/Parent 2 0 R/MediaBox[0 0 1 1]/Contents 4 0 R/Resources<</XObject<</Mask 5 0 R>>>>';
  const before = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<<${page}>>endobj
4 0 obj<</Length 8>>stream
/Mask Do
endstream endobj
5 0 obj`;
  const after = '\nendstream endobj\ntrailer<</Size 6/Root 1 0 R>>\n%%EOF\n';
  const encoder = new TextEncoder();
  return new Uint8Array([...encoder.encode(before), ...picture, ...encoder.encode(after)]);
}
