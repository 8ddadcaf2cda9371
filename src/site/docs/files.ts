import { readFileSync } from 'node:fs';
import type { DocPage } from './page.ts';

const FOLDER = new URL('../../../docs/', import.meta.url);

/** One entry of `docs/site/index.json`. */
export interface DocFile {
  slug: string;
  /** Its path, if it is not under `/docs/`. */
  path?: string;
  title: string;
  group: string;
  description: string;
  file: string;
}

export const docFiles = JSON.parse(readFileSync(new URL('site/index.json', FOLDER), 'utf8')) as DocFile[];

/** Reads a file and turns links between files into links between pages. */
export function readDoc({ file }: DocFile, fill: (text: string) => string): string {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  return fill(text).replace(/\]\((?:docs\/)?(?:site\/)?([\w-]+)\.md\)/g, '](/docs/$1)');
}

export function filePage(doc: DocFile, fill: (text: string) => string): DocPage {
  let text: string | null = null;
  return {
    path: doc.path ?? `/docs/${doc.slug}`,
    title: doc.title,
    description: doc.description,
    markdown: () => (text ??= readDoc(doc, fill)),
  };
}
