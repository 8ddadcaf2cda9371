import { readFileSync } from 'node:fs';
import type { DocPage } from './page.ts';

const FOLDER = new URL('../../../docs/', import.meta.url);

/** One line of `docs/site/index.json`. */
export interface DocFile {
  slug: string;
  /** Where it is served, when not under `/docs/`. */
  path?: string;
  title: string;
  group: string;
  says: string;
  file: string;
}

export const docFiles = JSON.parse(readFileSync(new URL('site/index.json', FOLDER), 'utf8')) as DocFile[];

/** The text of a file; links between files become links between pages. */
export function readDoc({ file }: DocFile, fill: (text: string) => string): string {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  return fill(text).replace(/\]\((?:docs\/)?(?:site\/)?([\w-]+)\.md\)/g, '](/docs/$1)');
}

export function filePage(doc: DocFile, fill: (text: string) => string): DocPage {
  let text: string | null = null;
  return {
    path: doc.path ?? `/docs/${doc.slug}`,
    title: doc.title,
    says: doc.says,
    markdown: () => (text ??= readDoc(doc, fill)),
  };
}
