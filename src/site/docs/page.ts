import { pictureMakes, viaDealersText } from '../../makers/index.ts';

/** A page written in Markdown. Browsers get it as HTML, programs as Markdown. */
export interface DocPage {
  /** `/docs/limits`. */
  path: string;
  title: string;
  /** One sentence for lists, search results and previews. */
  description: string;
  /** Whether its sections start collapsed, for pages of alternatives. */
  collapsible?: boolean;
  markdown(): Promise<string>;
}

/** Fills in this instance's URL, a test VIN, the security contact and names of makes. */
export function placeholderFiller(values: {
  baseUrl: string;
  specimen: string;
  security: string;
}): (text: string) => string {
  const { hostname } = new URL(values.baseUrl);
  return (text) =>
    text
      .replaceAll('{{cursorInstall}}', () => cursorInstall(values.baseUrl))
      .replaceAll('{{vscodeInstall}}', () => vscodeInstall(values.baseUrl))
      .replaceAll('{{lmStudioInstall}}', () => lmStudioInstall(values.baseUrl))
      .replaceAll('{{kiroInstall}}', () => kiroInstall(values.baseUrl))
      .replaceAll('{{baseUrl}}', values.baseUrl)
      .replaceAll('{{hostname}}', hostname)
      .replaceAll('{{specimen}}', values.specimen)
      .replaceAll('{{security}}', () => values.security)
      .replaceAll('{{pictureMakes}}', pictureMakes.join(', '))
      .replaceAll('{{viaDealers}}', viaDealersText());
}

/** Makes links absolute, for text that is used outside this site. */
export function absolute(markdown: string, baseUrl: string): string {
  return markdown.replaceAll('](/', `](${baseUrl}/`);
}

/** Escapes a table cell: no line breaks, no bars. */
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
function cursorInstall(baseUrl: string): string {
  return `https://cursor.com/en/install-mcp?name=monroney&config=${base64Config(baseUrl)}`;
}

/** A link that installs the tools in LM Studio. */
function lmStudioInstall(baseUrl: string): string {
  return `https://lmstudio.ai/install-mcp?name=monroney&config=${base64Config(baseUrl)}`;
}

function base64Config(baseUrl: string): string {
  return encodeURIComponent(Buffer.from(JSON.stringify({ url: `${baseUrl}/mcp` })).toString('base64'));
}

/** A link that installs the tools in Kiro. */
function kiroInstall(baseUrl: string): string {
  const config = JSON.stringify({ url: `${baseUrl}/mcp` });
  return `https://kiro.dev/launch/mcp/add?name=monroney&config=${encodeURIComponent(config)}`;
}

/** A link that installs the tools in VS Code. */
function vscodeInstall(baseUrl: string): string {
  const config = JSON.stringify({ type: 'http', url: `${baseUrl}/mcp` });
  return `https://vscode.dev/redirect/mcp/install?name=monroney&config=${encodeURIComponent(config)}`;
}
