/**
 * The program of a child process that opens PDFs. Its argument is its kind: `text` or `preview`.
 */
import { openText, runChild } from './child-loop.ts';
import type { CardJob, Reply, Request } from './child-messages.ts';

await runChild(process.argv[2] === 'preview' ? await createPreviewHandler() : handleText);

async function handleText(request: Request): Promise<Reply> {
  return 'pdf' in request ? openText(request) : { ok: false, reason: 'broken', spent: false };
}

async function createPreviewHandler(): Promise<(request: Request) => Promise<Reply>> {
  const { drawCard, drawPreview } = await import('./preview.ts');
  return async (request) =>
    'pdf' in request
      ? { ok: true, webp: await drawPreview(request.pdf, request.width), spent: false }
      : { ok: true, result: await drawCard(request.job as CardJob, request.body), spent: false };
}
