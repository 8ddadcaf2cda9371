import type { UncoveredMake } from '../../lookup/uncovered-makes.ts';
import {
  makeEntries,
  nowSentence,
  readingEvidence,
  type MakeEntry,
  UNPUBLISHED,
  alternatives,
  whyUnpublished,
} from '../../site/docs/makes.ts';
import { fileSize, capitalize, duration, inWords } from '@monroney/label/lib/words';
import { stateName } from '../../site/docs/status.ts';
import { viaDealersText } from '../../makers/index.ts';
import { comesViaDealers, labelKind, originOf } from '../../makers/maker.ts';
import { html, terms, type Html } from '../html.ts';
import type { PageContext } from '../page-context.ts';
import { sampleSheet, trySample } from '../sample.ts';
import { findForm } from '../vin-cells.ts';
import { glyph, tone } from './status.ts';
import { makeSlug } from '../../lookup/coverage.ts';

function stateBadge({ status }: MakeEntry): Html {
  return html`<span class="now ${tone(status)}">${glyph(status)}${stateName(status)}</span>`;
}

const KIND_IN_SHORT = { text: 'Prices listed', picture: 'Picture only', unread: 'Prices not listed yet' };
const KIND_IN_FULL = {
  text: 'PDF; we list its prices and options',
  picture: 'picture; we show it but can’t read it',
  unread: 'PDF; we can’t read it yet',
};

const sizeOf = ({ row }: MakeEntry) =>
  row.typicalBytes === null ? 'size varies' : `about ${fileSize(row.typicalBytes)}`;

/** GET /makes: one row per source, because the makes of a source have everything in common. */
export async function makesBody(context: PageContext): Promise<Html> {
  const entries = await makeEntries(context);
  const groups = context.lookup.sources.map(({ id }) => entries.filter(({ source }) => source.id === id));
  return html`<h1>${capitalize(inWords(entries.length))} makes publish their window stickers</h1>
    <p class="lead">
      For other makes we show what the VIN tells us. Most stickers come straight from the manufacturer.
      ${viaDealersText(context.lookup.sources)} See <a href="/status">what works today</a>.
    </p>
    <section>
      <h2>Makes, model years and stickers</h2>
      <ul class="makes">
        ${groups.map((group) => {
          const [first] = group;
          if (!first) return '';
          return html`<li>
            <h3>
              ${group.map(
                ({ slug, row }, index) =>
                  html`${index > 0 ? ', ' : ''}<a href="/makes/${slug}">${row.make}</a>`,
              )}
            </h3>
            <p>${first.row.years}${comesViaDealers(first.row) ? ', via dealers' : ''}</p>
            <p class="soft">${KIND_IN_SHORT[labelKind(first.source)]}, ${sizeOf(first)}</p>
            ${stateBadge(first)}
          </li>`;
        })}
      </ul>
    </section>
    <section>
      <div class="text">
        <h2>Makes that don’t publish stickers</h2>
        <p>
          We decode their VINs and tell you what you can do instead:
          ${UNPUBLISHED.map(({ make }, index) => html`${index > 0 ? ', ' : ''}<a href="/makes/${makeSlug(make)}">${make}</a>`)}.
        </p>
      </div>
    </section>`;
}

/** GET /makes/{make} of a make that publishes no stickers. */
export function unpublishedBody(entry: UncoveredMake): Html {
  const { make } = entry;
  return html`<h1>${make} window stickers</h1>
    <p class="lead">${whyUnpublished(entry)}</p>
    <section class="six-ten">
      <div class="text"><h2>What you can do instead</h2></div>
      <ol class="steps">
        ${alternatives(entry).map((step) => html`<li><span>${step}</span></li>`)}
      </ol>
    </section>
    <section>
      <h2>What we can tell you</h2>
      <p class="text">Enter a VIN. We decode it with NHTSA’s data: model, engine, drive and plant.</p>
      ${findForm({ button: 'See what the VIN says' })}
      <p class="actions-text">
        <a href="/docs/why-no-window-sticker">Why there is no window sticker</a>,
        <a href="/docs/build-sheets">build sheets</a>, <a href="/makes">makes that publish stickers</a>.
      </p>
    </section>`;
}

/** GET /makes/{make} */
export function makeBody(entry: MakeEntry): Html {
  const { row, source, specimen } = entry;
  const { make } = row;
  const facts: [string, string][] = [
    ['Model years', row.years],
    ['Sticker', KIND_IN_FULL[labelKind(source)]],
    ['Usual size', row.typicalBytes === null ? 'unknown' : fileSize(row.typicalBytes)],
    ['First lookup', `about ${duration(source.typicalSeconds)}, then instant`],
    ['Source', originOf(source)],
    ...(row.readable ? [['Our reading', readingEvidence(row)] as [string, string]] : []),
  ];
  return html`<h1>${make} window stickers</h1>
    <p class="lead">
      Paste the VIN of any ${make} to see its original window sticker: base price, every option and the total
      when new.
    </p>
    ${findForm({}, specimen ? trySample(specimen.vin) : '')}
    <section class="six-ten">
      <div class="text">
        <h2>What ${make} publishes</h2>
        <p>${stateBadge(entry)}</p>
        <p class="soft">
          ${entry.status.state === 'quiet' ? '' : nowSentence(entry)}
          <a href="/status">See today’s numbers</a>.
        </p>
      </div>
      <dl class="rows loose">${terms(facts)}</dl>
    </section>
    <section class="six-ten">
      <div class="text">
        <h2>If there is no sticker</h2>
        <p>${source.whenMissing}</p>
        <p class="soft">We always show what the VIN tells us: model, engine, drive and plant.</p>
      </div>
      ${specimenFigure(entry)}
    </section>
    <p class="actions-text"><a href="/makes">All makes</a></p>`;
}

function specimenFigure({ row, specimen }: MakeEntry): Html {
  if (!specimen) {
    return html`<p class="soft">
      There’s no sample for this make yet. See <a href="/docs/specimens">the other samples</a>.
    </p>`;
  }
  const { vin, make } = specimen;
  const sibling = make === row.make ? '' : ` It’s from ${make}, which uses the same layout.`;
  return html`<figure>
    ${sampleSheet(vin, `A sample ${make} window sticker.`)}
    <figcaption class="soft small">A sample we drew.${sibling}</figcaption>
  </figure>`;
}
