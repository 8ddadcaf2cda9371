import { listed } from '../../lib/words.ts';
import { pictureMakes, thirdPartyMakes } from '../../makers/index.ts';
import type { MaybePromise } from '../../lib/maybe-promise.ts';

/** A page written in Markdown: people get it as HTML, programs as it is. */
export interface DocPage {
  /** `/docs/limits`. */
  path: string;
  title: string;
  /** One sentence for lists, search results and previews. */
  says: string;
  /** Whether its sections are shown folded: for a page of choices. */
  folds?: boolean;
  markdown(): MaybePromise<string>;
}

/** Fills in this instance's URL, a test VIN, the security contact and names of makes. */
export function filler(own: {
  baseUrl: string;
  specimen: string;
  security: string;
}): (text: string) => string {
  return (text) =>
    text
      .replaceAll('{{cursorInstall}}', () => cursorInstall(own.baseUrl))
      .replaceAll('{{vscodeInstall}}', () => vscodeInstall(own.baseUrl))
      .replaceAll('{{baseUrl}}', own.baseUrl)
      .replaceAll('{{specimen}}', own.specimen)
      .replaceAll('{{security}}', () => own.security)
      .replaceAll('{{pictureMakes}}', pictureMakes.join(', '))
      .replaceAll('{{thirdPartyMakes}}', listed(thirdPartyMakes));
}

/** Makes links absolute, for text that is used outside this site. */
export function absolute(markdown: string, baseUrl: string): string {
  return markdown.replaceAll('](/', `](${baseUrl}/`);
}

/** A cell of a table: no line breaks, no bars. */
export function cell(text: string | number | null): string {
  return String(text ?? '–')
    .replace(/\s+/g, ' ')
    .replaceAll('|', '\\|');
}

export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const line = (cells: readonly (string | number | null)[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** A link that installs the tools in Cursor. */
export function cursorInstall(baseUrl: string): string {
  const config = Buffer.from(JSON.stringify({ url: `${baseUrl}/mcp` })).toString('base64');
  return `https://cursor.com/en/install-mcp?name=monroney&config=${encodeURIComponent(config)}`;
}

/** A link that installs the tools in VS Code. */
export function vscodeInstall(baseUrl: string): string {
  const config = JSON.stringify({ type: 'http', url: `${baseUrl}/mcp` });
  return `https://vscode.dev/redirect/mcp/install?name=monroney&config=${encodeURIComponent(config)}`;
}
