import { isVin, parseVin, tidyVin, vinsIn } from '@monroney/vin';
import type { FastifyRequest } from 'fastify';
import type { Reading } from '@monroney/label/reading/types';
import { comparedSamples, ownerName } from '../lookup/messages.ts';
import { nameParts, type NameParts } from '@monroney/label/lib/names';
import { capitalize } from '@monroney/label/lib/words';
import {
  compareLines,
  hasPrices,
  headline,
  leadWords,
  namesApart,
  inOneCurrency,
  type ComparedName,
} from '@monroney/label/reading/compare';
import { failsCheckDigit, printedCarOf, withReading, type LookupResult } from '../lookup/finding.ts';
import { html, unbroken, type Html } from './html.ts';
import { SCRIPTS } from './assets.ts';
import { refresh, waitedOf } from './no-label.ts';
import { carRows } from './compare-rows.ts';
import { compareTables, type Compared } from './compare-tables.ts';
import { previewTags } from './car-page.ts';
import { layout } from './layout.ts';
import { readNow } from './held.ts';
import { queriesOf, queryOf, type PageContext, type PageHandler } from './page-context.ts';
import { findForPage } from './page-lookup.ts';
import { pageResponse, redirect } from './respond.ts';
import { vinLine } from './vin-cells.ts';

export const MAX_CARS = 4;
const MAX_WAIT_MS = 150;
const MAX_TEXT_LENGTH = 4_000;

/** GET /compare?vins=A,B[,C[,D]]. The form sends each VIN as `vin` and is redirected to this URL. */
export function compare(context: PageContext): PageHandler {
  return async (request) => {
    const fields = queriesOf(request, 'vin');
    const typed = (fields.length > 0 ? fields : (queryOf(request, 'vins') ?? '').split(','))
      .slice(0, 20)
      .flatMap(typedVins)
      .filter(Boolean);
    const vins = [...new Set(typed.filter(isVin))];
    const wrong = typed.find((text) => !isVin(text));
    if (fields.length > 0 && !wrong && vins.length >= 2)
      return redirect(request, `/compare?vins=${vins.join(',')}`, 303);
    if (wrong !== undefined || vins.length < 2 || vins.length > MAX_CARS) {
      return pageResponse(
        request,
        vinForm(context, wrong === undefined ? vins : typed, wrong, typed.length > vins.length),
        { status: wrong === undefined ? 200 : 400 },
      );
    }
    const cars = await Promise.all(vins.map((vin) => lookUp(context, request, vin)));
    return pageResponse(request, comparison(context, cars, waitedOf(queryOf(request, 'waited'))), {
      cacheControl: 'no-store',
    });
  };
}

/** One VIN as typed, or every VIN in a pasted text. */
function typedVins(text: string): string[] {
  const vin = tidyVin(text.slice(0, MAX_TEXT_LENGTH));
  const pasted = isVin(vin) ? [] : vinsIn(text.slice(0, MAX_TEXT_LENGTH));
  return pasted.length > 0 ? pasted : [vin];
}

async function lookUp(context: PageContext, request: FastifyRequest, vin: string): Promise<Compared> {
  const { result } = await findForPage(context, request.client, vin, MAX_WAIT_MS);
  const { finding } = result;
  const reading = finding.state === 'held' ? await readNow(context, finding.label) : null;
  return { result: withReading(result, reading), reading };
}

function vinForm(
  context: PageContext,
  typed: readonly string[],
  wrong: string | undefined,
  repeated: boolean,
): Html {
  const parsed = wrong === undefined ? null : parseVin(wrong);
  return layout({
    title: 'Compare window stickers',
    description:
      'Put two to four cars side by side and see what each cost new and which options make the difference.',
    path: '/compare',
    baseUrl: context.baseUrl,
    scripts: [SCRIPTS.recent],
    body: html`<h1>Compare window stickers</h1>
      <p class="lead">
        Enter two to four VINs to see what each car cost new and which options make the difference.
      </p>
      ${parsed && !parsed.ok ? html`<p class="notice"><strong>${wrong!.slice(0, 40)} isn’t a VIN.</strong> ${parsed.message}</p>` : ''}
      ${wrong === undefined && typed.length > MAX_CARS ? html`<p class="notice"><strong>You can compare up to four cars.</strong> Here are the first four.</p>` : ''}
      ${wrong === undefined && typed.length === 1 && repeated ? html`<p class="notice"><strong>That’s the same VIN twice.</strong> Enter another car’s VIN below.</p>` : ''}
      <form action="/compare" method="get" class="vins">
        <datalist id="recent-vins" data-recent-list></datalist>
        ${FIELDS.map((label, index) => vinLine(label, typed[index]?.slice(0, 40) ?? '', index < 2))}
        <div class="actions">
          <button class="button">Compare</button>
          <p class="soft">
            No VINs handy? <a href="/compare?vins=1C4RJHBR7TC000000,1FMUK8DH0TG000000">Try two samples</a>
          </p>
        </div>
      </form>`,
  });
}

const FIELDS = ['First VIN', 'Second VIN', 'Third VIN (optional)', 'Fourth VIN (optional)'];

/** What a comparison says in short: how the cars are called and what each cost. */
export function resultOf(cars: readonly Compared[]) {
  const parts = cars.map(namePartsOf);
  const names = namesApart(parts);
  const labels = cars
    .map(({ reading }) => reading?.label)
    .filter((label) => label !== undefined && label !== null);
  const oneCurrency = inOneCurrency(labels);
  const totals = cars.map(({ reading }) => (oneCurrency && reading?.label?.prices.total) || null);
  return {
    names,
    labels,
    oneCurrency,
    totals,
    title: headline(titleNames(parts, names), totals),
  };
}

export function comparison(
  context: Pick<PageContext, 'baseUrl'>,
  cars: readonly Compared[],
  waited: number,
): Html {
  const { names, labels, oneCurrency, title } = resultOf(cars);
  const readings = cars.map(({ reading }) => reading).filter((reading) => reading?.label);
  const complete = readings.length === cars.length && oneCurrency && labels.every(hasPrices);
  const lines = complete ? compareLines(labels) : [];
  const asking = cars.filter(({ result }) => result.finding.state === 'asking');
  const vins = cars.map(({ result }) => result.vin).join(',');
  const query = `?vins=${vins}`;
  // Encoded, because apps that look for URLs in text may end them at a comma.
  const preview = `${context.baseUrl}/compare/preview.png?vins=${encodeURIComponent(vins)}`;
  return layout({
    title,
    description: complete
      ? `${title}. Their window stickers, compared line by line.`
      : `${title}. What we know about each car.`,
    path: '/compare',
    query,
    baseUrl: context.baseUrl,
    noindex: true,
    // They start on the finished page, which replaces this one.
    scripts: asking.length ? [SCRIPTS.asking] : [SCRIPTS.copy, SCRIPTS.recent],
    head: html`${previewTags(preview, `${title}: their window stickers`)}
    ${asking.length ? refresh(`/compare${query}`, waited) : ''}`,
    body: html`<div class="car-top">
        <h1>${unbroken(title)}</h1>
        <p class="car-actions">
          ${asking.length ? '' : html`<button type="button" class="plain" data-share="${title}" hidden>Share</button>`}
          <a href="/compare">Compare other VINs</a>
        </p>
      </div>
      ${carRows(cars, oneCurrency)}
      <p class="lead">
        ${comparedSamples(cars.map(({ result }) => result))}${complete ? withUnbrokenAmounts(leadWords(readings as Reading[], lines, names)) : whyNotLineByLine(cars, names, oneCurrency)}
      </p>
      ${compareTables(cars, names, lines)}`,
  });
}

function namePartsOf({ result, reading }: Compared): ComparedName {
  return {
    ...nameParts(result.decoded.vehicle, printedCarOf(result)),
    paint: reading?.label?.exterior?.color,
  };
}

/** Where a trim goes on with cab and drive: `Limited Crew Cab 4x4`. */
const CAB_OR_DRIVE = /^(?:cab|supercrew|supercab|4x[24]|[4A2FR]WD)$/i;

function withoutCab(trim: string): string {
  const words = trim.split(' ');
  const at = words.findIndex((word) => CAB_OR_DRIVE.test(word));
  // `Crew Cab` and `Quad Cab` are two words.
  const end = at > 1 && /^cab$/i.test(words[at]!) ? at - 1 : at;
  return end > 0 ? words.slice(0, end).join(' ') : trim;
}

/** What the heading of a comparison calls its cars: `2025 F-150 XL`. `names` tell them apart if year, model and trim don't. */
function titleNames(cars: readonly NameParts[], names: readonly string[]): string[] {
  const named = (trimOf: (trim: string) => string) =>
    cars.map(({ year, make, model, trim }) => {
      // A number alone is no name: a Ram 1500.
      const isNumber = !model || /^\d+$/.test(model);
      return [year, isNumber ? make : null, model, trim && trimOf(trim)].filter(Boolean).join(' ');
    });
  const ways = [named(withoutCab), named((trim) => trim), names];
  const areKnown = cars.every(({ year, make }) => year && make);
  return [...(areKnown ? ways.find((way) => new Set(way).size === way.length)! : names)];
}

/** Why cars can't be compared line by line: one sentence for each car without a readable sticker. */
function whyNotLineByLine(cars: readonly Compared[], names: readonly string[], oneCurrency: boolean): string {
  if (cars.some(({ result }) => result.finding.state === 'asking')) {
    return 'We’re still fetching a sticker. This page updates when it arrives.';
  }
  const reasons = cars.flatMap(({ result, reading }, index) => {
    const car = `the ${names[index]}`;
    if (reading?.label)
      return hasPrices(reading.label) ? [] : [`We couldn’t find all prices on the sticker of ${car}.`];
    return [capitalize(reading ? whyUnread(reading, car) : whyNone(result, car))];
  });
  if (!oneCurrency) reasons.push('Some prices are in US dollars and some in Canadian dollars.');
  return `${reasons.join(' ')} So we can’t compare the prices line by line. Here’s what we know.`;
}

function whyUnread({ reason }: Reading, car: string): string {
  switch (reason) {
    case 'picture':
    case 'no-text':
      return `${car} has a sticker, but it’s a picture: open it to see the prices.`;
    case 'timeout':
      return `We’re still reading the sticker of ${car}: reload this page in a moment.`;
    default:
      return `${car} has a sticker, but we can’t read its prices: open it to see them.`;
  }
}

function whyNone(result: LookupResult, car: string): string {
  const { finding, decoded } = result;
  // Without the right VIN, nothing can be said about its sticker.
  if (failsCheckDigit(decoded)) return `One character in the VIN of ${car} looks wrong.`;
  const make = ownerName(result);
  switch (finding.state) {
    case 'no-source':
      return decoded.vehicle?.make
        ? `${car} has no sticker: ${make} doesn’t publish them.`
        : `We can’t look up a sticker for ${car}, because its make is unknown.`;
    case 'none':
      return `${make} has no sticker for ${car}.`;
    case 'withdrawn':
      return `The sticker of ${car} has been withdrawn.`;
    case 'off':
      return `We’ve paused lookups for ${make}, so we don’t know whether ${car} has a sticker.`;
    default:
      return `We couldn’t get a sticker for ${car} just now: try again in a few minutes.`;
  }
}

/** With a word joiner (U+2060) after each minus sign: browsers may break the line between it and the amount. */
function withUnbrokenAmounts(text: string): string {
  return text.replaceAll('−$', '−\u2060$$');
}
