import type { Context } from 'hono';
import { absolute, type DocPage } from '../../site/docs/page.ts';
import { catalogLink } from '../../http/headers.ts';
import type { PageContext } from '../page-context.ts';

/** Sends a page as Markdown, for programs. */
export async function sendMarkdown(c: Context, page: DocPage, { baseUrl }: PageContext): Promise<Response> {
  const text = absolute(await page.markdown(), baseUrl);
  return c.body(`${text.trimEnd()}\n`, 200, {
    'Content-Type': 'text/markdown; charset=utf-8',
    'Cache-Control': 'public, max-age=60',
    'Access-Control-Allow-Origin': '*',
    Link: `<${baseUrl}${page.path}>; rel="canonical", ${catalogLink(baseUrl)}`,
    Vary: 'Accept, Accept-Encoding',
  });
}
