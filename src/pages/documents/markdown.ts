import { withCurlyApostrophes } from '@monroney/label/lib/words';
import { Marked, type Tokens } from 'marked';
import { escapeMarkup } from '../../lib/markup.ts';

/** Renders our Markdown files. HTML in them is escaped, so text can't inject scripts. */
const marked = new Marked({
  walkTokens(token) {
    if (token.type === 'text') token.text = curly((token as Tokens.Text).text);
  },
  renderer: {
    heading({ tokens, depth }: Tokens.Heading) {
      const inner = this.parser.parseInline(tokens);
      const id = slug(textOfTokens(tokens));
      return depth === 1 ? `<h1>${inner}</h1>\n` : `<h${depth} id="${id}">${inner}</h${depth}>\n`;
    },
    code({ text, lang }: Tokens.Code) {
      return codeBox(text, NAMES[lang ?? ''] ?? null);
    },
    codespan({ text }: Tokens.Codespan) {
      // Long paths may break after a slash, so that tables fit on a phone.
      return `<code>${escapeMarkup(text).replace(/\/(?=.)/g, '/<wbr />')}</code>`;
    },
    table(token: Tokens.Table) {
      const cells = (row: Tokens.TableCell[], tag: string) =>
        row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('\n');
      const head = `<thead><tr>${cells(token.header, 'th scope="col"').replaceAll('</th scope="col">', '</th>')}</tr></thead>`;
      return `<div class="scroll" role="region" aria-label="Table" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
    },
    html({ text }: Tokens.HTML | Tokens.Tag) {
      return escapeMarkup(text);
    },
    link({ href, tokens }: Tokens.Link) {
      const inner = this.parser.parseInline(tokens);
      return /^(?:\/|#|https?:\/\/|mailto:)/.test(href)
        ? `<a href="${escapeMarkup(href)}">${inner}</a>`
        : inner;
    },
  },
});

const NAMES: Record<string, string> = {
  sh: 'Terminal',
  js: 'JavaScript',
  python: 'Python',
  json: 'JSON',
  'json call': 'Call',
  'json result': 'Result',
  http: 'Headers',
  text: 'URL',
};

/** Typographic apostrophes and quotes, which our files don't have so that they are easy to edit. */
export function curly(text: string): string {
  return withCurlyApostrophes(text).replace(/"([^"]*)"/g, '“$1”');
}

export function markup(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

const SECTION = /<h3 id="[^"]*">[^]*?(?=<h[1-3][ >]|$)/g;

/** Folds each third-level section, one open at a time, to keep long pages short. */
export function folded(markup: string): string {
  return markup.replace(/(?:<h3 id="[^"]*">[^]*?(?=<h[12][ >]|$))+/g, (sections) => {
    const [, id] = /<h3 id="([^"]*)">/.exec(sections)!;
    const collapsed = sections.replace(SECTION, (section) => {
      const end = section.indexOf('</h3>') + '</h3>'.length;
      const heading = section.slice(0, end);
      return `<details name="${id}"><summary>${heading}<span></span></summary>${section.slice(end)}</details>`;
    });
    return `<div class="folds">${collapsed}</div>`;
  });
}

/** Code with a caption and a copy button, which a script activates. */
function codeBox(text: string, name: string | null): string {
  const copy = `<button class="plain" type="button" data-copy="${escapeMarkup(text)}" hidden>Copy</button>`;
  return `<figure class="code${name === 'Terminal' ? ' wraps' : ''}"><figcaption><span>${name ?? 'Text'}</span>${copy}</figcaption><pre tabindex="0"><code>${escapeMarkup(text)}</code></pre></figure>\n`;
}

function textOfTokens(tokens: Tokens.Generic[] | undefined): string {
  return (tokens ?? [])
    .map((token) =>
      token.tokens ? textOfTokens(token.tokens) : String((token as { text?: string }).text ?? ''),
    )
    .join('');
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
