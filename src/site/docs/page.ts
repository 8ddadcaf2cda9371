import { duration } from '@monroney/label/lib/words';
import {
  limitField,
  limitInWords,
  limitSentence,
  MAX_CONCURRENT_PAGES,
  MAX_PAGES_PER_MINUTE,
  policyField,
  type Policy,
} from '../../http/limit.ts';
import { MAX_CONCURRENT_FETCHES, MAX_FETCHES_PER_MINUTE } from '../../lookup/find.ts';
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

/** Fills in this instance's URL, its limits, a test VIN, the security contact and names of makes. */
export function placeholderFiller(values: {
  baseUrl: string;
  specimen: string;
  security: string;
  limit: Policy | null;
  contactDays: number;
}): (text: string) => string {
  const { baseUrl, specimen, security, limit, contactDays } = values;
  const filled: Readonly<Record<string, string>> = {
    ...installLinks(baseUrl),
    baseUrl,
    specimen,
    security,
    contactDays: String(contactDays),
    ...limitValues(limit),
    pictureMakes: pictureMakes.join(', '),
    viaDealers: viaDealersText(),
  };
  // `{{tools}}` is filled by the page that has it.
  return (text) =>
    ifLimited(text, limit !== null).replace(
      /\{\{(\w+)\}\}/g,
      (placeholder, name: string) => filled[name] ?? placeholder,
    );
}

/** Keeps what stands between `{{#limits}}` and `{{/limits}}` if there are limits, and `{{^limits}}` … `{{/limits}}` if not. */
function ifLimited(text: string, isLimited: boolean): string {
  let isBlock = false;
  const pieces = text.split('{{/limits}}').map((piece) => {
    const rest = isBlock ? piece.replace(/^\n/, '') : piece;
    const opening = /\{\{([#^])limits\}\}(\n?)/.exec(rest);
    // A section on lines of its own leaves no empty lines.
    isBlock = opening?.[2] === '\n';
    if (!opening) return rest;
    const isKept = (opening[1] === '#') === isLimited;
    return rest.slice(0, opening.index) + (isKept ? rest.slice(opening.index + opening[0].length) : '');
  });
  return pieces.join('');
}

function limitValues(limit: Policy | null): Record<string, string> {
  const limitText = limitSentence(limit);
  if (!limit) return { limitSentence: limitText };
  return {
    limitSentence: limitText,
    limit: limitInWords(limit),
    limitSeconds: duration(limit.seconds),
    limitPolicy: policyField(limit),
    limitField: limitField({ allowed: true, remaining: limit.requests - 1, waitMs: limit.seconds * 1000 }),
    // The limiter remembers a client for up to two windows.
    limitMemory: duration(2 * limit.seconds),
    fetches: String(MAX_FETCHES_PER_MINUTE),
    fetchesAtOnce: String(MAX_CONCURRENT_FETCHES),
    pages: String(MAX_PAGES_PER_MINUTE),
    pagesAtOnce: String(MAX_CONCURRENT_PAGES),
  };
}

/** Links that install the tools in an assistant. */
function installLinks(baseUrl: string) {
  const url = `${baseUrl}/mcp`;
  const [plain, typed] = [{ url }, { type: 'http', url }].map((config) => JSON.stringify(config));
  const base64 = encodeURIComponent(Buffer.from(plain!).toString('base64'));
  return {
    cursorInstall: `https://cursor.com/en/install-mcp?name=monroney&config=${base64}`,
    lmStudioInstall: `https://lmstudio.ai/install-mcp?name=monroney&config=${base64}`,
    kiroInstall: `https://kiro.dev/launch/mcp/add?name=monroney&config=${encodeURIComponent(plain!)}`,
    vscodeInstall: `https://vscode.dev/redirect/mcp/install?name=monroney&config=${encodeURIComponent(typed!)}`,
  };
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
