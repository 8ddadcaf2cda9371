/** Handles of pdfium and addresses in its memory. */
type Handle = number;
type Address = number;

type GetColor = (object: Handle, red: Address, green: Address, blue: Address, alpha: Address) => number;
type GetData = (image: Handle, buffer: Address, bytes: number) => number;

/** The functions of pdfium's C interface that we call. It returns 0 for "no" and for "nothing". */
interface Exports {
  memory: WebAssembly.Memory;
  malloc(bytes: number): Address;
  free(address: Address): void;
  FPDF_LoadMemDocument(data: Address, bytes: number, password: Address): Handle;
  FPDF_CloseDocument(document: Handle): void;
  FPDF_GetLastError(): number;
  FPDF_GetPageCount(document: Handle): number;
  FPDF_LoadPage(document: Handle, index: number): Handle;
  FPDF_ClosePage(page: Handle): void;
  FPDF_GetPageWidthF(page: Handle): number;
  FPDF_GetPageHeightF(page: Handle): number;
  FPDF_GetPageBoundingBox(page: Handle, box: Address): number;
  FPDF_RenderPageBitmap(
    bitmap: Handle,
    page: Handle,
    left: number,
    top: number,
    width: number,
    height: number,
    rotation: number,
    flags: number,
  ): void;
  FPDFPage_GetRotation(page: Handle): number;
  FPDFPage_SetRotation(page: Handle, rotation: number): void;
  FPDFPage_CountObjects(page: Handle): number;
  FPDFPage_GetObject(page: Handle, index: number): Handle;
  FPDFFormObj_CountObjects(form: Handle): number;
  FPDFFormObj_GetObject(form: Handle, index: number): Handle;
  FPDFPageObj_GetType(object: Handle): number;
  FPDFPageObj_GetMatrix(object: Handle, matrix: Address): number;
  FPDFPageObj_SetMatrix(object: Handle, matrix: Address): number;
  FPDFPageObj_GetBounds(object: Handle, left: Address, bottom: Address, right: Address, top: Address): number;
  FPDFPageObj_GetFillColor: GetColor;
  FPDFPageObj_GetStrokeColor: GetColor;
  FPDFPageObj_GetStrokeWidth(object: Handle, width: Address): number;
  FPDFPageObj_HasTransparency(object: Handle): number;
  FPDFPageObj_CountMarks(object: Handle): number;
  FPDFPageObj_GetMark(object: Handle, index: number): Handle;
  FPDFPageObj_RemoveMark(object: Handle, mark: Handle): number;
  FPDFPageObj_GetClipPath(object: Handle): Handle;
  FPDFClipPath_CountPaths(clip: Handle): number;
  FPDFClipPath_CountPathSegments(clip: Handle, path: number): number;
  FPDFClipPath_GetPathSegment(clip: Handle, path: number, segment: number): Handle;
  FPDFPath_CountSegments(path: Handle): number;
  FPDFPath_GetPathSegment(path: Handle, index: number): Handle;
  FPDFPath_GetDrawMode(path: Handle, fill: Address, stroke: Address): number;
  FPDFPathSegment_GetPoint(segment: Handle, x: Address, y: Address): number;
  FPDFPathSegment_GetType(segment: Handle): number;
  FPDFTextObj_GetFont(text: Handle): Handle;
  FPDFTextObj_GetFontSize(text: Handle, size: Address): number;
  FPDFFont_GetBaseFontName(font: Handle, buffer: Address, bytes: number): number;
  FPDFFont_GetAscent(font: Handle, size: number, ascent: Address): number;
  FPDFFont_GetDescent(font: Handle, size: number, descent: Address): number;
  FPDFText_LoadPage(page: Handle): Handle;
  FPDFText_ClosePage(text: Handle): void;
  FPDFText_CountChars(text: Handle): number;
  FPDFText_IsGenerated(text: Handle, index: number): number;
  FPDFText_IsHyphen(text: Handle, index: number): number;
  FPDFText_GetUnicode(text: Handle, index: number): number;
  FPDFText_GetTextObject(text: Handle, index: number): Handle;
  FPDFText_GetLooseCharBox(text: Handle, index: number, box: Address): number;
  FPDFImageObj_GetImagePixelSize(image: Handle, width: Address, height: Address): number;
  FPDFImageObj_GetBitmap(image: Handle): Handle;
  FPDFImageObj_GetImageDataRaw: GetData;
  FPDFImageObj_GetImageDataDecoded: GetData;
  FPDFImageObj_GetRenderedBitmap(document: Handle, page: Handle, image: Handle): Handle;
  FPDFBitmap_CreateEx(width: number, height: number, format: number, data: Address, stride: number): Handle;
  FPDFBitmap_FillRect(
    bitmap: Handle,
    left: number,
    top: number,
    width: number,
    height: number,
    color: number,
  ): void;
  FPDFBitmap_GetFormat(bitmap: Handle): number;
  FPDFBitmap_GetWidth(bitmap: Handle): number;
  FPDFBitmap_GetHeight(bitmap: Handle): number;
  FPDFBitmap_GetStride(bitmap: Handle): number;
  FPDFBitmap_GetBuffer(bitmap: Handle): Address;
  FPDFBitmap_Destroy(bitmap: Handle): void;
}

/** A file that can't be opened or drawn. */
export class RefusedPdf extends Error {
  readonly isEncrypted: boolean;

  constructor(message: string, isEncrypted = false) {
    super(message);
    this.isEncrypted = isEncrypted;
  }
}

const PASSWORD_NEEDED = 4;
const UNKNOWN_ENCRYPTION = 5;
/** Room for the largest result of a function: the name of a font. */
const SCRATCH_BYTES = 128;

/** pdfium with its memory. Functions that have several results write them to `scratch`. */
export interface Pdfium {
  readonly calls: Exports;
  readonly scratch: Address;
  /** What is at `scratch`. Read it before the next call. */
  floats(): Float32Array;
  integers(): Uint32Array;
  bytes(address: Address, count: number): Uint8Array;
}

/** pdfium's WebAssembly, or its URL. */
export type PdfiumFile = ArrayBuffer | URL | string;

let loading: Promise<Pdfium> | undefined;

/** Loads pdfium once. Node has the file; a browser that isn't told where it is loads a module that contains it. */
export function loadPdfium(file?: PdfiumFile): Promise<Pdfium> {
  loading ??= libraryFor(file).then(open);
  // The next call tries again what may only have been a bad connection.
  loading.catch(() => (loading = undefined));
  return loading;
}

async function libraryFor(file?: PdfiumFile): Promise<unknown> {
  const isNode = typeof process === 'object' && process.versions?.node !== undefined;
  if (!isNode && !file) {
    const { PDFiumLibrary } = await import('@hyzyla/pdfium/browser/base64');
    return PDFiumLibrary.init({ disableBase64Warning: true });
  }
  const { PDFiumLibrary } = await import('@hyzyla/pdfium');
  if (!file) return PDFiumLibrary.init();
  return PDFiumLibrary.init(file instanceof ArrayBuffer ? { wasmBinary: file } : { wasmUrl: String(file) });
}

function open(library: unknown): Pdfium {
  // The package keeps most of pdfium's functions to itself.
  const { wasmExports: calls } = (library as { module: { wasmExports: Exports } }).module;
  const scratch = calls.malloc(SCRATCH_BYTES);
  // Views are kept, because making them takes longer than most calls. They become empty when pdfium's memory grows.
  let floats = new Float32Array();
  let integers = new Uint32Array();
  const view = { at: scratch, length: SCRATCH_BYTES / 4 };
  return {
    calls,
    scratch,
    floats: () =>
      floats.length > 0 ? floats : (floats = new Float32Array(calls.memory.buffer, view.at, view.length)),
    integers: () =>
      integers.length > 0
        ? integers
        : (integers = new Uint32Array(calls.memory.buffer, view.at, view.length)),
    bytes: (address, count) => new Uint8Array(calls.memory.buffer, address, count),
  };
}

/** Opens a file while `work` runs. The service does this in child processes: a hostile file may use all the memory and time it gets. */
export async function withDocument<T>(
  pdf: Uint8Array,
  work: (pdfium: Pdfium, document: Handle) => T,
): Promise<T> {
  const pdfium = await loadPdfium();
  return withFile(pdfium, pdf, (document) => work(pdfium, document));
}

/** The same when pdfium is loaded. */
export function withFile<T>(pdfium: Pdfium, pdf: Uint8Array, work: (document: Handle) => T): T {
  const { calls } = pdfium;
  const data = calls.malloc(pdf.length);
  if (data === 0) throw new Error('out of memory');
  pdfium.bytes(data, pdf.length).set(pdf);
  const document = calls.FPDF_LoadMemDocument(data, pdf.length, 0);
  if (!document) {
    const error = calls.FPDF_GetLastError();
    calls.free(data);
    throw new RefusedPdf('no PDF', error === PASSWORD_NEEDED || error === UNKNOWN_ENCRYPTION);
  }
  return closing(
    () => work(document),
    () => {
      calls.FPDF_CloseDocument(document);
      calls.free(data);
    },
  );
}

/** Opens a page while `work` runs. */
export function withPage<T>(
  { calls }: Pdfium,
  document: Handle,
  index: number,
  work: (page: Handle) => T,
): T {
  const page = calls.FPDF_LoadPage(document, index);
  if (!page) throw new RefusedPdf('no page');
  return closing(
    () => work(page),
    () => calls.FPDF_ClosePage(page),
  );
}

/** Calls `close` after `work`, but not after a trap: then pdfium can't be called any more, and the process ends. */
function closing<T>(work: () => T, close: () => void): T {
  let result: T;
  try {
    result = work();
  } catch (error) {
    if (error instanceof RefusedPdf) close();
    throw error;
  }
  close();
  return result;
}

// Longer or wider pages aren't labels and could need any number of pixels.
const MAX_ASPECT_RATIO = 4;

/** pdfium's format with four bytes per pixel, and its flags. */
const BGRA = 4;
const ANNOTATIONS = 0x01;
const SMOOTH_TEXT = 0x02;
const RED_FIRST = 0x10;
const WHITE = 0xffffffff;

export interface Pixels {
  height: number;
  /** Red, green, blue and alpha of each pixel. */
  data: Uint8ClampedArray<ArrayBuffer>;
}

/**
 * The first page, `width` pixels wide. Only renders: forms are not filled in, and this build of pdfium has no JavaScript.
 * As with `extractText`, a hostile file may use all the memory and time that it gets.
 */
export function drawPage(pdf: Uint8Array, width: number): Promise<Pixels> {
  return withDocument(pdf, (pdfium, document) =>
    withPage(pdfium, document, 0, (page) => drawPixels(pdfium, page, width)),
  );
}

function drawPixels({ calls, bytes }: Pdfium, page: number, width: number): Pixels {
  const ratio = calls.FPDF_GetPageHeightF(page) / calls.FPDF_GetPageWidthF(page);
  if (!(ratio <= MAX_ASPECT_RATIO && ratio >= 1 / MAX_ASPECT_RATIO))
    throw new RefusedPdf('unusual page shape');
  const height = Math.max(1, Math.round(width * ratio));
  const stride = 4 * width;
  const pixels = calls.malloc(stride * height);
  if (pixels === 0) throw new Error('out of memory');
  const bitmap = calls.FPDFBitmap_CreateEx(width, height, BGRA, pixels, stride);
  calls.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  const flags = ANNOTATIONS | SMOOTH_TEXT | RED_FIRST;
  calls.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags);
  calls.FPDFBitmap_Destroy(bitmap);
  const data = new Uint8ClampedArray(bytes(pixels, stride * height));
  calls.free(pixels);
  return { height, data };
}
