/**
 * The program of a child process. Its argument is its kind: `text` and `preview` open PDFs, `picture` makes pictures of
 * what `preview` drew.
 */
import { deflateRawSync } from 'node:zlib';
import { openText, runChild, WARM_UP_FILE } from './child-loop.ts';
import type { ChildKind, PictureJob, Reply, Request } from './child-messages.ts';

type Handler = (request: Request) => Promise<Reply>;

const BROKEN: Reply = { ok: false, reason: 'broken', spent: false };

/** Each loads only what its kind needs. */
const handlers: Record<ChildKind, () => Promise<{ handle: Handler; warmUp: Request }>> = {
  text: async () => ({
    handle: async (request) => ('pdf' in request ? openText(request) : BROKEN),
    warmUp: WARM_UP_FILE,
  }),
  async preview() {
    const { drawPage } = await import('./drawing.ts');
    const handle: Handler = async (request) => {
      if (!('pdf' in request)) return BROKEN;
      const { pixels: body, ...result } = await drawPage(request.pdf, request.width);
      return { ok: true, result, body, spent: false };
    };
    return { handle, warmUp: WARM_UP_FILE };
  },
  async picture() {
    const { makePicture } = await import('./pictures.ts');
    const handle: Handler = async (request) => {
      if ('pdf' in request) return BROKEN;
      const body = await makePicture(request.job as PictureJob, request.body);
      return { ok: true, result: null, body, spent: false };
    };
    const job: PictureJob = { webp: { width: 1, height: 1 } };
    return { handle, warmUp: { job, bytes: 4, body: deflateRawSync(Buffer.alloc(4)) } };
  },
};

const { handle, warmUp } = await handlers[process.argv[2] as ChildKind]();
await runChild(handle, warmUp);
