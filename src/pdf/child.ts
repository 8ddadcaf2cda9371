/**
 * The program of a child process. Its argument is its kind: `text` and `preview` open PDFs, `picture` makes pictures of
 * what `preview` drew.
 */
import { deflateRawSync } from 'node:zlib';
import { RefusedPdf } from '@monroney/label/pdf/pdfium';
import {
  runChild,
  textReply,
  WARM_UP_BODY,
  type ChildKind,
  type Drawing,
  type PictureJob,
  type PreviewJob,
} from './channel.ts';

// Far more than any label. The service passes it on to the child that makes the picture.
const MAX_DRAWING_BYTES = 16 * 2 ** 20;

/** Each loads only what its kind needs. */
const programs: Record<ChildKind, () => Promise<void>> = {
  text: () => runChild(({ body }) => textReply(body)),
  async preview() {
    const { drawPage } = await import('@monroney/label/pdf/pdfium');
    const warmUp: PreviewJob = { width: 320 };
    await runChild(
      async ({ job, body = new Uint8Array() }) => {
        const { width } = job as PreviewJob;
        const { data, height } = await drawPage(body, width);
        // A label is mostly white, so that a tenth is left. Better compression takes longer than sending more.
        const pixels = deflateRawSync(data, { level: 1 });
        if (pixels.length > MAX_DRAWING_BYTES) throw new RefusedPdf('too much detail');
        const result: Drawing = { width, height };
        return { ok: true, result, body: pixels, spent: false };
      },
      { job: warmUp, body: WARM_UP_BODY },
    );
  },
  async picture() {
    const { makePicture } = await import('./pictures.ts');
    const warmUp: PictureJob = { webp: { width: 1, height: 1 } };
    await runChild(
      async ({ job, body }) => ({
        ok: true,
        result: null,
        body: await makePicture(job as PictureJob, body),
        spent: false,
      }),
      { job: warmUp, body: deflateRawSync(Buffer.alloc(4)) },
    );
  },
};

await programs[process.argv[2] as ChildKind]();
