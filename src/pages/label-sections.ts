import { verifiedOn } from '@monroney/label/makers/index';
import type { Label, LabelText, Proof } from '@monroney/label/reading/types';
import type { Highlights, PageSize } from './highlights.ts';
import { glossary } from './glossary.ts';
import { html, type Html } from './html.ts';
import { factBoxes, optionCodes, standardEquipment } from './label-facts.ts';
import { priceBar } from './price-bar.ts';
import { hasPrices, optionTable, POINT_OR_TAP, priceTable } from './prices.ts';

/** The prices as a bar and as a table, beside a small sticker. */
export function priceSection(
  label: Label,
  proof: Proof | null,
  text: LabelText | null,
  highlights: Highlights,
  size: PageSize,
  asking: Html | string = '',
): Html {
  const pointing = highlights.has('prices.total');
  return html`<section>
    <div class="section-head">
      <h2>Price and options</h2>
      <p class="small">
        <a href="/docs/how-to-read-a-sticker">How to read a window sticker</a> ·
        <a href="#words">Its words</a>
      </p>
    </div>
    ${priceBar(label, proof, highlights)}
    <div class="${pointing ? 'ten-six ' : ''}says">
      <div>
        ${hasPrices(label) ? priceTable(label, proof, highlights, asking) : optionTable(label, text, highlights)}
      </div>
      ${pointing ? html`<div class="beside">${loupe(size)}</div>` : ''}
    </div>
    <p class="small soft">${evidence(label.make, verifiedOn(label.make))}</p>
  </section>`;
}

/** Everything else that the sticker says. */
export function alsoOnSticker(label: Label, text: LabelText | null, highlights: Highlights): Html {
  return html`<section>
      <h2>Also on the sticker</h2>
      ${label.language === 'fr' ? html`<p>This sticker is in French.</p>` : ''}
      ${factBoxes(label, highlights)}
    </section>
    ${standardEquipment(label)} ${optionCodes(label)} ${glossary(label, text)}`;
}

/** A small copy of the sticker that a script moves to the line under the pointer. */
function loupe({ width, height }: PageSize): Html {
  return html`<figure class="loupe">
    <svg viewBox="0 0 ${Math.round(width)} ${Math.round(height)}" aria-hidden="true"></svg>
    <figcaption class="small soft">${POINT_OR_TAP}</figcaption>
  </figure>`;
}

/** How well our reader for this make is tested. */
function evidence(make: string, realLabels: number): string {
  if (realLabels === 0) return `We haven’t checked our reading of ${make} stickers against a real one yet.`;
  const count = realLabels === 1 ? 'only one real sticker' : `${realLabels} real ones`;
  return `We’ve checked our reading of ${make} stickers against ${count}.`;
}
