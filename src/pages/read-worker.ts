import { readWithText, renderPage } from '@monroney/label';
import { vinInFileName } from '@monroney/label/read-text';
import { loadPdfium } from '@monroney/label/pdf/pdfium';
import { openVpic } from '@monroney/vin/web';
import { fileProblem, readResult, type Picture } from './read-result.ts';

/** Reads stickers in a worker of the page `/read`. The files never leave the browser. */

/** What the page sends first, then with each file. */
type Message = { pdfium: string; parts: string } | { file: File };

/** What it gets back. */
interface ReadAnswer {
  /** For people who don't see the page change. */
  status: string;
  markup: string;
  /** The label as data; null if it can't be read. */
  json: string | null;
  /** The first page; null if it can't be drawn. */
  picture: Blob | null;
  /** The worker must be replaced, because a file may have left pdfium in any state. */
  spent: boolean;
}

const PICTURE_WIDTH = 1920;

let pdfium: string;
let vpic: ReturnType<typeof openVpic>;

async function readFile(file: File): Promise<ReadAnswer> {
  const problem = await fileProblem(file);
  if (problem) return { ...problem, json: null, picture: null, spent: false };
  const pdf = new Uint8Array(await file.arrayBuffer());
  const vehicleOf = async (vin: string) => (await (await vpic).decode(vin)).vehicle;
  const { reading, text } = await readWithText(pdf, {
    pdfium,
    vin: vinInFileName(file.name),
    makeOf: async (vin) => (await vehicleOf(vin))?.make,
  });
  const { vin, reason } = reading;
  const spent = reason === 'memory' || reason === 'broken';
  const picture = spent || reason === 'encrypted' ? null : await draw(pdf);
  const vehicle = vin ? await vehicleOf(vin) : null;
  const { status, markup } = readResult({ file, reading, text, vehicle, picture });
  const json = reading.label && `${JSON.stringify(reading, null, 2)}\n`;
  return { status, markup, json, picture: picture && picture.blob, spent };
}

/** The first page as a picture; null if its shape is odd. */
async function draw(pdf: Uint8Array): Promise<(Picture & { blob: Blob }) | null> {
  try {
    const { width, height, data } = await renderPage(pdf, { width: PICTURE_WIDTH, pdfium });
    const canvas = new OffscreenCanvas(width, height);
    canvas.getContext('2d')!.putImageData(new ImageData(data, width, height), 0, 0);
    // PNG: WebP would take five times as long.
    return { width, height, blob: await canvas.convertToBlob() };
  } catch {
    return null;
  }
}

async function answer(file: File): Promise<void> {
  const read = await readFile(file).catch(() => null);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- messages of a worker have no target origin
  postMessage(read);
}

addEventListener('message', ({ data }: MessageEvent<Message>) => {
  if ('file' in data) return void answer(data.file);
  pdfium = data.pdfium;
  vpic = openVpic({ base: data.parts });
  // `answer` reports what fails.
  vpic.catch(() => {});
  loadPdfium(pdfium).catch(() => {});
});
