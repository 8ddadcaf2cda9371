import { escapeMarkup } from '../lib/markup.ts';

/** Markup in which all inserted values are escaped. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

/** What a template takes. Booleans, null and undefined insert nothing. */
type Inserted = Html | string | number | boolean | null | undefined | readonly Inserted[];

/** Text that is HTML already. */
export function raw(markup: string): Html {
  return new Html(markup);
}

/** Escapes what it inserts, except markup of another template. */
export function html(strings: TemplateStringsArray, ...values: readonly Inserted[]): Html {
  let markup = strings[0]!;
  for (const [index, value] of values.entries()) markup += markupOf(value) + strings[index + 1]!;
  return new Html(markup);
}

/** No line ends within a short word such as `F-150`. Browsers break lines after hyphens. */
export const unbroken = (text: string): Html[] =>
  text.split(' ').map((word, index) => {
    const space = index > 0 ? ' ' : '';
    return word.length <= 12 && word.includes('-')
      ? html`${space}<span class="nowrap">${word}</span>`
      : html`${space}${word}`;
  });

/** The rows of a description list. */
export const terms = (rows: readonly (readonly [name: Html | string, words: Inserted])[]): Html[] =>
  rows.map(
    ([name, words]) =>
      html`<div>
        <dt>${name}</dt>
        <dd>${words}</dd>
      </div>`,
  );

/** Rows of a list, each with a name, a text and a button that copies it. Buttons of a page are hidden until its script has started. */
export const copyRows = (
  rows: readonly (readonly [name: string, text: string])[],
  isStarted = false,
): Html[] =>
  rows.map(
    ([name, text]) =>
      html`<div>
        <dt>${name}</dt>
        <dd><code>${text}</code></dd>
        <dd>
          <button type="button" class="plain small" data-copy="${text}" ${isStarted ? '' : html`hidden`}>
            Copy<span class="visually-hidden"> ${name}</span>
          </button>
        </dd>
      </div>`,
  );

function markupOf(value: Inserted): string {
  if (typeof value === 'string') return escapeMarkup(value);
  if (value instanceof Html || typeof value === 'number') return String(value);
  // Not Array.isArray, which doesn't narrow a readonly array.
  if (value === null || typeof value !== 'object') return '';
  return value.map(markupOf).join('');
}
