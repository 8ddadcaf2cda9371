import { deflateRawSync } from 'node:zlib';
import { drawPage } from '@monroney/label/pdf/drawn-page';
import { RefusedPdf } from '@monroney/label/pdf/pdfium';
import type { Drawing } from './child-messages.ts';

// Far more than any label. The service passes it on to the child that makes the picture.
const MAX_DRAWING_BYTES = 16 * 2 ** 20;

/** The first page, `width` pixels wide. Runs only inside the child process. */
export async function drawCompressed(pdf: Uint8Array, width: number): Promise<Drawing & { pixels: Buffer }> {
  const { data, height } = await drawPage(pdf, width);
  // A label is mostly white, so that a tenth is left. Better compression takes longer than sending more.
  const pixels = deflateRawSync(data, { level: 1 });
  if (pixels.length > MAX_DRAWING_BYTES) throw new RefusedPdf('too much detail');
  return { width, height, pixels };
}
