import { readFileSync } from 'node:fs';
import type { Lookup } from '../../lookup/find.ts';
import type { Specimen } from '../../lookup/specimens/index.ts';
import type { Policy } from '../../http/limit.ts';
import type { StatusBoard } from '../status/board.ts';
import { lazy } from '../../lib/promises.ts';
import { apiPage, type ApiDocument } from './api.ts';
import { errorPages, errorsPage, specimensPage, toolsMarkdown } from './reference-pages.ts';
import { makePages, makesPage, unpublishedPages } from './makes.ts';
import { placeholderFiller, type DocPage } from './page.ts';
import { statusPage } from './status.ts';

/** Every documentation page, by path. */
export interface Library {
  pages: ReadonlyMap<string, DocPage>;
  /** The table of contents of `/docs`. */
  groups: readonly { name: string; pages: readonly DocPage[] }[];
  /** Replaces `{{placeholders}}`. */
  fill(text: string): string;
  openapi(): Promise<ApiDocument>;
}

interface LibraryDependencies {
  lookup: Lookup;
  baseUrl: string;
  specimens: readonly Specimen[];
  board: StatusBoard;
  securityContact: string | null;
  limit: Policy | null;
  contactDays: number;
  openapi(): Promise<ApiDocument>;
}

export function openLibrary(dependencies: LibraryDependencies): Library {
  const { baseUrl, specimens, board } = dependencies;
  const specimen = specimens.find(({ state }) => state === 'held')!.vin;
  const fill = placeholderFiller({
    ...dependencies,
    specimen,
    security: securityReporting(dependencies.securityContact),
  });
  const files = docFiles.map((doc) => ({
    group: doc.group,
    page: doc.path === '/connect' ? withTools(filePage(doc, fill), dependencies) : filePage(doc, fill),
  }));
  const generated = [
    { group: 'Get started', page: apiPage(dependencies) },
    { group: 'Get started', page: specimensPage(specimens) },
    { group: 'Get started', page: errorsPage(baseUrl) },
    { group: 'The service', page: makesPage(dependencies) },
    { group: 'The service', page: statusPage(board) },
  ];
  const listed = [...files, ...generated];
  const groups = ['Get started', 'Guides', 'Rules', 'The service'].map((name) => ({
    name,
    pages: listed.filter(({ group }) => group === name).map(({ page }) => page),
  }));
  const contents: DocPage = {
    path: '/docs',
    title: 'Documentation',
    description: 'Everything about the API, the tools and the service.',
    markdown: async () =>
      `# Documentation\n\nHave the PDF of a sticker already? [Read it here](/read).\n\n${contentsMarkdown(groups)}`,
  };
  const pages = [
    contents,
    ...listed.map(({ page }) => page),
    ...makePages(dependencies),
    ...unpublishedPages(),
    ...errorPages(baseUrl),
  ];
  return {
    pages: new Map(pages.map((page) => [page.path, page])),
    groups,
    fill,
    openapi: dependencies.openapi,
  };
}

function contentsMarkdown(groups: Library['groups']): string {
  return groups
    .map(({ name, pages }) => {
      const lines = pages.map(({ title, path, description }) => `- [${title}](${path}): ${description}`);
      return `## ${name}\n\n${lines.join('\n')}`;
    })
    .join('\n\n');
}

/** Its examples are real responses, generated when the page is first requested. */
function withTools(page: DocPage, dependencies: LibraryDependencies): DocPage {
  const tools = lazy(() => toolsMarkdown(dependencies));
  return {
    ...page,
    collapsible: true,
    async markdown() {
      const reference = await tools();
      return (await page.markdown()).replace('{{tools}}', () => reference);
    },
  };
}

/** As in `SECURITY.md`. Only the operator of an instance knows the repository's URL. */
const SOFTWARE_VULNERABILITIES =
  'For vulnerabilities in the software itself, use “Report a vulnerability” on the security tab of the source repository.';

/** Where to report vulnerabilities. `security.txt` links here, so this must not link back. */
function securityReporting(contact: string | null): string {
  const operator = contact
    ? `report it privately to the operator of this instance: <${contact}>.`
    : 'the operator of this instance has not provided a contact.';
  return `${operator} ${SOFTWARE_VULNERABILITIES} Tell us what you did, what happened and what you expected.`;
}

const FOLDER = new URL('../../../docs/', import.meta.url);

/** One entry of `docs/site/index.json`. */
interface DocFile {
  slug: string;
  /** Its path, if it is not under `/docs/`. */
  path?: string;
  title: string;
  group: string;
  description: string;
  file: string;
}

const docFiles = JSON.parse(readFileSync(new URL('site/index.json', FOLDER), 'utf8')) as DocFile[];

/** The pages with a path of their own, and where people look for them among the others. */
export const OWN_PATHS: ReadonlyMap<string, string> = new Map(
  docFiles.flatMap(({ slug, path }) => (path ? [[`/docs/${slug}`, path]] : [])),
);

/** Reads a file and turns links between files into links between pages. */
function readDoc({ file }: DocFile, fill: (text: string) => string): string {
  const text = readFileSync(new URL(file, FOLDER), 'utf8');
  return fill(text).replace(/\]\((?:docs\/)?(?:site\/)?([\w-]+)\.md\)/g, (_, slug: string) => {
    const path = `/docs/${slug}`;
    return `](${OWN_PATHS.get(path) ?? path})`;
  });
}

function filePage(doc: DocFile, fill: (text: string) => string): DocPage {
  let text: string | null = null;
  return {
    path: doc.path ?? `/docs/${doc.slug}`,
    title: doc.title,
    description: doc.description,
    markdown: async () => (text ??= readDoc(doc, fill)),
  };
}
