/**
 * The program of a child process. Its argument is its kind: `text` and `preview` open PDFs, `picture` makes pictures of
 * what `preview` drew.
 */
import { deflateRawSync } from 'node:zlib';
import { runChild, textReply, WARM_UP_BODY } from './child-loop.ts';
import type { ChildKind, PictureJob, PreviewJob } from './child-messages.ts';

/** Each loads only what its kind needs. */
const programs: Record<ChildKind, () => Promise<void>> = {
  text: () => runChild(({ body }) => textReply(body)),
  async preview() {
    const { drawCompressed } = await import('./drawing.ts');
    const warmUp: PreviewJob = { width: 320 };
    await runChild(
      async ({ job, body = new Uint8Array() }) => {
        const { pixels, ...result } = await drawCompressed(body, (job as PreviewJob).width);
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
