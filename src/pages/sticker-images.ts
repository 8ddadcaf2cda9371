import { conditionalResponse } from '../http/representation.ts';
import { hash } from 'node:crypto';
import { isVin } from '@monroney/vin';
import type { FastifyRequest } from 'fastify';
import { IMMUTABLE, type HeaderFields } from '../http/response.ts';
import type { Answer, ProblemOptions } from '../http/problems.ts';
import { isForOurPage } from '../http/sites.ts';
import { withReading, type LookupResult } from '../lookup/finding.ts';
import { withdrawnNote } from '../lookup/messages.ts';
import { PREVIEW_WIDTH, PREVIEW_WIDTHS } from '../pdf/pdf-workers.ts';
import { inMemorySingleFlight } from '../lib/promises.ts';
import { capitalize, money } from '@monroney/label/lib/words';
import { joinOrStart } from '../lookup/texts-and-previews.ts';
import { isTemporary, readerVersionOf } from '@monroney/label/read-text';
import { paramOf, queryOf, type PageContext, type PageHandler } from './page-context.ts';
import type { Card } from '../pdf/channel.ts';
import type { Reading } from '@monroney/label/reading/types';
import { cardOf, comparisonCard, drawSheet, EMPTY_DRAWING } from './card/draw.ts';
import { MAX_CARS, resultOf } from './compare.ts';
import { sharedScale } from './compare-rows.ts';
import { bodyWords, pageTitle, priceNew, engineWords, plantWords } from './everyday-words.ts';
import { badgeWords, glance, NEUTRAL } from './glance.ts';
import { readNow, whenBusy } from './held.ts';
import { raw } from './html.ts';
import { withoutLabelWords } from './no-label.ts';
import { barDrawing, grossOf } from './price-bar.ts';
import { pageResponse, presentProblem, problemOptions, wantsHtml, type PageOptions } from './respond.ts';

const WIDTHS: readonly number[] = PREVIEW_WIDTHS;

/** GET /window-sticker/{vin}/picture: the label's first page as an image, for pages. Other sites get a drawing until we have it. */
export function picture(context: PageContext): PageHandler {
  const notFound: Answer = { reason: 'not-found', detail: 'There is no sticker picture at this URL.' };
  return async (request) => {
    const vin = paramOf(request, 'vin');
    const width = widthOf(request);
    if (!isVin(vin) || !width) return notFound;
    let result = await context.lookup.find(vin, { sticker: false });
    if (result.finding.state !== 'held' && wantsImage(request)) {
      const seen = await glance(context, request, vin);
      const drawing = seen.isHidden ? EMPTY_DRAWING : drawSheet(badgeWords(seen), width);
      if (seen.result.finding.state !== 'held') return drawingResponse(request, drawing, seen.response);
      ({ result } = seen);
    }
    const { finding } = result;
    if (finding.state === 'withdrawn') return { reason: 'withdrawn', detail: withdrawnNote(result), vin };
    if (finding.state !== 'held') return notFound;
    // Search engines show it: it is the `image` of the page's JSON-LD.
    const headers = {
      ...sharedImage(request, 'image/webp', IMMUTABLE),
      etag: `"${finding.label.sha256}-${width}"`,
    };
    const unchanged = conditionalResponse(request, headers);
    if (unchanged) return unchanged;
    const webp = await context.lookup.preview(finding.label, width, viewerOf(request));
    return webp ? { status: 200, headers, body: webp } : notFound;
  };
}

/** A drawing in place of a picture that there is none of, on other sites. */
export function presentAsPicture(problem: ProblemOptions, request: FastifyRequest): Answer {
  if (!wantsImage(request)) return presentProblem(problem, request);
  return drawingResponse(
    request,
    drawSheet(NEUTRAL, widthOf(request) ?? PREVIEW_WIDTH),
    problemOptions(problem),
  );
}

/** The width that is asked for; null if there is no picture of it. */
function widthOf(request: FastifyRequest): number | null {
  const width = Number(queryOf(request, 'width') ?? PREVIEW_WIDTH);
  return WIDTHS.includes(width) ? width : null;
}

/** Whether it is an image on a page, and not opened by a person or a program. */
export const wantsImage = (request: FastifyRequest): boolean =>
  /\bimage\//.test(request.headers.accept ?? '') && !wantsHtml(request);

export function drawingResponse(request: FastifyRequest, svg: string, options: PageOptions): Answer {
  const image = sharedImage(request, 'image/svg+xml', options.cacheControl!);
  return pageResponse(request, raw(svg), { ...options, headers: { ...image, ...options.headers } });
}

const DAY = 'public, max-age=86400';
/** Shorter, because a sticker may be found later. */
const HOUR = 'public, max-age=3600';

interface Preview {
  png: Buffer;
  /** False if the next drawing may be better. */
  final: boolean;
}

/** A car on a card. */
interface CardCar {
  result: LookupResult;
  reading: Reading | null;
  picture: Buffer | null;
  /** Whether its sticker, if it has one, was drawn and read. */
  isComplete: boolean;
}

/** GET /window-sticker/{vin}/preview.png: the card in link previews. */
export function linkPreview(context: PageContext): PageHandler {
  return previews(context, 'card', PREVIEW_WIDTH, ([car]) => {
    const { result, reading, picture } = car!;
    const { vehicle } = result.decoded;
    return cardOf({
      name: pageTitle(result),
      vin: result.vin,
      total: priceNew(reading),
      facts: vehicle
        ? [engineWords(vehicle), bodyWords(vehicle), plantWords(vehicle)].filter(Boolean).join(' · ')
        : '',
      hasPicture: picture !== null,
      bar: reading?.label ? barOf(reading, grossOf(reading.label)) : null,
    });
  });
}

const barOf = (reading: Reading | null, full: number): string | null =>
  (reading?.label && barDrawing(reading.label, reading.proof, full)?.toString()) || null;

/** GET /compare/preview.png?vins=…: the card of a comparison. */
export function comparePreview(context: PageContext): PageHandler {
  return previews(context, 'comparison', 640, (cars) => {
    const { title, names, totals, oneCurrency } = resultOf(cars);
    const full = sharedScale(cars, oneCurrency);
    return comparisonCard(
      title,
      cars.map(({ result, picture, reading }, index) => ({
        name: names[index]!,
        total: totals[index] ? money(totals[index]) : null,
        hasPicture: picture !== null,
        without: capitalize(withoutLabelWords(result)),
        bar: full > 0 ? barOf(reading, full) : null,
      })),
    );
  });
}

/** Draws cards of stored stickers; nobody is asked for others. PNG, because many apps don't show WebP in link previews. */
function previews(
  { lookup, memory }: PageContext,
  kind: string,
  width: number,
  design: (cars: readonly CardCar[]) => Card,
): PageHandler {
  const cache = memory.of<Preview>(kind, ({ png }) => png.length);

  // A card takes a worker up to half a second, and a link in a chat is opened by many at once.
  const drawing = inMemorySingleFlight();

  async function carOf(found: LookupResult, client: string): Promise<CardCar> {
    const label = heldLabel(found);
    const reading = label && (await readNow({ lookup }, label));
    const picture = label && (await lookup.preview(label, width, client).catch(whenBusy(() => null)));
    const isComplete = !label || (picture !== null && reading !== null && !isTemporary(reading));
    return { result: withReading(found, reading), reading, picture, isComplete };
  }

  async function draw(vins: readonly string[], client: string): Promise<Preview | null> {
    const found = await Promise.all(vins.map((vin) => lookup.find(vin, { sticker: false })));
    const labels = found.map(heldLabel);
    const key = vins
      .map((vin, at) => `${vin} ${labels[at] ? labels[at].sha256 + readerVersionOf(labels[at].make) : ''}`)
      .join();
    const cached = cache.get(key);
    if (cached) return cached;
    const cars = await Promise.all(found.map((one) => carOf(one, client)));
    const pictures = cars.map(({ picture }) => picture).filter((picture) => picture !== null);
    const png = await lookup.card(design(cars), pictures, client);
    if (!png) return null;
    const isComplete = cars.every((car) => car.isComplete);
    const preview = { png, final: isComplete && labels.every(Boolean) };
    if (isComplete) cache.set(key, preview);
    return preview;
  }

  return async (request) => {
    const vins = previewedVins(request);
    const preview = vins && (await joinOrStart(drawing, vins.join(), () => draw(vins, viewerOf(request))));
    if (!preview) return { reason: 'not-found', detail: 'There is no preview picture at this URL.' };
    const { png, final } = preview;
    const headers = {
      ...sharedImage(request, 'image/png', final ? DAY : HOUR),
      etag: `"${hash('sha256', png, 'hex').slice(0, 32)}"`,
    };
    return conditionalResponse(request, headers) ?? { status: 200, headers, body: png };
  };
}

/** The VIN of the path, or those of a comparison; null if they can't be. */
function previewedVins(request: FastifyRequest): string[] | null {
  const compared = queryOf(request, 'vins');
  const ofPath = paramOf(request, 'vin');
  const vins = ofPath ? [ofPath] : (compared ?? '').split(',', MAX_CARS + 1);
  const isCount = ofPath ? true : vins.length >= 2 && vins.length <= MAX_CARS;
  return isCount && vins.every(isVin) && new Set(vins).size === vins.length ? vins : null;
}

const heldLabel = ({ finding }: LookupResult) => (finding.state === 'held' ? finding.label : null);

/** Whose turn a picture takes: the client's on our own pages, the site's on others. */
const viewerOf = (request: FastifyRequest): string =>
  isForOurPage(request.headers, request.server.baseUrl) ? request.client : request.visitor;

/** The headers of an image that other sites show. */
function sharedImage({ server }: FastifyRequest, type: string, cacheControl: string): HeaderFields {
  return {
    ...server.headerSets.page,
    'content-type': type,
    'cache-control': cacheControl,
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': "default-src 'none'",
    'x-robots-tag': 'noindex',
  };
}
